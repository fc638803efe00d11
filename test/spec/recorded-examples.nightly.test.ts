/** The examples of the documentation are what the service answers today. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readExamples } from '../../tools/papers/examples.ts'
import { record } from '../../tools/papers/record-examples.ts'

test('a recording is the same as the one that is kept, byte by byte', async () => {
  const fresh = await record()
  const kept = readExamples()
  for (const [key, examples] of Object.entries(fresh))
    assert.deepEqual(examples, kept[key], `${key}: \`npm run print -- --examples\` writes it anew`)
  assert.equal(JSON.stringify(fresh), JSON.stringify(kept))
})

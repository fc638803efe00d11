/** The examples of the documentation are what the service answers today. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import LANDING_JOB from '../../src/api/landing/example-job.json' with { type: 'json' }
import { readExamples } from '../../tools/papers/examples.ts'
import { record } from '../../tools/papers/record-examples.ts'

test('a recording is the same as the one that is kept, byte by byte', async () => {
  const { examples: fresh, landingJob } = await record()
  assert.deepEqual(landingJob, LANDING_JOB)
  const kept = readExamples()
  for (const [key, examples] of Object.entries(fresh))
    assert.deepEqual(examples, kept[key], `${key}: \`npm run print -- --examples\` writes it anew`)
  assert.equal(JSON.stringify(fresh), JSON.stringify(kept))
})

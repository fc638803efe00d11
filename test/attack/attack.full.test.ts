/** Every known attack, as `npm run attack` runs them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ATTACKS } from './attacks/all.ts'
import { runAttacks } from './run-attacks.ts'

const names = new Set(ATTACKS.map(({ name }) => name))
assert.equal(names.size, ATTACKS.length, 'each attack has a name of its own')

test('no known attack succeeds, and none stalls the event loop', async (t) => {
  for await (const { name, failure } of runAttacks({ after }, ATTACKS)) {
    await t.test(name, () => {
      if (failure !== null) throw failure
    })
  }
})

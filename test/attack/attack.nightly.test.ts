/** Every known attack with its measures, as `npm run attack` runs them. */
import { after, test } from 'node:test'
import { ATTACKS } from './attacks/all.ts'
import { runMeasured } from './measured-attacks.ts'

test('no known attack succeeds, and none stalls the event loop', async (t) => {
  for await (const { name, failure } of runMeasured({ after }, ATTACKS)) {
    await t.test(name, () => {
      if (failure !== null) throw failure
    })
  }
})

/** No single call that is never answered stops everything. */
import test from 'node:test'
import { casesOf, assertAllComes, PATIENT, SILENT } from './one-client-away.ts'

/** The time after which a call counts as unanswered; the cases wait for it side by side. */
const UNANSWERED_MS = 3_000

test('what one client waits for in vain, others bring', async () => {
  const cases = casesOf(SILENT)
  const limits = { ...PATIENT, requestMs: UNANSWERED_MS, retriesMax: 0 }
  await assertAllComes(cases, { lanes: cases.length, limits })
})

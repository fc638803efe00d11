/** No single refused call stops everything: the video comes with its words and date, the list whole, the channel. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { ACTIONS } from '../../emulator/faults.ts'
import { CLIENT_PROFILES } from '../../src/platform/youtube/clients.ts'
import { callsMissing, casesOf, assertAllComes, PATIENT, SILENT } from './one-client-away.ts'

const LANES = 8

test('what one client is refused at one call, others bring, whatever the refusal', async () => {
  const cases = casesOf(ACTIONS.filter((action) => !SILENT.includes(action)))
  await assertAllComes(cases, { lanes: LANES, limits: PATIENT })
})

test('a client that is asked first makes every call at which it is refused above', async () => {
  // The embedded player is asked about gated videos only.
  for (const client of CLIENT_PROFILES.filter(({ use }) => use !== 'age_gate'))
    assert.deepEqual(await callsMissing(client), [], client.name)
})

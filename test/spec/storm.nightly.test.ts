/** Twenty thousand hostile requests: storm.full.test.ts for longer and with a new seed. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isSeedFixed } from '../support/seed.ts'
import { storm } from './storm.ts'

test('20,000 hostile requests are answered as the contract says, and a refused one changes nothing', async () => {
  const reached = await storm({ after }, { requests: 20_000, bytes: 2_000 })
  if (!isSeedFixed) return
  for (const status of [200, 201, 204, 206, 400, 401, 404, 405, 409, 413, 415])
    assert.ok((reached.get(status) ?? 0) > 0, `${status} was never reached`)
})

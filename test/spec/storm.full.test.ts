/** A thousand hostile requests: no 500, nothing outside the OpenAPI document, nothing changed by a refusal. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isSeedFixed } from '../support/seed.ts'
import { storm } from './storm.ts'

test('1,000 hostile requests are answered as the contract says, and a refused one changes nothing', async () => {
  const reached = await storm({ after }, { requests: 1_000, bytes: 100 })
  if (!isSeedFixed) return
  for (const status of [200, 201, 400, 401, 404, 405, 415])
    assert.ok((reached.get(status) ?? 0) > 0, `${status} was never reached`)
})

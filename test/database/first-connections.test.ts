/** A process that starts opens few connections: the first steps of its background work come one after another. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'

/** Half of the loops of a worker; each would open one of its own if all began at once. */
const CONNECTIONS_MAX = 10

const { service } = await testService({ after }, { env: { DATABASE_POOL: '40' } })

test('a worker whose background work has begun has opened fewer connections than half of its loops', async () => {
  const { pool, firstSteps } = service.context
  // Who joins the line now is the last one.
  await firstSteps.take(async () => undefined, new AbortController().signal)
  assert.ok(pool.totalCount <= CONNECTIONS_MAX, `${pool.totalCount} connections`)
})

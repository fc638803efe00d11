/** A process that starts opens few connections: the first steps of its background work come one after another. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Half of the loops of a worker; each would open one of its own if all began at once. */
const CONNECTIONS_MAX = 10

const { service, database } = await testService({ after }, { env: { DATABASE_POOL: '40' } })

test('a worker whose background work has begun has opened fewer connections than half of its loops', async () => {
  // The day is recorded by the last of them.
  await until('all have begun', async () => {
    const { rowCount } = await database.pool.query('select from service_day')
    return rowCount === 1
  })
  const { totalCount } = service.context.pool
  assert.ok(totalCount <= CONNECTIONS_MAX, `${totalCount} connections`)
})

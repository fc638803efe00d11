/** The order of deliveries where a process has no room for all of them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LIMITS } from '../../src/config/config.ts'
import { claimDue } from '../../src/features/webhooks/deliver.ts'
import { testService } from '../support/service.ts'
import { endsJob, makesWebhook } from './hooked-jobs.ts'

const { database, customer } = await testService({ after }, { env: { ROLES: 'api' } })
const claims = async (max: number): Promise<string[]> =>
  (await claimDue(database.db, max)).map(({ webhookId }) => webhookId)

test('a queue behind busy webhooks never goes before one that is idle, and none has more than four', async () => {
  const [busy, idle] = [await customer(), await customer()]
  const address = 'https://webhooks.invalid/'
  const many = [await makesWebhook(busy, address), await makesWebhook(busy, address)]
  for (let n = 0; n < 6; n += 1) await endsJob(database, busy)
  const one = await makesWebhook(idle, address)
  await endsJob(database, idle)
  const ids = [...many, one].map(({ id }) => id)
  assert.deepEqual((await claims(3)).toSorted(), ids.toSorted())

  assert.deepEqual((await claims(2)).toSorted(), many.map(({ id }) => id).toSorted())
  await endsJob(database, idle)
  assert.deepEqual(await claims(1), [one['id']], 'the others wait longer, but have two under way')

  const rest = await claims(100)
  for (const { id } of many)
    assert.equal(rest.filter((claimed) => claimed === id).length, LIMITS.deliveriesPerWebhook - 2)
  assert.equal(rest.length, 2 * (LIMITS.deliveriesPerWebhook - 2))
})

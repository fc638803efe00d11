/**
 * Webhooks after a crash and after a restore: nothing stays untold, no secret is in a backup; and mails about final
 * jobs.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Customer } from '../../tools/conformance/customer.ts'
import { backup, restore } from '../../src/features/backup/backup.ts'
import { LIMITS } from '../../src/config/config.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { startService } from '../../src/serve.ts'
import { giveBack, recordAttempt } from '../../src/store/webhook-deliveries.ts'
import { changeJobMail } from '../../src/features/webhooks/webhooks.ts'
import {
  claimDue,
  sweepDeliveries,
  DELIVERY_LEASE_SECONDS,
} from '../../src/features/webhooks/deliver.ts'
import { startMailBox } from '../account/mail-box.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { testService } from '../support/service.ts'
import { testConfig } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { deliveriesOf, endsJob, makesWebhook, passTime, untilTried } from './hooked-jobs.ts'
import { startReceiver } from './receiver.ts'

const mailBox = await startMailBox({ after })
const env = { STOP_GRACE: '0', WEBHOOK_ALLOW_PRIVATE: 'true', ...mailBox.env }
const { database, customer, another } = await testService(
  { after },
  { env: { ROLES: 'api', ...env } },
)

test('an attempt whose process dies is made again with the same id; the late word of the first changes nothing', async (t) => {
  const receiver = await startReceiver(t)
  const buyer = await customer()
  const webhook = await makesWebhook(buyer, receiver.url)
  await endsJob(database, buyer)
  const [lost] = await claimDue(database.db, 10) // its process dies with this attempt
  assert.equal(lost?.number, 1)
  assert.deepEqual(await claimDue(database.db, 10), [], 'nobody else begins it meanwhile')

  await passTime(database, DELIVERY_LEASE_SECONDS - 1)
  assert.deepEqual(await claimDue(database.db, 10), [])
  await passTime(database, 1)
  const worker = await another({ ROLES: 'worker' })
  const tried = await untilTried(buyer, webhook, 1)
  assert.deepEqual([tried['attempts'][0].number, tried['state']], [2, 'delivered'])
  assert.deepEqual([receiver.received.length, receiver.received[0]?.id], [1, lost.deliveryId])

  const late = {
    startedAt: new Date(),
    durationMs: 1,
    url: receiver.url,
    outcome: 'refused' as const,
  }
  const word = { ...late, status: 500, error: null, reply: '' }
  const isTaken = await transact(database.db, (tx) => recordAttempt(tx, lost, word, null))
  assert.deepEqual([isTaken, (await deliveriesOf(buyer, webhook))[0]], [false, tried])

  // A worker that is stopped in the middle gives the attempt back at once.
  const { promise, resolve } = Promise.withResolvers<number>()
  receiver.answers = () => promise
  await endsJob(database, buyer)
  await until('it is under way', () => receiver.open === 1)
  await worker.close()
  resolve(500)
  const [given] = await deliveriesOf(buyer, webhook)
  assert.deepEqual([given?.['state'], given?.['attempts']], ['pending', []])
  const [again] = await claimDue(database.db, 10)
  assert.ok(again !== undefined)
  assert.deepEqual([again.deliveryId, again.number], [given?.['id'], 1])

  // A recorded attempt is not given back any more.
  const refused = { ...word, reply: 'no' }
  assert.ok(await transact(database.db, (tx) => recordAttempt(tx, again, refused, 300)))
  const [noted] = await deliveriesOf(buyer, webhook)
  await giveBack(database.db, again)
  assert.deepEqual((await deliveriesOf(buyer, webhook))[0], noted)
})

test('a backup holds no secret; after a restore the owner rotates it, and what waited is sent', async (t) => {
  const receiver = await startReceiver(t)
  const buyer = await customer()
  const webhook = await makesWebhook(buyer, receiver.url)
  await endsJob(database, buyer)
  const file = path.join(temporaryFolder(t), 'webhooks.backup')
  await backup(database.pool, file)
  const content = gunzipSync(fs.readFileSync(file)).toString('latin1')
  assert.ok(content.includes(webhook['id']) && !content.includes(webhook['secret'].slice(6, 40)))

  const target = await testDatabase({ after: () => undefined })
  await restore(target.pool, file)
  const restored = await startService(
    testConfig({ ...env, DATABASE_URL: target.url, PLATFORM_ORIGIN: 'http://127.0.0.1:9' }),
  )
  t.after(async () => {
    await restored.close()
    await target.drop()
  })
  const { accountId, apiKey } = buyer
  const there = new Customer({ address: restored.address ?? '', accountId, apiKey })
  const asks = async (method: string, of: string, body?: object) =>
    (await there.asks(method, `/webhooks/${webhook['id']}${of}`, { body })).body
  await until(
    'it is disabled',
    async () => (await asks('GET', ''))['disabledBecause'] === 'secret_lost',
  )
  assert.equal(receiver.received.length, 0)
  assert.match((await mailBox.newestTo(await emailOf(buyer.accountId))).text, /Create a new secret/)
  assert.notEqual((await asks('POST', '/rotate'))['secret'], webhook['secret'])
  await asks('PATCH', '', { state: 'active' })
  await target.pool.query('notify scriptorium_delivery')
  await until('what waited is sent', () => receiver.received.length === 1)
})

test('an account that asked for it is mailed once when a job is final, whatever happens', async () => {
  const [buyer, other] = [await customer(), await customer()]
  await changeJobMail(database.db, { accountId: buyer.accountId, isOn: true })
  await changeJobMail(database.db, { accountId: buyer.accountId, isOn: true })
  const job = await endsJob(database, buyer)
  await endsJob(database, other)
  assert.deepEqual((await buyer.gets('/webhooks'))['webhooks'], [], 'it is no webhook to callers')
  await another({ ROLES: 'worker' })
  const email = await emailOf(buyer.accountId)
  const mail = await mailBox.newestTo(email)
  assert.ok(mail.text.includes(`/jobs/${job['id']}`))
  await passTime(database, 3_600)
  await changeJobMail(database.db, { accountId: buyer.accountId, isOn: false })
  await endsJob(database, buyer)
  const { rows } = await database.pool.query(
    `select from webhook_delivery where state = 'pending' and webhook_id in (select id from webhook where kind = 'mail')`,
  )
  assert.equal(rows.length, 0)
  assert.equal(mailBox.mails.filter(({ to }) => to === email).length, 1)
  const theirs = await emailOf(other.accountId)
  assert.equal(mailBox.mails.filter(({ to }) => to === theirs).length, 0)
})

test('what is older than thirty days leaves the log', async () => {
  const buyer = await customer()
  const webhook = await makesWebhook(buyer, 'http://127.0.0.1:9/')
  await endsJob(database, buyer)
  await passTime(database, LIMITS.deliveriesKeptDays * 24 * 3600 - 60)
  await sweepDeliveries(database.db)
  assert.equal((await deliveriesOf(buyer, webhook)).length, 1)
  await passTime(database, 120)
  // A sweep passes over a delivery that is being claimed; the next one deletes it.
  await until('the log is empty', async () => {
    await sweepDeliveries(database.db)
    return (await deliveriesOf(buyer, webhook)).length === 0
  })
})

async function emailOf(accountId: string): Promise<string> {
  const { rows } = await database.pool.query('select email from account where id = $1', [accountId])
  return rows[0].email
}

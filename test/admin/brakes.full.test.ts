/** The operator's brakes, as an operator uses them: accounts suspended and resumed, jobs stopped. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { resumeAccount, suspendAccount } from '../../src/features/accounts/account.ts'
import { checkBooks, ofJob } from '../machines/fleet.ts'
import { holdAfter, untilNothingIsAsked } from '../support/held-platform.ts'
import { until } from '../support/until.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import { testService } from '../support/service.ts'
import { startMailBox } from '../account/mail-box.ts'
import { visitorsOf } from '../account/visitor.ts'
import { adminOn } from './admin-command.ts'

const WORD = { actor: 'tester', reason: 'a test' }

const mailBox = await startMailBox({ after })
const running = await testService({ after }, { env: { ...mailBox.env, JOB_VIDEOS: '2' } })
const { database, platform, customer, another } = running
const { db } = database
const second = await another()
const { value, refusal } = adminOn(database.url)
const { visitor } = visitorsOf(running)

test('a suspended account is refused everywhere, its running job ends charged for what it delivered, and resuming gives all back', async () => {
  const who = await customer('10')
  const elsewhere = new Customer({
    address: second.address ?? '',
    accountId: who.accountId,
    apiKey: who.apiKey,
  })
  holdAfter(platform, 3)
  const job = await who.startsJob({ urls: ['@captionlab'], maxVideos: 200 })
  await until('something is delivered', () =>
    ofJob<number>(database, job['id'], 'success').then((delivered) => delivered > 2),
  )

  const suspended = await value(
    'account',
    'suspend',
    who.accountId,
    '--reason',
    'too many refunds',
    '--by',
    'Ada',
  )
  assert.deepEqual(suspended, {
    accountId: who.accountId,
    state: 'suspended',
    reason: 'too many refunds',
    cancelledJobs: [job['id']],
  })
  platform.clear()
  for (const one of [who, elsewhere]) {
    for (const [method, path] of [
      ['GET', '/balance'],
      ['GET', '/jobs'],
      ['GET', `/jobs/${job['id']}`],
      ['POST', '/jobs'],
    ] as const) {
      const answer = await one.asks(
        method,
        path,
        method === 'POST' ? { body: { urls: ['@captionlab'] } } : {},
      )
      assert.deepEqual([answer.status, answer.body['error'].code], [401, 'unauthorized'], path)
    }
  }
  assert.equal(await ofJob(database, job['id'], 'state'), 'cancelled')
  const delivered = await ofJob<number>(database, job['id'], 'success')
  await untilNothingIsAsked(platform)
  assert.equal(
    await ofJob(database, job['id'], 'success'),
    delivered,
    'nothing was recorded afterwards',
  )
  await checkBooks(database)

  assert.match(
    await refusal('account', 'suspend', who.accountId, '--reason', 'again'),
    /is already suspended/,
  )
  assert.deepEqual(await value('account', 'resume', who.accountId), {
    accountId: who.accountId,
    state: 'active',
  })
  assert.match(await refusal('account', 'resume', who.accountId), /is not suspended/)
  assert.equal((await who.gets('/balance'))['balance'], (10 - delivered * 0.008).toFixed(3))
  const seen = await elsewhere.gets(`/jobs/${job['id']}`)
  assert.deepEqual([seen['state'], seen['progress'].delivered], ['cancelled', delivered])
  assert.match(seen['error'], /operator/)
  assert.equal(
    (await who.readsRows(job)).filter(({ status }) => status === 'success').length,
    delivered,
  )
  await who.orders({ urls: ['@captionlab'], maxVideos: 3 })

  const { acts } = await value('account', 'show', who.accountId)
  assert.deepEqual(
    acts.map(({ act, by, reason }: Record<string, string>) => [act, by, reason]).at(-1),
    ['suspend_account', 'Ada', 'too many refunds'],
  )
})

test('at the website a suspended owner is signed out and cannot sign in until the account is resumed', async () => {
  const owner = visitor()
  await owner.signsUp('owner@example.org')
  await owner.opens((await mailBox.newestTo('owner@example.org')).link ?? '')
  const { accountId } = await owner.gets('/account/session')
  const { bearer } = (await owner.asks('POST', '/account/bearer')).body

  await suspendAccount(db, { accountId, ...WORD })
  assert.equal((await owner.gets('/account/session')).email, null)
  assert.equal((await owner.asks('GET', '/account/balance')).status, 401)
  const byBearer = await fetch(`${running.address}/api/v1/balance`, {
    headers: { Authorization: `Bearer ${bearer}` },
  })
  assert.equal(byBearer.status, 401)
  const refused = await visitor().signsIn('owner@example.org')
  assert.deepEqual(
    [refused.status, refused.body.error.message],
    [403, 'This account is suspended; ask the operator of this service.'],
  )
  assert.deepEqual(
    refused.headers.getSetCookie().filter((cookie) => /session_token=[^;]/.test(cookie)),
    [],
  )
  assert.equal(
    (await visitor().signsIn('owner@example.org', 'not the right sentence')).status,
    401,
    'nobody else learns of it',
  )

  await resumeAccount(db, { accountId, ...WORD })
  assert.equal(
    (await owner.gets('/account/session')).email,
    null,
    'the old session is over for good',
  )
  const again = visitor()
  assert.equal((await again.signsIn('owner@example.org')).status, 200)
  assert.equal((await again.gets('/account/session')).accountId, accountId)
})

test('a request that was let in before the suspension starts no job after it', async () => {
  const who = await customer('10')
  const waiting = (count: number) =>
    until(`${count} wait for the balance`, async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length === count
    })
  const holder = await database.connect()
  await holder.query('begin')
  await holder.query('select from balance where account_id = $1 for update', [who.accountId])
  const suspension = suspendAccount(db, { accountId: who.accountId, ...WORD })
  await waiting(1)
  const start = who.asks('POST', '/jobs', { body: { urls: ['@captionlab'], maxVideos: 2 } })
  await waiting(2)
  await holder.query('commit')
  assert.deepEqual(await suspension, { stoppedJobs: [] })
  const { status, body } = await start
  assert.deepEqual([status, body['error'].code], [401, 'unauthorized'])
  const { rows } = await database.pool.query('select from job where account_id = $1', [
    who.accountId,
  ])
  assert.equal(rows.length, 0)
  await checkBooks(database)
})

test('an operator cancels a job with a reason, once, whoever owns it', async () => {
  const who = await customer('1')
  holdAfter(platform, 0)
  const job = await who.startsJob({ urls: ['@captionlab'], maxVideos: 100 })
  const cancelled = await value('job', 'cancel', job['id'], '--reason', 'it hangs')
  platform.clear()
  assert.equal(cancelled['state'], 'cancelled')
  assert.match(
    await refusal('job', 'cancel', job['id'], '--reason', 'it hangs'),
    /is already final \(cancelled\); nothing was cancelled/,
  )
  assert.match(await refusal('job', 'cancel', job['id']), /--reason is missing/)
  const { acts } = await value('job', 'show', job['id'])
  assert.deepEqual([acts.length, acts[0].act, acts[0].reason], [1, 'cancel_job', 'it hangs'])
  await checkBooks(database)
})

test('an unknown account or job is refused with one sentence', async () => {
  for (const words of [
    ['account', 'suspend', 'acc_nobody', '--reason', 'x'],
    ['account', 'resume', 'nobody@example.org'],
    ['account', 'show', 'acc_nobody'],
    ['job', 'list', '--account', 'acc_nobody'],
    ['job', 'show', 'no-job'],
    ['job', 'cancel', 'no-job', '--reason', 'x'],
  ])
    assert.match(
      await refusal(...words),
      /^scriptorium: there is no (account|job) "no-job"|^scriptorium: there is no account ".*nobody/,
    )
})

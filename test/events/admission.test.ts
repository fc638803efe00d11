/** Which callers may keep an event stream open, how many, and until when: on jobs without a worker. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { resumeAccount, suspendAccount } from '../../src/features/accounts/account.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { openEvents } from '../support/event-streams.ts'
import { freezeBuckets } from '../support/rate-limits.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'

const { database, customer, service } = await testService(
  { after },
  { env: { ROLES: 'api', EVENT_STREAMS: '3' }, leavesOpenJobs: true },
)
const word = { actor: 'test', reason: 'to see the stream end' }

const openStreams = async (): Promise<number> =>
  (await service.context.metrics.eventStreams.get()).values[0]?.value ?? 0

const starts = (who: Customer): Promise<Json> => who.startsJob({ urls: ['@smallworkshop'] })

test('a stream ends when its key is revoked or runs out, without an end of the job', async () => {
  const endings = ['update api_key set revoked_at = now()', 'update api_key set expires_at = now()']
  for (const ending of endings) {
    const [who, other] = [await customer(), await customer()]
    const [events, others] = [
      await openEvents(who, await starts(who)),
      await openEvents(other, await starts(other)),
    ]
    for (const one of [events, others]) assert.equal((await one.next())?.event, 'job')
    await database.pool.query(`${ending} where account_id = $1`, [who.accountId])
    assert.deepEqual(await events.rest(), [])
    assert.equal((await who.asks('GET', '/balance')).status, 401)
    assert.equal(await openStreams(), 1, 'the other key goes on')
    await others.close()
    await until('nobody follows', async () => (await openStreams()) === 0)
  }
})

test('a stream ends when its account is suspended', async () => {
  const who = await customer()
  const job = await starts(who)
  const events = await openEvents(who, job)
  await suspendAccount(database.db, { ...word, accountId: who.accountId })
  await events.rest() // the job ends as well; whether the stream still tells that is a matter of moments
  assert.equal((await openEvents(who, job)).status, 401)
  await resumeAccount(database.db, { ...word, accountId: who.accountId })
  const told = await (await openEvents(who, job)).rest()
  assert.deepEqual(
    told.map(({ event, id }) => [event, id]),
    [
      ['job', ''],
      ['end', '0'],
    ],
    'a job without rows has an end with an id, too',
  )
  assert.equal((await openEvents(who, job, '0')).status, 204)
})

test('an account has so many streams at once; one that is closed makes room', async () => {
  const [who, other] = [await customer(), await customer()]
  const [job, theirs] = [await starts(who), await starts(other)]
  const open = await Promise.all(Array.from({ length: 3 }, () => openEvents(who, job)))
  const refused = await openEvents(who, job)
  assert.deepEqual(
    [refused.status, refused.body['error'].code, refused.headers.get('retry-after')],
    [429, 'rate_limited', '5'],
  )
  assert.match(refused.body['error'].message, /3 event streams/)
  assert.equal(refused.headers.get('content-type'), 'application/json; charset=utf-8')
  open.push(await openEvents(other, theirs))
  assert.equal(open.at(-1)?.status, 200, 'other accounts have their own')

  await open.shift()?.close()
  await until('the place is free', async () => (await openStreams()) === 3)
  open.push(await openEvents(who, job))
  await Promise.all(open.map((events) => events.close()))
  await until('nobody follows', async () => (await openStreams()) === 0)
})

test('a connection costs one request, however long it lasts', async () => {
  const who = await customer('10', { isLimited: true })
  await freezeBuckets(database.pool)
  const job = await starts(who)
  const left = async (): Promise<number> =>
    Number((await who.asks('GET', '/balance')).headers.get('x-ratelimit-remaining'))
  const before = await left()
  const events = await openEvents(who, job)
  assert.equal(events.headers.get('x-ratelimit-remaining'), String(before - 1))
  await events.next()
  await who.asks('POST', `/jobs/${job['id']}/cancel`)
  assert.equal((await events.rest()).at(-1)?.event, 'end')
  assert.ok((await left()) >= before - 3, 'two looks at the balance, one stream, one cancel')
})

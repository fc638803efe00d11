/** Batches: more lines and videos than a job may have, under one price, and the money proves it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { issueKey, revokeKey } from '../../src/features/accounts/keys.ts'
import { addCredit } from '../../src/features/money/balance.ts'
import { changeJobMail } from '../../src/features/webhooks/webhooks.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { startMailBox } from '../account/mail-box.ts'
import { uploadsOf } from '../repeats/asking-again.ts'
import { holdAfter } from '../support/held-platform.ts'
import { liftLimits } from '../support/rate-limits.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'

const mailBox = await startMailBox({ after })
const { platform, customer, database, address } = await testService({ after }, { env: mailBox.env })
const { world } = platform
const uploads = uploadsOf(world, world.channel('medium'))
const SIXTY = uploads.slice(0, 60).map(({ videoId }) => videoId)
const SIXTY_TEXTS = uploads.slice(0, 60).filter(({ status }) => status === 'success').length

async function orders(buyer: Customer, body: Json, query = ''): Promise<Json> {
  const reply = await buyer.asks('POST', `/batches${query}`, { body })
  assert.equal(reply.status, 201, reply.bytes.toString())
  return reply.body
}

/** Waits until a batch rests and none of its jobs is open. */
async function rests(buyer: Customer, { id }: Json): Promise<Json> {
  let batch: Json = {}
  await until(`batch ${id} rests`, async () => {
    batch = await buyer.gets(`/batches/${id}`)
    const open = batch['jobs'].filter(({ state }: Json) => OPEN.includes(state))
    return batch['state'] !== 'running' && open.length === 0
  })
  return batch
}

const OPEN = ['queued', 'running', 'cancelling']
const changes = (buyer: Customer, { id }: Json, body: Json) =>
  buyer.asks('PATCH', `/batches/${id}`, { body })

test('sixty lines are two jobs under one name; the same again costs nothing', async () => {
  const buyer = await customer('10')
  await changeJobMail(database.db, { accountId: buyer.accountId, isOn: true })
  const made = await orders(buyer, { urls: SIXTY, name: 'Sixty' })
  assert.deepEqual([made['lines'], made['parts'], made['maxVideos']], [60, 2, 60])
  assert.equal(made['billing'].atMost, '0.480')
  const ended = await rests(buyer, made)
  assert.deepEqual([ended['state'], ended['notice'], ended['title']], ['finished', null, 'Sixty'])
  assert.equal(ended['jobs'].length, 2)
  const rows = (await Promise.all(ended['jobs'].map((job: Json) => buyer.readsRows(job)))).flat()
  assert.deepEqual(
    rows.map(({ videoId }) => videoId),
    SIXTY,
  )
  const delivered = rows.filter(({ status }) => status === 'success').length
  assert.ok(delivered > 30)
  assert.equal(ended['progress'].delivered, delivered)
  assert.equal(ended['billing'].charged, (delivered * 0.008).toFixed(3))
  assert.equal(await buyer.balance(), (10 - delivered * 0.008).toFixed(3))
  const named = await buyer.gets(`/jobs/${ended['jobs'][1].id}?view=named`)
  assert.equal(named['name'], 'Sixty (2)')
  const titled = { id: made['id'], title: 'Sixty', number: 2 }
  assert.deepEqual(named['batch'], titled)
  const { headers } = await buyer.asks('GET', `/jobs/${ended['jobs'][1].id}`)
  assert.equal(headers.get('x-batch'), made['id'])
  assert.ok(ended['sources'].every(({ state }: Json) => state === 'read'))
  assert.match(ended['jobs'][1].title, /, videos 51 to 60$/)

  const { rows: accounts } = await database.pool.query('select email from account where id = $1', [
    buyer.accountId,
  ])
  const { email } = accounts[0]
  const mail = await mailBox.newestTo(email)
  assert.equal(mail.subject, `Your batch has finished: ${delivered} transcripts delivered`)
  assert.ok(mail.text.includes(`/batches/${made['id']}`))
  await until('the deliveries of both jobs are settled', async () => {
    const { rows: left } = await database.pool.query(
      `select from webhook_delivery where state = 'pending'`,
    )
    return left.length === 0
  })
  assert.equal(mailBox.mails.filter(({ to }) => to === email).length, 1, 'its jobs mail nothing')
  await changeJobMail(database.db, { accountId: buyer.accountId, isOn: false })

  const again = await rests(buyer, await orders(buyer, { urls: SIXTY }))
  assert.equal(again['state'], 'finished')
  assert.equal(again['billing'].charged, '0.000')
  const asked = await orders(buyer, { urls: [...SIXTY.toReversed(), 'dQw4w9WgXcQ'] })
  const told = `You own ${delivered} videos behind these lines already; they are left out, free.`
  assert.deepEqual(asked['notices'], [told])
  const other = await rests(buyer, asked)
  assert.equal(other['billing'].charged, '0.000', 'another order leaves out what is owned')
  const project = (await buyer.asks('POST', '/projects', { body: { name: 'One ZIP' } })).body
  const adds = async (what: Json): Promise<Json> =>
    (await buyer.asks('POST', `/projects/${project['id']}/videos`, { body: what })).body
  const whole = await adds({ batch: other['id'] })
  assert.deepEqual([whole['added'], whole['refusals']], [delivered, 0], 'also what others brought')
  const once = await adds({ job: other['jobs'][0].id })
  assert.ok(once['added'] === 0 && once['present'] > 0)
  const foreign = await (await customer()).asks('POST', '/projects', { body: { name: 'Mine' } })
  const stranger = await buyer.asks('POST', `/projects/${foreign.body['id']}/videos`, {
    body: { batch: other['id'] },
  })
  assert.equal(stranger.status, 404)
  const anew = await orders(buyer, { urls: ['dQw4w9WgXcQ', ...SIXTY.toReversed()] }, '?owned=again')
  const most = (delivered * 0.008).toFixed(3).replace(/0$/, '')
  assert.match(
    anew['notices'][0],
    new RegExp(`${delivered} videos .*: this batch is a new order .*, up to \\$${most}\\.`),
  )
  await changes(buyer, anew, { state: 'stopped' })
  const listed = await buyer.gets('/batches?limit=2')
  assert.deepEqual([listed['total'], listed['nextOffset']], [4, 2])
  assert.deepEqual(listed['batches'][1].id, other['id'])
})

test('a part goes on as long as its jobs fill their slots, and no further than the order allows', async () => {
  const buyer = await customer('0.080')
  const made = await orders(buyer, { urls: [world.channel('medium').handle!], maxVideos: 2_000 })
  const poor = await rests(buyer, made)
  assert.equal(poor['state'], 'stopped')
  assert.match(poor['notice'], /Add credit/)
  const spent = Number(poor['billing'].charged)
  assert.ok(spent > 0 && spent <= 0.08)

  const credit = {
    accountId: buyer.accountId,
    micros: 20_000_000n,
    reference: 'more',
    reason: null,
  }
  await transact(database.db, (tx) => addCredit(tx, credit))
  assert.equal((await changes(buyer, made, { state: 'running' })).body['state'], 'running')
  const ended = await rests(buyer, made)
  assert.deepEqual([ended['state'], ended['notice']], ['finished', null])
  const all = uploads.filter(({ status }) => status === 'success').length
  assert.equal(ended['progress'].delivered, all)
  assert.equal(ended['billing'].charged, (all * 0.008).toFixed(3))
  const counts = await Promise.all(
    ended['jobs'].map(async ({ id }: Json) => (await buyer.gets(`/jobs/${id}`))['progress'].counts),
  )
  assert.ok(counts.length > 2)
  assert.equal(
    counts.reduce((sum, { unchanged }) => sum + unchanged, 0),
    0,
    'a row each in all',
  )
  const refused = await changes(buyer, made, { state: 'running' })
  assert.equal(refused.status, 400)
  assert.match(refused.body['error'].message, /Nothing is left of this batch/)
})

/** The longest name, of characters that a browser counts as two. */
const LONG = '𝔫'.repeat(120)

test('the limit is of all jobs together, and the longest name is cut for its jobs', async () => {
  const buyer = await customer('10')
  const ended = await rests(buyer, await orders(buyer, { urls: SIXTY, maxVideos: 55, name: LONG }))
  const [first, second] = await Promise.all(
    ended['jobs'].map(({ id }: Json) => buyer.gets(`/jobs/${id}`)),
  )
  assert.deepEqual([first['input'].maxVideos, second['input'].maxVideos], [55, 5])
  assert.equal(ended['state'], 'finished')
  const named = await buyer.gets(`/jobs/${ended['jobs'][1].id}?view=named`)
  assert.equal(named['name'], `${'𝔫'.repeat(116)} (2)`)
  assert.match(ended['notice'], /^Limit of 55 videos reached\. Not reached: .* and 2 more\./)
  const left = ended['sources'].filter(({ state }: Json) => state === 'not_reached')
  assert.deepEqual(
    left.map(({ line, left: videos }: Json) => [line, videos]),
    SIXTY.slice(55).map((line) => [line, 1]),
  )
})

test('a stopped batch cancels its job, keeps what was delivered, and goes on where it was', async () => {
  const buyer = await customer('10')
  holdAfter(platform, 5)
  const made = await orders(buyer, { urls: SIXTY })
  const delivered = async (): Promise<number> =>
    (await buyer.gets(`/batches/${made['id']}`))['progress'].delivered
  await until('some are delivered', async () => (await delivered()) > 0)
  const stopped = await changes(buyer, made, { state: 'stopped' })
  assert.deepEqual([stopped.status, stopped.body['state']], [200, 'stopped'])
  platform.clear()
  const rested = await rests(buyer, made)
  assert.deepEqual([rested['notice'], rested['jobs'].length], ['You stopped it.', 1])
  assert.equal(rested['jobs'][0].state, 'cancelled')
  assert.ok(rested['progress'].delivered < SIXTY_TEXTS)
  assert.equal((await changes(buyer, made, { state: 'running' })).body['state'], 'running')
  const ended = await rests(buyer, made)
  assert.deepEqual([ended['state'], ended['progress'].delivered], ['finished', SIXTY_TEXTS])
  assert.equal(await buyer.balance(), (10 - SIXTY_TEXTS * 0.008).toFixed(3))
})

test('the same lines while it runs are the same batch; another account sees none of it', async () => {
  const [buyer, stranger] = [await customer('10'), await customer('10')]
  holdAfter(platform, 5)
  const made = await orders(buyer, { urls: SIXTY })
  const again = await buyer.asks('POST', '/batches', { body: { urls: SIXTY, maxVideos: 600 } })
  assert.deepEqual([again.status, again.body['id']], [200, made['id']])
  const path = `/batches/${made['id']}`
  assert.equal((await stranger.asks('GET', path)).status, 404)
  assert.equal((await changes(stranger, made, { state: 'stopped' })).status, 404)
  platform.clear()
  assert.equal((await rests(buyer, made))['state'], 'finished')
})

test('a batch waits for a job that takes the same lines, and buys nothing twice', async () => {
  const buyer = await customer('10')
  holdAfter(platform, 5)
  const urls = SIXTY.slice(0, 50)
  const job = await buyer.startsJob({ urls })
  const made = await orders(buyer, { urls: SIXTY })
  await until('it says that it waits', async () =>
    /another job with the same lines/.test(
      (await buyer.gets(`/batches/${made['id']}`))['notice'] ?? '',
    ),
  )
  platform.clear()
  await buyer.waitsFor(job)
  const ended = await rests(buyer, made)
  assert.equal(ended['state'], 'finished')
  assert.equal(await buyer.balance(), (10 - SIXTY_TEXTS * 0.008).toFixed(3))
})

test('a batch that cannot be ordered is refused in words', async () => {
  const [buyer, poor] = [await customer('10'), await customer('0')]
  const refusals: [Customer, Json, number, RegExp][] = [
    [
      buyer,
      { urls: Array.from({ length: 1_001 }, () => '@a') },
      400,
      /urls must have at most 1000 items/,
    ],
    [
      buyer,
      { urls: Array.from({ length: 1_001 }, (_, at) => `@a${at}`).join('\n') },
      400,
      /1001 lines, but a batch takes at most 1000/,
    ],
    [buyer, { urls: [...SIXTY, 'https://example.org/'] }, 400, /Line 61 is not a video/],
    [buyer, { urls: SIXTY, maxVideos: 50_001 }, 400, /maxVideos must be at most 50000/],
    [poor, { urls: SIXTY }, 402, /Add credit/],
  ]
  for (const [who, body, status, words] of refusals) {
    const reply = await who.asks('POST', '/batches', { body })
    assert.equal(reply.status, status)
    assert.match(reply.body['error'].message, words)
  }
})

test('the monthly limit of a key holds for a batch, and a revoked key orders nothing more', async () => {
  const buyer = await customer('10')
  const capped = await keyOf(buyer, 24_000n)
  const limited = await rests(capped.owner, await orders(capped.owner, { urls: SIXTY }))
  assert.equal(limited['state'], 'stopped')
  assert.match(limited['notice'], /monthly limit left/)
  assert.equal(limited['billing'].charged, '0.024')

  holdAfter(platform, 5)
  const key = await keyOf(buyer, null)
  const made = await orders(key.owner, { urls: SIXTY })
  await until('its first job runs', async () =>
    (await buyer.gets(`/batches/${made['id']}`))['jobs'].some(
      ({ state }: Json) => state === 'running',
    ),
  )
  await transact(database.db, (tx) =>
    revokeKey(tx, { accountId: buyer.accountId, keyId: key.keyId }),
  )
  platform.clear()
  const revoked = await rests(buyer, made)
  assert.deepEqual([revoked['state'], revoked['jobs'].length], ['stopped', 1])
  assert.match(revoked['notice'], /revoked/)
})

/** Opens a further key of an account, with a monthly limit in micros. */
async function keyOf(
  { accountId }: Customer,
  monthlyCapMicros: bigint | null,
): Promise<{ keyId: string; owner: Customer }> {
  const limits = { scopes: null, monthlyCapMicros }
  const { keyId, apiKey } = await transact(database.db, (tx) =>
    issueKey(tx, { accountId, name: 'Another', limits }),
  )
  await liftLimits(database.pool, accountId)
  return { keyId, owner: new Customer({ address, accountId, apiKey }) }
}

/** The database takes no writes (after a failover, or since its storage is full): jobs wait and go on. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Customer } from '../../tools/conformance/customer.ts'
import { openDatabase } from '../../src/store/database.ts'
import { listHeld } from '../../src/store/job-queue.ts'
import { ensureSignInSecret } from '../../src/store/sign-in.ts'
import { holdAfter } from '../support/held-platform.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { checkBooks, ofJob } from './fleet.ts'

const { database, platform, customer, another } = await testService(
  { after },
  { env: { ROLES: 'api', DATABASE_POOL: '5' } },
)
/** Looks in which a worker that does not wait would have tried again. */
const LOOKS = 100
/** Texts that come before the platform is held, and videos that are read at once. */
const BEFORE = 5
const AT_ONCE = 2
const name = new URL(database.url).pathname.slice(1)
const elsewhere = new URL(database.url)
elsewhere.pathname = '/postgres'
const admin = openDatabase({ url: elsewhere.href, connectionsMax: 1, name: 'admin' })
after(() => admin.close())

/** Makes new sessions read-only and ends old ones, as a failover to a standby does. */
async function setReadOnly(isOn: boolean): Promise<void> {
  const how = isOn
    ? 'set default_transaction_read_only = on'
    : 'reset default_transaction_read_only'
  await admin.pool.query(`alter database ${name} ${how}`)
  if (isOn)
    await admin.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`,
      [name],
    )
}

test('while the database is read-only every request is 503, jobs wait, and nothing is lost', async () => {
  holdAfter(platform, BEFORE)
  const one = await another({ ROLES: 'api,worker', JOB_VIDEOS: String(AT_ONCE) })
  const { accountId, apiKey } = await customer()
  const who = new Customer({ address: one.address ?? '', accountId, apiKey })
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 30 })
  const delivered = (): Promise<number> => ofJob<number>(database, job['id'], 'success')
  await until('some rows are there', async () => (await delivered()) >= BEFORE)

  await setReadOnly(true)
  // The first look may meet connections that the change cuts off; the next one names the reason.
  await until('it tells that it is not ready, and why', async () => {
    const reply = await fetch(`${one.address}/readyz`)
    return reply.status === 503 && (await reply.text()).includes('read-only')
  })
  platform.clear()
  const texts = (): number => platform.log.counts().byKind['timedtext'] ?? 0
  await until('what was held has come', () => texts() >= BEFORE + AT_ONCE)
  for (let round = 0; round < 10; round += 1) {
    for (const [method, path, init] of [
      ['GET', '/balance', {}],
      ['GET', `/jobs/${job['id']}`, {}],
      ['POST', '/jobs', { body: { urls: ['@smallworkshop'], maxVideos: 1 } }],
    ] as const) {
      const { status, headers, body } = await who.asks(method, path, init)
      assert.equal(status, 503, JSON.stringify(body))
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
  }
  // Requests under way have ended by now; from here on asking the platform would be in vain.
  const asked = platform.log.counts().total
  for (let looks = 0; looks < LOOKS; looks += 1)
    assert.equal((await fetch(`${one.address}/readyz`)).status, 503)
  assert.ok(platform.log.counts().total <= asked + 2, 'the platform is left alone')
  assert.ok((await delivered()) < 30, 'the job is in the middle')
  assert.deepEqual(await listHeld(database.db), [], 'nobody is silent who cannot write')

  const measures = async (ready: 0 | 1): Promise<boolean> => {
    const text = await (await fetch(`${one.address}/metrics`)).text()
    return text.includes(`\nscriptorium_ready ${ready}\n`)
  }
  await until('its metric says so, for the alert', () => measures(0))

  await setReadOnly(false)
  await until('it is ready', async () => (await fetch(`${one.address}/readyz`)).status === 200)
  await until('its metric says so, too', () => measures(1))
  const ended = await who.waitsFor(job)
  assert.equal(ended['state'], 'finished', ended['error'])
  assert.equal(ended['progress'].delivered, await delivered())
  assert.equal(await ofJob(database, job['id'], 'attempt'), 1, 'the same attempt went on')
  assert.equal(await ofJob(database, job['id'], 'lost_attempts'), 0)
  await checkBooks(database)
  await one.close()
})

test('a process that starts again writes nothing of sign-in: one that starts just then goes on', async () => {
  const { db } = database
  const secret = await ensureSignInSecret(db, 'a candidate')
  const again = await db
    .transaction()
    .setAccessMode('read only')
    .execute((tx) => ensureSignInSecret(tx as unknown as typeof db, 'another candidate'))
  assert.equal(again, secret)
})

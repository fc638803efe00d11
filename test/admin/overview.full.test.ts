/** `admin account list|show`, `job list|show` and `usage`: what an operator sees. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { truthOf } from '../../emulator/truth.ts'
import { createAccountWithKey, suspendAccount } from '../../src/features/accounts/account.ts'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import type { KeyLimits } from '../../src/store/accounts.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { testConfig } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import { testService } from '../support/service.ts'
import { adminOn } from './admin-command.ts'
import { USAGE_FLUSH_MS } from '../../src/worker/periodic-tasks.ts'

const running = await testService({ after }, { leavesOpenJobs: true })
const { database, platform, address, service } = running
const { db } = database
const delivered = truthOf(platform.world, { limit: 200 }).videos.find(
  ({ status }) => status === 'success',
)!
const { admin, value, refusal } = adminOn(database.url)

async function customer(email: string, micros = 1_000_000n): Promise<Customer> {
  return new Customer({ address, ...(await createAccountWithKey(db, { email, micros })) })
}

/** Use of the service begins before the first test: it is written a while later, and other tests need not wait. */
const used = useByTwo()
used.catch(() => undefined) // a failure is reported where it is awaited

async function useByTwo() {
  const other = await testService({ after: (end) => after(end) })
  const [large, small] = [await other.customer(), await other.customer()]
  await large.orders({ urls: ['@captionlab'], maxVideos: 30 })
  const afterLarge = other.platform.log.counts().total
  await small.orders({ urls: [delivered.videoId], maxVideos: 1 })
  const whole = other.platform.log.counts().total
  return { other, large, small, afterLarge, whole }
}

test('accounts are listed with their money, found by a part of their address, and those that are suspended alone', async () => {
  const ada = await customer('ada@list.example')
  const { job } = await ada.orders({ urls: ['@captionlab'], maxVideos: 3 })
  const bob = await customer('Bob_100%@list.example')
  await suspendAccount(db, { accountId: bob.accountId, actor: 'tester', reason: 'a test' })

  const all = await value('account', 'list', '--search', 'LIST.example')
  assert.deepEqual([all['total'], all['nextOffset'], all['accounts'].length], [2, null, 2])
  const { createdAt, lastUsedAt, ...about } = all['accounts'][1]
  const charged = job['billing'].charged
  assert.deepEqual(about, {
    accountId: ada.accountId,
    email: 'ada@list.example',
    state: 'active',
    held: '0.000',
    jobs: 1,
    charged,
    available: (1 - Number(charged)).toFixed(3),
  })
  for (const instant of [createdAt, lastUsedAt])
    assert.equal(new Date(instant).toISOString(), instant)

  const found = await value('account', 'list', '--search', '_100%', '--suspended')
  assert.deepEqual(
    found['accounts'].map((one: { accountId: string }) => one.accountId),
    [bob.accountId],
  )
  assert.deepEqual(
    (await value('account', 'list', '--search', ada.accountId, '--suspended'))['accounts'],
    [],
  )
  const first = await value('account', 'list', '--search', 'list.example', '--limit', '1')
  const second = await value(
    'account',
    'list',
    '--search',
    'list.example',
    '--limit',
    '1',
    '--offset',
    String(first['nextOffset']),
  )
  assert.deepEqual(
    [first, second].map((page) => page['accounts'][0].email),
    ['Bob_100%@list.example', 'ada@list.example'],
  )
})

test('an account is shown by its address with keys, entries, suspension and what it used', async () => {
  const who = await customer('shown@list.example')
  await who.orders({ urls: [delivered.videoId], maxVideos: 1 })
  await suspendAccount(db, { accountId: who.accountId, actor: 'Ada', reason: 'unpaid' })
  const shown = await value('account', 'show', 'SHOWN@list.example')
  assert.deepEqual(
    [shown['accountId'], shown['state'], shown['keys'].length, shown['openJobs']],
    [who.accountId, 'suspended', 1, []],
  )
  assert.deepEqual([shown['suspension'].by, shown['suspension'].reason], ['Ada', 'unpaid'])
  assert.deepEqual(
    shown['entries'].map(({ kind }: { kind: string }) => kind),
    ['charge', 'reserve', 'top_up'],
  )
  assert.deepEqual(Object.keys(shown['usage'].last30Days), [
    'calls',
    'receivedBytes',
    'cpuSeconds',
    'storedBytes',
  ])
  const { code, out } = await admin('account', 'show', who.accountId)
  assert.equal(code, 0)
  assert.match(out, /suspended by Ada: unpaid/)
  const names = /^account +state +USD available +USD charged +jobs +last used +email\n/
  assert.match((await admin('account', 'list')).out, names)
  assert.match((await admin('health')).out, /\nvideos of the last 24 hours: [1-9]\d* delivered, /)
})

test('keys are listed with what they may do, and a month', async () => {
  const { accountId } = await customer('keys@list.example')
  const limits: KeyLimits = { scopes: ['transcripts:read'], monthlyCapMicros: 5_000_000n }
  await transact(db, (tx) => issueKey(tx, { accountId, name: 'reader', limits }))
  const keys = (await value('key', 'list', '--account', accountId)) as unknown as Json[]
  assert.deepEqual(
    keys.map(({ name, scopes, monthlyCap }) => [name, scopes, monthlyCap]),
    [
      ['reader', ['transcripts:read'], '5.000'],
      [keys[1]?.['name'], null, null],
    ],
  )
  const told = /live {2}reader {2}only transcripts:read, at most \$5\.00 a month\n/
  for (const command of [
    ['key', 'list', '--account'],
    ['account', 'show'],
  ])
    assert.match((await admin(...command, accountId)).out, told)
})

test('jobs of all accounts are listed newest first in pages, and a queued one says why it waits', async () => {
  const who = await customer('jobs@list.example')
  const done = await who.orders({ urls: ['@captionlab'], maxVideos: 1 })
  await service.close() // no worker runs jobs from here on
  const { startService } = await import('../../src/serve.ts')
  const api = await startService(
    testConfig({
      DATABASE_URL: database.url,
      PLATFORM_ORIGIN: platform.origin,
      ROLES: 'api',
    }),
  )
  const caller = new Customer({
    address: api.address ?? '',
    accountId: who.accountId,
    apiKey: who.apiKey,
  })
  const waiting = [
    await caller.startsJob({ urls: ['@dailynotes'], maxVideos: 1 }),
    await caller.startsJob({ urls: ['@silentfilms'], maxVideos: 1 }),
  ]
  await api.close()

  const first = await value('job', 'list', '--account', 'jobs@list.example', '--limit', '2')
  assert.deepEqual(
    first['jobs'].map(({ jobId }: { jobId: string }) => jobId),
    waiting.map(({ id }) => id).reverse(),
  )
  assert.equal(first['nextOffset'], 2)
  assert.match(
    first['jobs'][0].waiting.sentence,
    /no job is running: make sure that a process with the role worker is up/,
  )
  assert.deepEqual(
    [first['jobs'][0].waiting.ahead, first['jobs'][0].waiting.aheadOfAccount],
    [1, 1],
  )
  const rest = await value(
    'job',
    'list',
    '--account',
    who.accountId,
    '--limit',
    '2',
    '--offset',
    '2',
  )
  assert.deepEqual(
    [rest['jobs'].map(({ jobId }: { jobId: string }) => jobId), rest['nextOffset']],
    [[done.job['id']], null],
  )
  const queued = await value('job', 'list', '--state', 'queued')
  assert.equal(queued['jobs'].length, 2)
  assert.match(
    await refusal('job', 'list', '--state', 'stuck'),
    /--state must be one of queued, running/,
  )

  const shown = await value('job', 'show', waiting[0]!['id'])
  assert.deepEqual(
    [shown['state'], shown['email'], shown['reserved'], shown['charged']],
    ['queued', 'jobs@list.example', '0.008', null],
  )
  assert.deepEqual(shown['sources'], [{ line: '@dailynotes', state: 'waiting', listed: 0 }])
})

test('usage is counted for the account that caused it, as the platform counts it too', async () => {
  const { other, large, small, afterLarge, whole } = await used
  const one = adminOn(other.database.url)
  await until(
    'it is flushed',
    async () => (await one.value('usage'))['totals'].calls === whole,
    3 * USAGE_FLUSH_MS,
  )

  const usage = await one.value('usage', '--days', '2')
  const [most, least] = usage['top'].calls
  assert.deepEqual(
    [most.accountId, most.calls, least.accountId, least.calls],
    [large.accountId, afterLarge, small.accountId, whole - afterLarge],
  )
  assert.ok(most.receivedBytes > least.receivedBytes && most.storedBytes > 0 && most.cpuSeconds > 0)
  assert.deepEqual([least.jobs, least.delivered, least.charged], [1, 1, '0.008'])
  assert.deepEqual(Object.keys(usage['top']), ['calls', 'bytes', 'cpu', 'stored', 'money'])
  const { rows } = await other.database.pool.query<{ bytes: number }>(
    `
    select sum(octet_length(stored))::int as bytes from (
      select job_id, body as stored from transcript_body
      union all select job_id, word_times from transcript_body
    ) f join job j on j.id = f.job_id where j.account_id = $1`,
    [large.accountId],
  )
  assert.equal(most.storedBytes, rows[0]?.bytes)
  const { tables, accounts, databaseBytes } = usage['storage']
  assert.deepEqual(
    [accounts[0].accountId, accounts[0].textBytes],
    [large.accountId, most.storedBytes],
  )
  const texts = tables.find(({ name }: { name: string }) => name === 'transcript_body')
  assert.ok(texts.indexBytes > 0 && texts.toastBytes > 0 && texts.bytes < databaseBytes)
  assert.ok(texts.bytes >= texts.indexBytes + texts.toastBytes)

  const top = await one.value('usage', '--by', 'money', '--top', '1')
  assert.deepEqual(Object.keys(top['top']), ['money'])
  assert.deepEqual(
    top['top'].money.map(({ accountId }: { accountId: string }) => accountId),
    [large.accountId],
  )
  assert.match(
    await one.refusal('usage', '--by', 'luck'),
    /--by must be one of calls, bytes, cpu, stored, money/,
  )
  assert.match(
    await one.refusal('usage', '--days', '0'),
    /--days must be a whole number from 1 up to/,
  )

  const metrics = await (await fetch(`${other.address}/metrics`)).text()
  assert.match(metrics, /scriptorium_accounts_suspended 0/)
  assert.match(metrics, /scriptorium_top_account_share\{of="calls"\} 0\.\d+/)
})

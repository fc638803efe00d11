/**
 * The plans of daily work by customers and workers, over tables with many old rows: every statement that is really sent
 * is explained again, as it was sent and as its generic plan.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { addOldRows } from './old-rows.ts'
import { testService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Tables that grow with customers and their jobs. A full scan of one of them gets slower every day. */
const GROWING = [
  'account',
  'api_key',
  'rate_bucket',
  'balance',
  'ledger_entry',
  'job',
  'job_source',
  'video_row',
  'transcript',
  'transcript_body',
  'history',
]
const OLD = { jobs: 6_000, rowsPerJob: 5 }
/**
 * Indexes of unsettled jobs, which MAX_ACTIVE_JOBS bounds, of accounts that operators suspended by hand, and those that
 * a sweep reads, which may have its turn meanwhile.
 */
const BOUNDED = [
  'job_open_url_set',
  'job_waiting',
  'job_tried',
  'job_laid_aside',
  'account_suspended',
  'account_unremembered',
  'account_beneficiary',
]
/** First version with `explain (generic_plan)`. */
const GENERIC_SINCE = 160_000

type Sent = { text: string; values: unknown[] }
type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

const service = await testService({ after })
const customer = await service.customer()
await addOldRows(service.database.pool, {
  accountId: customer.accountId,
  ...OLD,
})

test('no hot statement reads through a growing table, whatever its parameters', async () => {
  const sent = await statementsOf(() => actAsCustomer(service, customer))
  assert.ok(
    sent.length > 40,
    `the day of a customer takes many statements, seen were ${sent.length}`,
  )
  for (const table of GROWING)
    assert.ok(
      sent.some(({ text }) => new RegExp(`\\b${table}\\b`).test(text)),
      `${table} was asked for`,
    )

  const scans = (await Promise.all(sent.map((one) => sequentialScans(service, one)))).flat()
  assert.deepEqual(scans, [])
})

test('a sequential scan of a growing table is found where there is one', async () => {
  const scans = await sequentialScans(service, {
    text: 'select id from job where language = $1',
    values: ['xx'],
  })
  assert.match(scans.join(), /^job: as sent: select id from job where language/)
  const ordered = await sequentialScans(service, {
    text: 'select id from job order by id',
    values: [],
  })
  assert.match(ordered.join(), /^(all of job_pkey|job): as sent/)
})

/**
 * Acts as a customer: jobs of each kind, their results and files while they run and after, lists, money, a repeat, a
 * cancellation.
 */
async function actAsCustomer(
  service: TestService,
  customer: Awaited<ReturnType<TestService['customer']>>,
): Promise<void> {
  const { channelId } = service.platform.world.channel('medium')
  const urls = [`https://www.youtube.com/channel/${channelId}`]
  const started = await customer.startsJob({ urls, maxVideos: 12 }, { 'Idempotency-Key': 'plans' })
  await customer.gets(`/jobs/${started.id}/results?limit=5`)
  await customer.asks('POST', '/jobs', {
    body: { urls, maxVideos: 12 },
    headers: { 'Idempotency-Key': 'plans' },
  })
  const job = await customer.waitsFor(started)
  const rows = await customer.readsRows(job)
  const { index } = rows.find(({ status }) => status === 'success') ?? {}
  for (const file of ['zip', 'all.txt', 'report.csv', `${index}.txt`, `${index}.json`]) {
    assert.equal((await customer.asks('GET', `/jobs/${job.id}/files/${file}`)).status, 200, file)
  }
  for (const path of [
    '/jobs',
    '/jobs?offset=40&limit=50',
    `/jobs/${job.id}`,
    '/balance',
    `/jobs/${job.id}/results?status=success`,
  ]) {
    await customer.gets(path)
  }
  await customer.orders({ urls, maxVideos: 3, publishedAfter: '2026-01-01' })
  const cancelled = await customer.startsJob({ urls: ['@endlessarchive'], maxVideos: 200 })
  await customer.asks('POST', `/jobs/${cancelled.id}/cancel`)
  await customer.waitsFor(cancelled)
  await ordersBatch(customer)
}

/** Orders a batch of one job, which its end has looked at again. */
async function ordersBatch(customer: Awaited<ReturnType<TestService['customer']>>): Promise<void> {
  const { body: made } = await customer.asks('POST', '/batches', { body: { urls: '@dailynotes' } })
  await until('the batch has ended', async () => {
    const batch = await customer.gets(`/batches/${made['id']}`)
    return batch['state'] === 'finished' && batch['jobs'].length > 0
  })
}

/** Returns each text once, with the parameters it was last sent with. */
async function statementsOf(work: () => Promise<void>): Promise<Sent[]> {
  const sent = new Map<string, Sent>()
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function recording(this: unknown, ...given) {
    const [first, second] = given as [
      string | { text?: string; values?: unknown[] } | undefined,
      unknown,
    ]
    const text = typeof first === 'string' ? first : first?.text
    const values =
      (typeof first === 'object' ? first.values : undefined) ??
      (Array.isArray(second) ? second : [])
    if (text !== undefined && isOurs(text)) sent.set(text, { text, values })
    return query.apply(this, given)
  }
  try {
    await work()
  } finally {
    prototype.query = query
  }
  return [...sent.values()]
}

function isOurs(text: string): boolean {
  return /^\s*(select|with|insert|update|delete)\b/i.test(text)
}

/** Returns `table: plan: statement` for each growing table that a plan reads from end to end. */
async function sequentialScans(
  { database: { pool } }: TestService,
  { text, values }: Sent,
): Promise<string[]> {
  const { rows } = await pool.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  )
  const isGeneric = values.length > 0 && (rows[0]?.version ?? 0) >= GENERIC_SINCE
  const plans: [string, Plan][] = [
    ['as sent', await explain(pool, `explain (format json) ${text}`, values)],
  ]
  if (isGeneric)
    plans.push(['generic', await explain(pool, `explain (format json, generic_plan) ${text}`, [])])
  return plans.flatMap(([kind, plan]) =>
    scansIn(plan).map((table) => `${table}: ${kind}: ${text.replace(/\s+/g, ' ').trim()}`),
  )
}

async function explain(pool: pg.Pool, text: string, values: unknown[]): Promise<Plan> {
  const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(text, values)
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  assert.ok(plan !== undefined)
  return plan
}

/** Returns the scans of a plan. An index without a condition is read from end to end too, as bad as no index. */
function scansIn(plan: Plan): string[] {
  const {
    'Node Type': type,
    'Relation Name': table = '',
    'Index Name': index,
    Plans: inner = [],
  } = plan
  const isWholeTable = type === 'Seq Scan' && GROWING.includes(table)
  const isWholeIndex = index !== undefined && plan['Index Cond'] === undefined && isGrowing(index)
  return [
    ...(isWholeTable ? [table] : []),
    ...(isWholeIndex ? [`all of ${index}`] : []),
    ...inner.flatMap(scansIn),
  ]
}

/** Returns whether an index grows; its name begins with its table's. */
function isGrowing(index: string): boolean {
  return !BOUNDED.includes(index) && GROWING.some((table) => index.startsWith(table))
}

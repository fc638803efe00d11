/**
 * Lists read what they show: whatever an account ordered, a page of a list takes from the database not many more bytes
 * than it answers with. Tried are all lists of the API and of agents, and those of the website's pages and the console.
 */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import pg from 'pg'
import type { Json } from '../../tools/conformance/http.ts'
import {
  readMovements,
  readSpendingPage,
  streamSpendingCsv,
} from '../../src/features/money/balance.ts'
import { findJobs, findSubscriptions } from '../../src/features/operator/read-jobs.ts'
import { findAccounts } from '../../src/features/operator/read-accounts.ts'
import { testService } from '../support/service.ts'

const { customer, database, address } = await testService({ after }, { env: { ROLES: 'api' } })
const { db } = database
const who = await customer('10')
const { accountId } = who
const [JOBS, BATCHES, LINES, LINE] = [50, 50, 50, 'x'.repeat(1_100)]
/** Bytes that a page reads for each byte of its answer, and for columns that it shows in fewer words. */
const READ_PER_ANSWERED = 2
const READ_MORE = 60_000

await fill()

test('each list of the API and of agents reads what it answers', async () => {
  const description = (await (await fetch(`${address}/api/v1/openapi.json`)).json()) as Json
  const lists = Object.entries<Json>(description['paths']).flatMap(([path, { get }]) => {
    const limit = get?.parameters?.find(({ name }: Json) => name === 'limit')
    return limit === undefined || path.includes('{')
      ? []
      : [`${path}?limit=${limit.schema.maximum}`]
  })
  assert.ok(lists.length > 5, lists.join())
  const wasted: string[] = []
  for (const list of lists) {
    const asked = list.startsWith('/search') ? `${list}&q=word` : list
    wasted.push(...(await wasteOf(asked, () => who.gets(asked))))
  }
  const { result } = await rpc('tools/list', {})
  const tools = result.tools.filter(({ name, inputSchema }: Json) => {
    return (
      name.startsWith('list_') &&
      inputSchema.properties.limit !== undefined &&
      !inputSchema.required?.length
    )
  })
  assert.ok(tools.length > 2, JSON.stringify(tools))
  for (const { name, inputSchema } of tools) {
    const limit = inputSchema.properties.limit.maximum
    wasted.push(...(await wasteOf(name, () => rpc('tools/call', { name, arguments: { limit } }))))
  }
  assert.deepEqual(wasted, [])
})

test('each list of the pages about money and of the console reads what it answers', async () => {
  const page = { offset: 0, limit: 200 }
  const filter = { accountId, month: null, spender: null }
  const everything = { accountId: null, state: null, ...page }
  const lists = {
    spending: () => readSpendingPage(db, filter, page),
    'spending.csv': () => text(Readable.from(streamSpendingCsv(db, filter))),
    movements: () => readMovements(db, { accountId, ...page }),
    'jobs of the console': () => findJobs(db, everything),
    'accounts of the console': () =>
      findAccounts(db, { search: null, onlySuspended: false, ...page }),
    'followed channels of the console': () => findSubscriptions(db, everything),
  }
  const wasted: string[] = []
  for (const [name, read] of Object.entries(lists)) wasted.push(...(await wasteOf(name, read)))
  assert.deepEqual(wasted, [])
})

/** Leaves out of an answer the lines beyond the first three, which no page of the website shows. */
function shown(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return key === 'urls' && Array.isArray(value) && !isRequest(this) ? value.slice(0, 3) : value
}

/** The API's jobs and batches have the whole request as `input`. */
const isRequest = (one: unknown): boolean =>
  typeof one === 'object' && one !== null && 'formats' in one && !('reservedMicros' in one)

/** Returns what is wrong with a list; empty where it reads what it answers. */
async function wasteOf(name: string, read: () => Promise<unknown>): Promise<string[]> {
  const { bytes, answer } = await bytesReceived(read)
  const answered = JSON.stringify(answer, shown).length
  if (bytes <= READ_PER_ANSWERED * answered + READ_MORE) return []
  return [`${name}: ${bytes} bytes were read for an answer of ${answered}`]
}

async function rpc(method: string, params: object): Promise<Json> {
  const reply = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${who.apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  assert.equal(reply.status, 200)
  return (await reply.json()) as Json
}

/** Returns how many bytes of rows the database sent meanwhile. */
async function bytesReceived(read: () => Promise<unknown>) {
  const queries = pg.Query.prototype as unknown as { handleDataRow(row: { length: number }): void }
  const { handleDataRow } = queries
  let bytes = 0
  queries.handleDataRow = function count(row) {
    bytes += row.length
    handleDataRow.call(this, row)
  }
  try {
    return { answer: await read(), bytes }
  } finally {
    queries.handleDataRow = handleDataRow
  }
}

/** Writes final jobs with as long lines as a request may have, what they cost, batches and projects. */
async function fill(): Promise<void> {
  const sql = await database.connect()
  await sql.query('set session_replication_role = replica')
  const lines = Array.from({ length: LINES }, (_, at) => `https://www.youtube.com/@c${at}?${LINE}`)
  await sql.query(
    `insert into job (id, account_id, state, created_at, finished_at, urls, url_set_hash, language, formats, max_videos,
      requested_max_videos, notices, reserved_micros, charged_micros, slots_used, discovered, processed, success)
    select 'job-' || n, $1, 'finished', now(), now(), $2, 'h' || n, 'en', '{text}', 9, 9, '{}', 72000, 8000, 1, 1, 1, 1
    from generate_series(1, $3::int) n`,
    [accountId, lines, JOBS],
  )
  await sql.query(
    `insert into ledger_entry (account_id, number, kind, posted_micros, held_micros, reference, job_id, created_at,
      previous_hash, hash)
    select $1, 100 + 2 * n + (kind = 'release')::int, kind, 0, case kind when 'reserve' then 72000 else -72000 end,
      kind || ':job-' || n, 'job-' || n, now(), repeat('0', 64), repeat('0', 64)
    from generate_series(1, $2::int) n, unnest(array['reserve', 'release']) kind`,
    [accountId, JOBS],
  )
  await sql.query(
    `insert into batch (id, account_id, urls, url_set_hash, language, formats, max_videos, skips_owned, notices, state,
      due_at, finished_at)
    select 'batch_' || n, $1, $2, 'h' || n, 'en', '{text}', 9, true, '{}', 'finished', null, now()
    from generate_series(1, $3::int) n`,
    [accountId, lines, BATCHES],
  )
  await sql.query(
    `insert into project (id, account_id, name, note)
    select 'prj_' || md5(n::text), $1, 'A project', repeat('x', 2000) from generate_series(1, 200) n`,
    [accountId],
  )
  await sql.query('update account set jobs = $2 where id = $1', [accountId, JOBS])
}

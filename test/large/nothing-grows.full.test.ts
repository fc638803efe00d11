/**
 * Nothing grows with what an account owns unless its answer does: every route, every tool and every page is asked in
 * the name of two customers of whom one owns eight times as much, and what the database read is compared.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { collectRoutes } from '../attack/declared-fields.ts'
import { testService } from '../support/service.ts'
import type { CustomerSize } from './large-customer.ts'
import {
  type ReadAnswer,
  isDownload,
  isRead,
  type LargeWorld,
  type NamedRequest,
  OF_LARGE,
  openLargeWorld,
} from './large-world.ts'
import { openWorkMeter, rowsOf, type DatabaseWork, type WorkMeter } from './work-meter.ts'

/** More of each than a page shows. */
const SMALL: CustomerSize = {
  texts: 500,
  unchanged: 400,
  channels: 120,
  followed: 120,
  projectVideos: 250,
  batches: 51,
  batchLines: 125,
  words: 6_000,
  jobs: 120,
  accounts: 250,
}
const TIMES = 8
const LARGE: CustomerSize = {
  ...(Object.fromEntries(
    Object.entries(SMALL).map(([name, count]) => [name, count * TIMES]),
  ) as CustomerSize),
  // More batches than these are not kept.
  batches: 99,
}
/** What may be read more without a reason: parts of pages, and what goes on beside. */
const [ROWS_MORE, BYTES_MORE, TIMES_MORE] = [300, 60_000, 2]
/** What a job that an earlier request began sends to the service meanwhile. */
const BYTES_OF_WORK = 100_000
const DEEP = 60
const ASKED_MAX = 3

type Seen = DatabaseWork & ReadAnswer

/** A reason for which something grows all the same, and the requests that have it. */
type Reason = readonly [why: string, of: RegExp]

/**
 * Where the database counts or filters rows of one list by an index, and sends none of them: what the service holds
 * does not grow. At 100,000 texts and 200,000 jobs each takes a fraction of a second (decision 0010).
 */
const COUNTS: readonly Reason[] = [
  [
    'the service as a whole, for its operator',
    /^\w+ \/(?:metrics|account\/operator\/(?:health|costs|accounts|jobs|deliveries))/,
  ],
  [
    'the rows of one job, by its status or a part of a title',
    /^(?:\w+ \/api\/v1\/jobs\/:id\/results|tool list_results).*(?:status|q)\b/,
  ],
  [
    'a job that delivered nothing has its rows looked through for texts',
    /job-unchanged.*(?:all\.txt|export\.|\.zip|files\/zip)/,
  ],
  ['how many collections match', /^(?:\w+ \/api\/v1\/library:|tool list_library)/],
  ['how many videos of a collection match', /^\w+ \/api\/v1\/library\/:id(?:\/videos)?:/],
  ['how many lists an account follows', /^(?:\w+ \/api\/v1\/subscriptions:|tool list_followed)/],
  ['what the jobs of a month cost: one an hour at most', /^\w+ \/api\/v1\/subscriptions\/:id:/],
  ['sums of money and how many moved it', /^\w+ \/account\/(?:movements|spending|usage)/],
  [
    'how many of a list the account owns, at most 10,000',
    /^(?:POST \/api\/v1\/(?:jobs|batches)|tool (?:start|preview)_job)/,
  ],
  ['which of the newest 1,000 orders match', /^\w+ \/account\/orders: .*\b(?:state|q)=/],
  ['videos that are added, at most 10,000', /^POST \/api\/v1\/projects\/:id\/videos/],
  ['what goes with what is deleted', /^DELETE /],
  [
    'whether a job that is over has rows left to read',
    /^(?:POST \/api\/v1\/jobs\/:id\/cancel|tool cancel_job)/,
  ],
]

/** Compressed, an answer grows by about half of what is read for it, so that a run may need the reason or not. */
const PACKED: Reason = ['everything that an account has, packed', /^GET \/account\/export\.zip/]
/** Where the service reads what grows, too: as much as the file or the question is long. */
const READS: readonly Reason[] = [
  [
    'the length and the tag of a file of a whole collection, or of a selection',
    /^HEAD .*\/library\/(?::id|selection)\/files\//,
  ],
  [
    'the texts of a project, at most 10,000, in which is searched',
    /(?:search|mentions).*channel.*prj_/,
  ],
  ['the texts of an order, those that other orders brought among them', /^HEAD .*texts=all/],
  PACKED,
  ['the whole ledger is checked for the operator', /^POST \/account\/operator\/checks\/ledger/],
]

/** Where more than what is owned grows: the orders that brought each text grow with the texts. */
const MULTIPLIES: readonly Reason[] = [
  ['what goes with what is deleted, from every order that brought it', /^DELETE .*\/texts/],
]

type Customer = { world: LargeWorld; meter: WorkMeter }

async function openCustomer(size: CustomerSize): Promise<Customer> {
  const routes = collectRoutes()
  const env = OF_LARGE
  const { address, database } = await testService({ after }, { env, leavesOpenJobs: true })
  const origin = `http://localhost:${new URL(address).port}`
  const world = await openLargeWorld(
    { address, origin, database },
    { routes: routes.values(), size, deep: DEEP },
  )
  assert.ok(world.requests.length > routes.size, `${world.requests.length} requests`)
  return { world, meter: await openWorkMeter({ after }, database.url) }
}

async function ask({ world, meter }: Customer, one: NamedRequest): Promise<Seen> {
  const { work, value } = await meter.measure(() => world.send(one))
  return { ...work, ...value }
}

type Fault = { kind: 'rows' | 'bytes' | 'wrong'; told: string }

/** Returns what is wrong with the growth of a request; null where it is right. */
function faultOf(name: string, few: Seen, many: Seen): Fault | null {
  if (few.status !== many.status) {
    // What an order says depends on whether the equal one before it has ended.
    const isOrder = /^(?:POST \/api\/v1\/(?:jobs|batches):|tool )/.test(name) && many.status < 500
    return isOrder ? null : { kind: 'wrong', told: `${name}: ${few.status} and ${many.status}` }
  }
  const answer = Math.max(1, many.answered / Math.max(1, few.answered))
  const isMore = (times: number, rows: number, bytes: number): 'rows' | 'bytes' | null => {
    if (many.bytes > times * answer * few.bytes + bytes) return 'bytes'
    return rowsOf(many) > times * answer * rowsOf(few) + rows ? 'rows' : null
  }
  const bytesMore = /^(?:GET|HEAD)/.test(name) ? BYTES_MORE : BYTES_MORE + BYTES_OF_WORK
  const kind = isMore(TIMES_MORE, ROWS_MORE, bytesMore)
  if (kind === null) return null
  const [before, after] = [few, many].map((one) => `${rowsOf(one)} rows, ${one.bytes} bytes`)
  const told = `${name}: ${before}; ${after}; ${tablesThatGrew(few, many)}`
  // Eight times is in proportion to what is owned; more than twice that nothing may take.
  return { kind: isMore(TIMES_MORE * TIMES, ROWS_MORE, bytesMore) === null ? kind : 'wrong', told }
}

/** Returns the reason for which a fault is none. */
function reasonOf({ kind, told }: Fault): Reason | undefined {
  const reasons = { rows: [...COUNTS, ...READS], bytes: READS, wrong: MULTIPLIES }
  return reasons[kind].find(([, of]) => of.test(told))
}

function tablesThatGrew(few: DatabaseWork, many: DatabaseWork): string {
  return [...many.rows]
    .map(([table, rows]) => ({ table, rows, before: few.rows.get(table) ?? 0 }))
    .filter(({ rows, before }) => rows - before > ROWS_MORE / 5)
    .sort((a, b) => b.rows - b.before - (a.rows - a.before))
    .map(({ table, rows, before }) => `${table} ${before} to ${rows}`)
    .slice(0, 5)
    .join(', ')
}

/** Asks both customers; a read that seems to grow once more, since the service does other work, too. */
async function lookAt(
  [small, large]: readonly [Customer, Customer],
  [ofSmall, ofLarge]: readonly [NamedRequest, NamedRequest],
): Promise<Fault | null> {
  let fault: Fault | null = null
  for (let asked = 0; asked < (isRead(ofSmall) ? ASKED_MAX : 1); asked += 1) {
    fault = faultOf(ofSmall.name, await ask(small, ofSmall), await ask(large, ofLarge))
    if (fault === null || reasonOf(fault) !== undefined) return fault
  }
  return fault
}

test('what is read for an answer does not grow with what the account owns', async () => {
  const customers = [await openCustomer(SMALL), await openCustomer(LARGE)] as const
  const ofLarge = new Map(customers[1].world.requests.map((one) => [one.name, one]))
  const faults: Fault[] = []
  for (const one of customers[0].world.requests) {
    // HEAD asks for each choice of a file; one GET of each file is enough.
    if (isDownload(one.request) && !one.request.isPlain) continue
    const other = ofLarge.get(one.name)
    assert.ok(other !== undefined, `${one.name} is not asked of the large customer`)
    const fault = await lookAt(customers, [one, other])
    if (fault !== null) faults.push(fault)
  }
  const told = faults.filter((fault) => reasonOf(fault) === undefined).map((fault) => fault.told)
  assert.deepEqual(told, [])
  const needed = new Set(faults.map(reasonOf))
  const others = [...COUNTS, ...READS, ...MULTIPLIES].filter(
    (reason) => !needed.has(reason) && reason !== PACKED,
  )
  assert.deepEqual(others, [], 'a reason that nothing needs is taken away')
})

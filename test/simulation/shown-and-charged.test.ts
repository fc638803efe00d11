/**
 * What people are shown before an order, held against what is then charged; and what is told of a charge afterwards,
 * held against the ledger. Accounts are drawn: what they own, by which orders, and what overlaps.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Json } from '../../tools/conformance/http.ts'
import {
  readMovements,
  readSpendingPage,
  streamSpendingCsv,
  streamStatementCsv,
} from '../../src/features/money/balance.ts'
import { cost, formatUsd, PRICE_MICROS } from '../../src/model/money/money.ts'
import { modernAgent } from '../mcp/agents.ts'
import { triedOf, views } from '../previews/previewing.ts'
import { isSeedFixed, SEED } from '../support/seed.ts'
import { sharedService } from '../support/shared-service.ts'
import {
  account,
  bodyOf,
  buys,
  type Buyer,
  type DrawnOrder,
  linesOf,
  micros,
  type Shown,
  TOLD_TOO_LITTLE,
} from './shown-orders.ts'

const ACCOUNTS = 10
const AT_ONCE = 6
const CREDIT = '50'
const ALL = { offset: 0, limit: 100 }

const { platform, customer, database } = await sharedService({ after })
const all = linesOf(platform.world)
/** How often each figure was held against a charge. */
const held = {
  exact: 0,
  again: 0,
  header: 0,
  headerExact: 0,
  notice: 0,
  about: 0,
  unchanged: 0,
  left: 0,
}

const price = (transcripts: number): number => Number(cost(transcripts))
const chargeOf = ({ billing }: Json): number => micros(billing.charged)
const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)
const withStatus = (rows: Json[], status: string): string[] =>
  rows.filter((row) => row['status'] === status).map(({ videoId }) => videoId)

/** The sets of lines by which the account has each video. */
type Library = Map<string, Set<string>>
const setOf = (order: DrawnOrder): string => bodyOf(order, all)['urls'].toSorted().join()

test('no price that is shown is less than the charge, and what is shown as exact is what comes', async () => {
  const drawn = fc.sample(account, { numRuns: ACCOUNTS, seed: SEED })
  const accounts = [...TOLD_TOO_LITTLE, ...drawn]
  const failures: unknown[] = []
  for (let at = 0; at < accounts.length; at += AT_ONCE) {
    const ends = await Promise.allSettled(accounts.slice(at, at + AT_ONCE).map(lives))
    failures.push(...ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])))
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} accounts`)
  if (isSeedFixed) for (const [what, times] of Object.entries(held)) assert.ok(times > 0, what)
})

/** Makes the orders of one account, one after another. */
async function lives(orders: DrawnOrder[]): Promise<void> {
  const buyer = await customer(CREDIT)
  const agent = await modernAgent(buyer)
  const library: Library = new Map()
  const charged: number[] = []
  try {
    const early = []
    for (const one of orders)
      early.push(await views(buyer, bodyOf(one, all), `?owned=${one.owned}`))
    for (const [at, one] of orders.entries()) {
      const shown = await buys({ customer: buyer, agent, all }, one, early[at]!)
      checkBefore(one, shown, library)
      charged.push(...(await checkAfter({ customer: buyer, agent, all }, shown)))
      note(one, shown, library)
      if (one === orders.at(-1)) charged.push(...(await checkRepeat(buyer, one, shown)))
    }
    await checkSums({ customer: buyer, agent, all }, charged)
  } catch (error) {
    throw new Error(
      `with ${JSON.stringify(orders.map((one) => ({ ...one, ...bodyOf(one, all) })))}`,
      {
        cause: error,
      },
    )
  } finally {
    await agent.close()
  }
}

function note(order: DrawnOrder, { rows }: Shown, library: Library): void {
  for (const videoId of withStatus(rows.flat(), 'success'))
    library.set(videoId, (library.get(videoId) ?? new Set()).add(setOf(order)))
}

/** Holds what was shown before the order against its rows and its charge. */
function checkBefore(order: DrawnOrder, shown: Shown, library: Library): void {
  const { preview, jobs, rows, reserved, batch } = shown
  const charge = sum(jobs.map(chargeOf))
  const most = micros(preview['costAtMost'])
  assert.ok(charge <= most, `${charge} charged, at most ${most} shown`)
  if (reserved > 0) assert.ok(most <= reserved && reserved === price(order.maxVideos))
  const isOfSet = (videoId: string): boolean => library.get(videoId)?.has(setOf(order)) === true
  const isElsewhere = (videoId: string): boolean => library.has(videoId) && !isOfSet(videoId)
  const bought = withStatus(rows.flat(), 'success')
  const again = bought.filter(isElsewhere)
  assert.deepEqual(bought.filter(isOfSet), [], 'a repeat charges nothing twice')
  if (order.owned === 'skip')
    assert.deepEqual(again, [], 'nothing owned is bought where it is left out')
  assert.ok(price(again.length) <= micros(preview['costAgain']))
  const isExact = preview['sources'].every(
    ({ isComplete, error }: Json) => isComplete && error === null,
  )
  if (isExact && !order.isDated && batch === null) {
    held.exact += 1
    assert.equal(triedOf(rows.flat()), preview['wouldTake'])
    assert.equal(price(again.length), micros(preview['costAgain']))
    if (again.length > 0) held.again += 1
    const unchanged = withStatus(rows.flat(), 'unchanged')
    assert.equal(unchanged.length, preview['unchanged'], 'yours already')
    if (unchanged.length > 0) held.unchanged += 1
  }
  checkTold(order, shown, { again, isElsewhere })
}

const AGAIN =
  / delivered (about |more than )?([\d,]+) videos? behind .* charges them again, (up to|about|more than) (\$[\d.,]+)\./

/** Holds the header and the notices of an order against its rows. */
function checkTold(
  order: DrawnOrder,
  { owned, notices, jobs, rows, batch }: Shown,
  { again, isElsewhere }: { again: string[]; isElsewhere: (videoId: string) => boolean },
): void {
  const left = withStatus(rows.flat(), 'unchanged').filter(isElsewhere)
  const found = order.owned === 'skip' ? left.length : again.length
  const isLimited =
    order.isDated || jobs.some((job) => triedOf(rows.flat()) >= job['input'].maxVideos)
  if (owned !== null) {
    held.header += 1
    assert.ok(found <= Number(owned), `${found} of ${owned} that are owned`)
    if (!isLimited) {
      held.headerExact += 1
      assert.equal(found, Number(owned))
    }
  }
  const [, about, count = '0', upTo, most = '0'] =
    notices.map((notice) => AGAIN.exec(notice)).find((one) => one !== null) ?? []
  if (about !== undefined) held.about += 1
  if (upTo === 'up to') {
    held.notice += 1
    assert.ok(price(again.length) <= micros(most), `${again.length} again, ${most} shown`)
    if (about === undefined && batch === null)
      assert.ok(again.length <= Number(count.replace(',', '')))
  }
}

const LEFT = / to come: [\d,]+ videos? left, for at most (\$[\d.,]+)\./

/** Holds what an order said that its rest costs against the charge of the same order once more. */
async function checkRepeat(
  buyer: Buyer['customer'],
  order: DrawnOrder,
  shown: Shown,
): Promise<number[]> {
  const [, most] =
    shown.notices.map((notice) => LEFT.exec(notice)).find((one) => one !== null) ?? []
  if (most === undefined) return []
  held.left += 1
  const body = { ...bodyOf(order, all), maxVideos: 60 }
  const reply = await buyer.asks('POST', `/jobs?owned=${order.owned}`, { body })
  const charge = chargeOf(await buyer.waitsFor(reply.body))
  assert.ok(charge <= micros(most), `${charge} for the rest, at most ${most} shown`)
  return [charge]
}

/** Holds all that is told of the order's charge against the ledger. Returns the charges of its jobs. */
async function checkAfter({ customer: buyer, agent }: Buyer, shown: Shown): Promise<number[]> {
  const charges = []
  for (const [at, job] of shown.jobs.entries()) {
    const charge = chargeOf(job)
    const delivered = withStatus(shown.rows[at]!, 'success').length
    const { chargedTranscripts } = job['billing']
    assert.deepEqual([charge, chargedTranscripts], [price(delivered), delivered])
    assert.deepEqual(
      [job['progress'].delivered, job['progress'].counts.success],
      [delivered, delivered],
    )
    const [receipt, report, told, { rows: entries }] = await Promise.all([
      buyer.gets(`/jobs/${job['id']}/receipt`),
      buyer.downloads(`/jobs/${job['id']}/files/report.csv`),
      agent.asks('get_job', { jobId: job['id'] }),
      database.pool.query<{ charged: number }>(
        `select coalesce(-sum(posted_micros), 0)::int as charged from ledger_entry where job_id = $1 and kind = 'charge'`,
        [job['id']],
      ),
    ])
    const ofRows = [...report.toString().matchAll(/,(0\.\d{3})\r?$/gm)].map(([, usd = '']) =>
      micros(usd),
    )
    const all = [
      micros(receipt['charged']),
      sum(ofRows),
      micros(told['chargedUsd']),
      entries[0]?.charged,
    ]
    assert.deepEqual(all, [charge, charge, charge, charge], 'receipt, report, tool and ledger')
    charges.push(charge)
  }
  const { batch, tool } = shown
  if (tool !== null && tool['isFinal']) assert.equal(micros(tool['chargedUsd']), charges[0])
  if (batch !== null) {
    assert.equal(micros(batch['billing'].charged), sum(charges))
    assert.equal(price(batch['progress'].delivered), sum(charges))
    assert.ok(sum(charges) <= micros(batch['billing'].atMost))
  }
  return charges
}

/** Holds what the account is told of all its charges against their sum. */
async function checkSums({ customer: buyer }: Buyer, charges: number[]): Promise<void> {
  const { accountId } = buyer
  const { db } = database
  const filter = { accountId, month: null, spender: null }
  const text = async (pieces: AsyncIterable<string>): Promise<string> => {
    let all = ''
    for await (const piece of pieces) all += piece
    return all
  }
  const [balance, spending, { movements }, ofSpending, ofStatement] = await Promise.all([
    buyer.balance(),
    readSpendingPage(db, filter, ALL),
    readMovements(db, { accountId, ...ALL }),
    text(streamSpendingCsv(db, filter)),
    text(streamStatementCsv(db, accountId)),
  ])
  const total = sum(charges)
  const entries = movements.flatMap((movement) => movement.entries)
  const posted = entries
    .filter(({ kind }) => kind === 'charge')
    .map((entry) => -Number(entry.postedMicros))
  const each = new RegExp(`,${formatUsd(PRICE_MICROS)},([\\d.]+),`, 'g')
  const booked = [...ofSpending.matchAll(each)].map(([, usd = '']) => micros(usd))
  const lines = ofStatement.split('\r\n').map((line) => line.split(','))
  const postedAt = lines[0]!.indexOf('postedMicros')
  const stated = lines
    .filter(([, , kind]) => kind === 'charge')
    .map((cells) => -Number(cells[postedAt]))
  assert.deepEqual(
    {
      balance: micros(CREDIT) - micros(balance),
      spending: Number(spending.chargedMicros),
      transcripts: price(spending.transcripts),
      months: sum(spending.months.map((month) => Number(month.chargedMicros))),
      movements: sum(posted),
      booked: sum(booked),
      stated: sum(stated),
    },
    {
      balance: total,
      spending: total,
      transcripts: total,
      months: total,
      movements: total,
      booked: total,
      stated: total,
    },
  )
}

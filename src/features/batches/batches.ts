/** Batches: orders larger than a job may be, made, read, stopped and continued by their owners. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { inTurns } from '../../kit/concurrency.ts'
import { LIMITS } from '../../config/config.ts'
import { type PageInfo, pageInfo, type PageRequest } from '../../kit/page.ts'
import { transact } from '../../kit/postgres/database.ts'
import { Problem } from '../../kit/problem.ts'
import { afterJob, partCount } from '../../model/jobs/batch.ts'
import { type LineOutcome, outcomesOfLines, titlesOfParts } from '../../model/jobs/batch-lines.ts'
import { boundsOf } from '../../model/jobs/date-bounds.ts'
import { jobNameFrom } from '../../model/jobs/job-name.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { hashBody } from '../../model/jobs/idempotency.ts'
import {
  isOfVideo,
  keptLines,
  keptSource,
  noticesOfLimit,
  type Order,
  linesOfPart,
} from '../../model/jobs/order.ts'
import { type OrderChoices, type OrderInput, readingOrder } from '../../model/jobs/read-order.ts'
import { lockAccount } from '../../store/accounts.ts'
import {
  type BatchJobLine,
  type BatchKey,
  type BatchRecord,
  type BatchSpender,
  continueBatch,
  countBatches,
  deleteOldBatches,
  findBatch,
  findBatchJob,
  findListedBatches,
  findRunningBatch,
  insertBatch,
  listBatches,
  listBatchJobs,
  type ListedBatch,
  setBatchName,
  stopBatch,
} from '../../store/batches.ts'
import type { Db, Tx } from '../../store/database.ts'
import { findJobsById, type JobRecord } from '../../store/jobs.ts'
import { countOrders, listOrders, type OrderFilter, searchOrders } from '../../store/order-list.ts'
import { readBalanceAfter } from '../../store/ledger.ts'
import { signal } from '../../store/signals.ts'
import { cancelJobIn } from '../jobs/cancel-job.ts'
import { titlesOfJobs } from '../jobs/job-names.ts'
import { visitsOf } from './batch-lines.ts'
import { admittedByBalance } from '../jobs/start-job.ts'
import { lookAtOrder, noticesOfOpenJob, noticesOfOwned, videosOf } from '../jobs/owned-videos.ts'

export type BatchInput = OrderInput & { name?: string | null }

/** A batch as its owner sees it: what it is called, and its jobs in the order in which they were started. */
export type BatchView<Batch extends ListedBatch = ListedBatch> = {
  batch: Batch
  title: string
  jobs: BatchJobLine[]
}

type BatchOrdered = BatchSpender & {
  accountId: string
  input: BatchInput
  choices: OrderChoices
  /** Time that counting what is owned may take, in milliseconds. */
  ownedCountMs: number
}

/**
 * Makes a batch, or returns the running one of the same lines. Nothing is reserved yet: each job reserves what it may
 * cost. Throws a Problem that names the field, or that says why no batch can be started.
 */
export async function createBatch(
  db: Db,
  { accountId, input, choices, ownedCountMs, ...spender }: BatchOrdered,
): Promise<{ batch: BatchRecord; isNew: boolean }> {
  const bodyHash = hashBody(input)
  const repeated = await findRunningBatch(db, { accountId, bodyHash })
  if (repeated !== null) return { batch: repeated, isNew: false }
  const read = await inTurns(readingOrder(input, { ...choices, kind: 'batch' }))
  const order = { ...read, maxVideos: mostVideos(read, input.maxVideos) }
  return transact(db, async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw new Problem('unauthorized')
    const running = await findRunningBatch(tx, { accountId, urlSetHash: order.urlSetHash })
    // Another text of the same lines: what was left out of it is told, not what was left out of the first.
    if (running !== null) return { batch: { ...running, notices: read.notices }, isNew: false }
    await requirePlaceForBatch(tx, accountId)
    await makeRoomForBatch(tx, accountId)
    const balance = await readBalanceAfter(tx, accountId)
    if (balance === null) throw new Problem('unauthorized')
    admittedByBalance(balance, order)
    const known = await tellKnown(tx, { accountId, order, ownedCountMs })
    const ofLimit = noticesOfLimit(order.lines, order.maxVideos, 'batch')
    const notices = [...read.notices, ...known, ...ofLimit]
    const id = `batch_${randomUUID().replaceAll('-', '')}`
    const name = jobNameFrom(input.name ?? null)
    const batch = await insertBatch(tx, {
      ...spender,
      id,
      accountId,
      name,
      bodyHash,
      order: { ...order, notices },
    })
    signal(tx, 'scriptorium_batch', '')
    return { batch, isNew: true }
  })
}

/**
 * Returns what of an order the account has already, and whether that is left out or charged again. A part goes on where
 * a job with its lines ended: what that delivered is not bought again.
 */
async function tellKnown(
  tx: Tx,
  { accountId, order, ownedCountMs }: { accountId: string; order: Order; ownedCountMs: number },
): Promise<string[]> {
  const parts = Array.from({ length: partCount(order.lines.length) }, (_, part) =>
    linesOfPart(order, part),
  )
  const { language, wishedTrack, skipsOwned } = order
  const sets = skipsOwned ? [order] : parts
  const ask = { accountId, sets, language, wishedTrack, preview: null, ownedCountMs }
  const known = await lookAtOrder(tx, ask)
  const ofOpenJob = noticesOfOpenJob(known, order)
  if (!skipsOwned) return [...noticesOfOwned(known.owned, order, 'batch'), ...ofOpenJob]
  if (known.owned.videos === 0) return ofOpenJob
  const leftOut = `You own ${videosOf(known.owned)} behind these lines already; they are left out, free.`
  return [leftOut, ...ofOpenJob]
}

/** Returns the most videos that the lines can bring: where all of them name a video, no more than there are lines. */
function mostVideos({ lines }: Order, asked: number | undefined): number {
  const most = asked ?? Math.max(LIMITS.videosMax, lines.length)
  return lines.every(isOfVideo) ? Math.min(most, lines.length) : most
}

/** Throws where as many batches of the account run as may. */
async function requirePlaceForBatch(tx: Tx, accountId: string): Promise<void> {
  const { running } = await countBatches(tx, accountId)
  if (running < LIMITS.batchesRunningMax) return
  throw new Problem('invalid_request', {
    message: `An account can have at most ${LIMITS.batchesRunningMax} running batches; stop one, or wait until one ends.`,
  })
}

/**
 * Makes room for one more batch: the oldest that rest go. Throws `rate_limited` where as many as are kept are at work,
 * or were stopped so lately that a worker looks at them once more.
 */
async function makeRoomForBatch(tx: Tx, accountId: string): Promise<void> {
  const keptMax = LIMITS.batchesKeptMax - 1
  if ((await deleteOldBatches(tx, { accountId, keptMax })) <= keptMax) return
  throw new Problem('rate_limited', {
    message: `Your account has ${LIMITS.batchesKeptMax} batches, its most, and none is at rest; a stopped one is within a minute or two.`,
    headers: { 'Retry-After': String(LIMITS.batchRestSeconds) },
  })
}

export type BatchChange = { name?: string | null; state?: 'running' | 'stopped' }

/**
 * Names a batch, stops it with the job that runs, or continues it where it was stopped. Returns the batch as this
 * leaves it, whatever its job's worker does next; null where the account has none of this id.
 */
export async function changeBatch(
  db: Db,
  { accountId, batchId, connectionId, keyId }: BatchKey & BatchSpender,
  { name, state }: BatchChange,
): Promise<WholeBatch | null> {
  const owned = { accountId, batchId }
  const found = await transact(db, async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw new Problem('unauthorized')
    const batch = await findBatch(tx, owned, 'locked')
    if (batch === null) return null
    if (name !== undefined) await setBatchName(tx, batchId, jobNameFrom(name))
    const isRunning = batch.state === 'running'
    if (state === 'stopped' && isRunning) await stopBatch(tx, batchId, 'You stopped it.')
    if (state === 'running' && !isRunning) await goOn(tx, batch, { connectionId, keyId })
    signal(tx, 'scriptorium_batch', '')
    return batch
  })
  if (found === null) return null
  return transact(db, async (tx) => {
    const job = state === 'stopped' ? await findBatchJob(tx, found) : null
    if (job !== null && !isFinal(job.state)) await cancelJobIn(tx, { accountId, jobId: job.id })
    return readBatch(tx, owned)
  })
}

async function goOn(tx: Tx, batch: BatchRecord, spender: BatchSpender): Promise<void> {
  const job = await findBatchJob(tx, batch)
  if (job !== null && !isFinal(job.state)) {
    const message = 'The last job of this batch is still ending; try again in a moment.'
    throw new Problem('job_in_progress', { jobId: job.id, message })
  }
  const order = { ...batch, lines: keptLines(batch) }
  const { place } = job === null ? { place: batch } : afterJob(order, batch, job)
  if (place.part >= partCount(order.lines.length) || place.taken >= batch.maxVideos) {
    throw new Problem('invalid_request', {
      field: 'state',
      message: 'Nothing is left of this batch; order its lines again to get what is new.',
    })
  }
  await requirePlaceForBatch(tx, batch.accountId)
  await continueBatch(tx, batch.id, { ...place, ...spender })
}

/** Returns the account's batches, newest first. */
export async function readBatches(
  db: Db,
  ask: PageRequest & { accountId: string },
): Promise<{ page: PageInfo; batches: BatchView[] }> {
  const { total } = await countBatches(db, ask.accountId)
  const batches = await viewsOf(db, ask.accountId, await listBatches(db, ask))
  return { page: pageInfo(ask, total), batches }
}

/** An order of the list of all: a job, or a batch that stands for its jobs. */
type ListedOrder = { job: JobRecord; batch: null } | { job: null; batch: BatchView }

/** Returns what the account ordered, newest first: jobs, and batches in the place of theirs. */
export async function readOrders(
  db: Db,
  ask: PageRequest & { accountId: string },
  filter: OrderFilter | null = null,
): Promise<{ page: PageInfo; searched: number | null; orders: ListedOrder[] }> {
  const { accountId } = ask
  const most = LIMITS.ordersSearchedMax
  const [all, { total, places }] = await Promise.all([
    countOrders(db, accountId),
    filter === null
      ? listOrders(db, ask).then((listed) => ({ total: null, places: listed }))
      : searchOrders(db, { ...ask, most }, filter),
  ])
  const idsOf = (wanted: boolean): string[] =>
    places.flatMap(({ id, isBatch }) => (isBatch === wanted ? [id] : []))
  const [jobs, batches] = await Promise.all([
    findJobsById(db, accountId, idsOf(false)),
    findListedBatches(db, accountId, idsOf(true)),
  ])
  const views = await viewsOf(db, accountId, batches)
  const known = new Map<string, ListedOrder>([
    ...jobs.map((job) => [job.id, { job, batch: null }] as const),
    ...views.map((view) => [view.batch.id, { job: null, batch: view }] as const),
  ])
  // A batch that was replaced meanwhile has no row any more; its jobs come with the next look.
  const orders = places.flatMap(({ id }) => known.get(id) ?? [])
  const searched = filter !== null && all > most ? most : null
  return { page: pageInfo(ask, total ?? all), searched, orders }
}

/** Returns the batch with its lines; null where the account has none of this id. */
export async function readBatch(db: Db, owned: BatchKey): Promise<WholeBatch | null> {
  const batch = await findBatch(db, owned)
  return batch === null ? null : viewBatch(db, batch)
}

/** A batch with what became of its lines, and what its jobs are called, by job. */
export type WholeBatch = BatchView<BatchRecord & ListedBatch> & {
  outcomes: LineOutcome[]
  partTitles: Map<string, string>
}

export async function viewBatch(db: Db, batch: BatchRecord): Promise<WholeBatch> {
  const { accountId, urls, sources } = batch
  const first = { firstLine: urls[0] ?? '', firstSource: sources?.[0] ?? null }
  const [view] = await viewsOf(db, accountId, [{ ...batch, lines: urls.length, ...first }])
  assert(view !== undefined, 'one batch has one view')
  const lines = keptLines(batch)
  const visits = await visitsOf(db, { ...batch, ...boundsOf(batch), lines }, view.jobs)
  const outcomes = outcomesOfLines(lines, visits, batch.state === 'running')
  return { ...view, outcomes, partTitles: titlesOfParts(lines, visits) }
}

async function viewsOf<Batch extends ListedBatch>(
  db: Db,
  accountId: string,
  batches: Batch[],
): Promise<BatchView<Batch>[]> {
  const jobs = await listBatchJobs(db, accountId, batches)
  const byBatch = Object.groupBy(jobs, ({ batchId }) => batchId)
  const named = batches.map(({ id, name: givenName, firstLine, firstSource, lines }) => {
    const source = keptSource(firstLine, firstSource)
    return { id: byBatch[id]?.[0]?.id ?? '', accountId, givenName, lines, source }
  })
  const titles = await titlesOfJobs(db, named)
  return batches.map((batch, at) => {
    return { batch, title: titles[at] ?? '', jobs: byBatch[batch.id] ?? [] }
  })
}

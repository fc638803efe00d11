/** The table `batch`: orders that are run as one job after another. Their jobs say what started them. */
import { sql } from 'kysely'
import type { BatchJob, BatchPlace, BatchState } from '../model/jobs/batch.ts'
import { type KeptLines, type Order } from '../model/jobs/order.ts'
import type { Source } from '../model/platform/source.ts'
import { asJson } from '../kit/postgres/statement.ts'
import type { JobState } from '../model/jobs/job.ts'
import type { TrackKind } from '../model/transcripts/transcript.ts'
import type { RowStatus } from '../model/jobs/video-row.ts'
import { ROW_STATUSES } from '../model/jobs/video-row.ts'
import { type Db, lockedIf, query, toColumns, type Tx } from './database.ts'
import type { PageOfAccount } from './jobs.ts'
import { type KeptOrder, ORDER_COLUMNS, ORDER_NAMES, orderRow } from './orders.ts'

/** Whose cap the jobs of a batch count against; both are null for the website. */
export type BatchSpender = { connectionId: string | null; keyId: string | null }

type BatchHead = BatchSpender & { id: string; accountId: string; name: string | null }

/** `bodyHash` is of the body that ordered it, by which its repeat is known before it is read. */
type NewBatch = BatchHead & { order: Order; bodyHash: string }

/** How far a batch is, for its owner; `notice` is a sentence for them. */
type BatchStanding = {
  id: string
  name: string | null
  state: BatchState
  notice: string | null
  createdAt: Date
  finishedAt: Date | null
  part: number
  slot: number
}

export type BatchRecord = KeptOrder & KeptLines & BatchHead & BatchPlace & BatchStanding

export type BatchKey = { accountId: string; batchId: string }

const NAMES = sql.raw(`${ORDER_NAMES}, sources`)
const COLUMNS = sql`id, account_id as "accountId", connection_id as "connectionId", key_id as "keyId", name,
  ${sql.raw(ORDER_COLUMNS)}, sources, state, notice, created_at as "createdAt", finished_at as "finishedAt", part, slot,
  taken, failures`

export async function insertBatch(tx: Tx, { order, ...head }: NewBatch): Promise<BatchRecord> {
  const values = asJson({ ...orderRow(order), ...toColumns(head) })
  return query<BatchRecord>`
    insert into batch (id, account_id, connection_id, key_id, name, body_hash, ${NAMES})
    select id, account_id, connection_id, key_id, name, body_hash, ${NAMES} from json_populate_record(null::batch, ${values}::json)
    returning ${COLUMNS}
  `.onlyRow(tx)
}

/** Returns the account's running batch of these lines, or of this very body; null where there is none. */
export async function findRunningBatch(
  db: Db,
  { accountId, ...of }: { accountId: string } & ({ urlSetHash: string } | { bodyHash: string }),
): Promise<BatchRecord | null> {
  const isMeant =
    'bodyHash' in of ? sql`body_hash = ${of.bodyHash}` : sql`url_set_hash = ${of.urlSetHash}`
  return query<BatchRecord>`
    select ${COLUMNS} from batch where account_id = ${accountId} and state = 'running' and ${isMeant}
    order by created_at desc, id desc limit 1
  `.firstRow(db)
}

export async function countBatches(db: Db, accountId: string) {
  return query<{ total: number; running: number }>`
    select count(*)::int as total, (count(*) filter (where state = 'running'))::int as running
    from batch where account_id = ${accountId}
  `.onlyRow(db)
}

/**
 * Deletes the oldest of the account's batches that rest, as many as are beyond `keptMax`; their jobs stay. Returns how
 * many batches are left, which are more where too few of them rest.
 */
export async function deleteOldBatches(
  tx: Tx,
  { accountId, keptMax }: { accountId: string; keptMax: number },
): Promise<number> {
  return query<{ left: number }>`
    with kept as (
      select count(*)::int as batches from batch where account_id = ${accountId}
    ), gone as (
      delete from batch where id in (
        select id from batch where account_id = ${accountId} and due_at is null order by created_at, id
        limit greatest(0, (select batches from kept) - ${keptMax}::int)) returning id
    )
    select (select batches from kept) - (select count(*)::int from gone) as left
  `.value(tx)
}

/** A batch as it stands in lists: without its lines, of which the first one is read alone. */
export type ListedBatch = BatchStanding & {
  maxVideos: number
  skipsOwned: boolean
  wishedTrack: TrackKind | null
  lines: number
  firstLine: string
  /** The first line as it was read; null in rows of the release before. */
  firstSource: Source | null
}

const LISTED = sql`id, name, state, notice, created_at as "createdAt", finished_at as "finishedAt",
  max_videos as "maxVideos", skips_owned as "skipsOwned", wished_track as "wishedTrack", part, slot,
  urls[1] as "firstLine", sources->0 as "firstSource", cardinality(urls) as lines`

/** Returns a page of the account's batches, newest first. Only the lines of the page's batches are looked at. */
export async function listBatches(
  db: Db,
  { accountId, offset, limit }: PageOfAccount,
): Promise<ListedBatch[]> {
  return query<ListedBatch>`
    select ${LISTED} from (
      select * from batch where account_id = ${accountId}
      order by created_at desc, id desc limit ${limit} offset ${offset}
    ) page order by created_at desc, id desc
  `.rows(db)
}

/** Returns those of an account's batches that have these ids, in no order. */
export async function findListedBatches(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<ListedBatch[]> {
  return query<ListedBatch>`
    select ${LISTED} from batch where id = any(${[...ids]}) and account_id = ${accountId}
  `.rows(db)
}

/** Returns the account's batch, or null: a foreign one and a missing one are the same. */
export async function findBatch(
  db: Db,
  { accountId, batchId }: BatchKey,
  lock?: 'locked',
): Promise<BatchRecord | null> {
  return query<BatchRecord>`
    select ${COLUMNS} from batch where id = ${batchId} and account_id = ${accountId} ${lockedIf(lock)}
  `.firstRow(db)
}

export async function setBatchName(tx: Tx, batchId: string, name: string | null): Promise<void> {
  await sql`update batch set name = ${name} where id = ${batchId}`.execute(tx)
}

/** Has a batch run again at once, from a place that was read under its lock, for who continues it. */
export async function continueBatch(
  tx: Tx,
  batchId: string,
  { part, slot, taken, connectionId, keyId }: BatchPlace & BatchSpender,
): Promise<void> {
  await sql`
    update batch set state = 'running', notice = null, finished_at = null, failures = 0, due_at = now(),
      part = ${part}, slot = ${slot}, taken = ${taken}, connection_id = ${connectionId}, key_id = ${keyId}
    where id = ${batchId}
  `.execute(tx)
}

/** Stops a batch under its lock. It stays due, so that a worker ends the job that it may be starting meanwhile. */
export async function stopBatch(tx: Tx, batchId: string, notice: string): Promise<void> {
  await sql`
    update batch set state = 'stopped', notice = ${notice}, finished_at = now(), due_at = now() where id = ${batchId}
  `.execute(tx)
}

/** Has a worker look at a batch at once, unless it rests. */
export async function hastenBatch(tx: Tx, batchId: string): Promise<void> {
  await sql`update batch set due_at = now() where id = ${batchId} and due_at is not null`.execute(
    tx,
  )
}

/** A batch that a worker looks at, by the database's clock. */
export type ClaimedBatch = BatchRecord & { now: Date }

/** Claims batches that are due, the longest waiting first; other workers leave them alone for `leaseSeconds`. */
export async function claimBatches(
  db: Db,
  { max, leaseSeconds }: { max: number; leaseSeconds: number },
): Promise<ClaimedBatch[]> {
  return query<ClaimedBatch>`
    update batch set due_at = now() + make_interval(secs => ${leaseSeconds}::double precision) where id in (
      select id from batch where due_at <= now() order by due_at limit ${max} for update skip locked)
    returning ${COLUMNS}, now() as now
  `.rows(db)
}

/**
 * What a worker makes of a batch: where it stands, in which state, what its owner is told, and when to look again
 * (null: it rests).
 */
type BatchStep = {
  place: BatchPlace
  state: BatchState
  notice: string | null
  againSeconds: number | null
}

/**
 * Writes what a worker made of a batch whose job was that of `slot`. Returns false where another worker came first, or
 * its owner stopped or continued it since it was claimed.
 */
export async function recordStep(
  db: Db,
  before: { id: string; slot: number; state: BatchState },
  { place, state, notice, againSeconds }: BatchStep,
): Promise<boolean> {
  return query`
    update batch set part = ${place.part}, slot = ${place.slot}, taken = ${place.taken}, failures = ${place.failures},
      state = ${state}, notice = ${notice},
      finished_at = case when ${state} = 'running' then null else coalesce(finished_at, now()) end,
      due_at = now() + make_interval(secs => ${againSeconds}::double precision)
    where id = ${before.id} and slot = ${before.slot} and state = ${before.state}
  `.anyRow(db)
}

// The jobs of batches, from the table `job`.

/** Returns the job of a batch's slot; null where it was not started. */
export async function findBatchJob(
  db: Db,
  { accountId, id, slot }: { accountId: string; id: string; slot: number },
): Promise<BatchJob | null> {
  return query<BatchJob>`
    select id, state, max_videos as "maxVideos", slots_used as "slotsUsed", success as delivered, truncated
    from job where account_id = ${accountId} and starter_id = ${id} and start_slot = ${slot}
  `.firstRow(db)
}

/** A job's batch as it is kept, by what the batch is called: `id` is its first job's, of which it takes its title. */
type BatchOfJob = {
  jobId: string
  batchId: string
  /** The job's number in its batch, from 1. */
  number: number
  id: string
  givenName: string | null
  lines: number
  firstLine: string
  firstSource: Source | null
}

/** Returns the batches that started these jobs of an account, as far as they are kept. */
export async function findBatchesOfJobs(
  db: Db,
  accountId: string,
  jobIds: readonly string[],
): Promise<BatchOfJob[]> {
  return query<BatchOfJob>`
    select j.id as "jobId", b.id as "batchId", j.start_slot + 1 as number, coalesce(f.id, j.id) as id,
      b.name as "givenName", cardinality(b.urls) as lines, b.urls[1] as "firstLine", b.sources->0 as "firstSource"
    from job j
    join batch b on b.id = j.starter_id and b.account_id = j.account_id
    left join job f on f.starter_id = b.id and f.start_slot = 0 and f.account_id = j.account_id
    where j.id = any(${[...jobIds]}) and j.account_id = ${accountId} and j.started_by = 'batch'
  `.rows(db)
}

/** A job of a batch, as its owner sees it. */
export type BatchJobLine = {
  batchId: string
  id: string
  state: JobState
  processed: number
  maxVideos: number
  slotsUsed: number
  reservedMicros: bigint
  chargedMicros: bigint | null
  counts: Record<RowStatus, number>
}

/** Returns the jobs of an account's batches, in the order in which they were started. */
export async function listBatchJobs(
  db: Db,
  accountId: string,
  batches: readonly { id: string }[],
): Promise<BatchJobLine[]> {
  const ids = batches.map(({ id }) => id)
  const counts = sql.raw(
    `json_build_object(${ROW_STATUSES.map((one) => `'${one}', j.${one}`).join(', ')})`,
  )
  return query<BatchJobLine>`
    select b.id as "batchId", j.id, j.state, j.processed, j.max_videos as "maxVideos", j.slots_used as "slotsUsed",
      j.reserved_micros as "reservedMicros",
      j.charged_micros as "chargedMicros", ${counts} as counts
    from unnest(${ids}::text[]) as b (id)
    join job j on j.account_id = ${accountId} and j.starter_id = b.id
    order by j.created_at, j.id
  `.rows(db)
}

/** Returns the ids of a batch's jobs, in no order. */
export async function listIdsOfBatch(db: Db, { accountId, batchId }: BatchKey): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select id from job where starter_id = ${batchId} and account_id = ${accountId}
  `.rows(db)
  return rows.map(({ id }) => id)
}

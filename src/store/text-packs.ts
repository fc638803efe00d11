/**
 * Texts that lie in packs of an object store: where each is, which are to be packed, and packs that hold deleted ones
 * (docs/decisions/0080-texts-in-an-object-store.md).
 */
import type pg from 'pg'
import type { RowKey } from '../model/library/row-key.ts'
import { asJson, type Executor, run, statement } from '../kit/postgres/statement.ts'
import { type Db, query } from './database.ts'

/** Bytes of a pack, whose key is that of its object. */
export type PackedBytes = { key: string; at: number; bytes: number; crc32: number }

type Found = RowKey & PackedBytes
const FOUND = `p.job_id as "jobId", p.index, s.folder || '/' || p.pack as key`
const WANTED = `unnest($1::text[], $2::int[]) as w (job_id, index)
  join packed_text p on p.job_id = w.job_id and p.index = w.index cross join text_store s`

const FIND_PACKED = {
  words: statement<Found>(
    'find-packed-words',
    `select ${FOUND}, p.pack_at as at, p.body_bytes as bytes, p.body_crc32::float8 as crc32 from ${WANTED}`,
  ),
  times: statement<Found>(
    'find-packed-times',
    `select ${FOUND}, p.pack_at + p.body_bytes as at, coalesce(p.times_bytes, 0) as bytes,
      coalesce(p.times_crc32, 0)::float8 as crc32 from ${WANTED} where p.times_bytes is not null`,
  ),
}
export type PackedPart = keyof typeof FIND_PACKED

/** Returns where these texts lie, in no order; those that are in no pack are missing. */
export function findPacked(
  on: Executor,
  part: PackedPart,
  rows: readonly RowKey[],
): Promise<Found[]> {
  return run(on, FIND_PACKED[part], [rows.map(({ jobId }) => jobId), rows.map((row) => row.index)])
}

/** Returns the next packed texts after a row, with what is recorded of each. */
export function listPackedAfter(
  on: Executor,
  { jobId, index, limit }: RowKey & { limit: number },
): Promise<PackedRow[]> {
  return run(on, LIST_PACKED_AFTER, [jobId, index, limit])
}

type PackedRow = RowKey & { recorded: Buffer }
const LIST_PACKED_AFTER = statement<PackedRow>(
  'list-packed-after',
  `select p.job_id as "jobId", p.index, b.recorded from packed_text p
  join transcript_body b on b.job_id = p.job_id and b.index = p.index
  where (p.job_id, p.index) > ($1, $2) order by p.job_id, p.index limit $3`,
)

/** The key of an advisory lock: any number that every process shares. */
const PACKS_LOCK = 7_311_850
const LOCK_PACKS = statement<{ isDone: boolean | null }>(
  'lock-packs',
  `select case when $1 then pg_try_advisory_lock(${PACKS_LOCK}) else pg_advisory_unlock(${PACKS_LOCK}) end as "isDone"`,
)

/** Lets one session of all processes remove packs, until it unlocks or ends; returns false where another one may. */
export async function lockPacks(session: pg.PoolClient, isLocked = true): Promise<boolean> {
  const [done] = await run(session, LOCK_PACKS, [isLocked])
  return done?.isDone === true
}

/** Waits until this session alone may remove packs, however long; the caller ends it. */
export async function waitForPacks(session: pg.PoolClient): Promise<void> {
  await session.query('set statement_timeout = 0')
  await session.query('set lock_timeout = 0')
  await session.query(`select pg_advisory_lock(${PACKS_LOCK})`)
}

/** Returns the folder of this database's packs, which it makes at first. */
export async function openPackFolder(on: Executor): Promise<string> {
  await run(on, MAKE_FOLDER, [])
  const [found] = await run(on, FIND_FOLDER, [])
  return found?.folder ?? ''
}

const MAKE_FOLDER = statement<{ id: number }>(
  'make-pack-folder',
  `insert into text_store (id) values (1) on conflict do nothing returning id`,
)
const FIND_FOLDER = statement<{ folder: string }>(
  'find-pack-folder',
  `select folder::text as folder from text_store`,
)

/** Returns the folder in which texts of this database lie; null where none do. */
export async function findUsedFolder(db: Db): Promise<string | null> {
  const [folder] = await query<{ folder: string }>`
    select folder::text as folder from text_store where exists (select from packed_text)
  `.values(db)
  return folder ?? null
}

/** A final job whose texts are to be packed, and how long ago it ended. */
type EndedJob = { id: string; seconds: number }

/** Returns the next jobs that ended at least `minSeconds` ago, behind those that are packed, in that order. */
export async function listEndedJobs(
  db: Db,
  { minSeconds, limit }: { minSeconds: number; limit: number },
): Promise<EndedJob[]> {
  return query<EndedJob>`
    select j.id, extract(epoch from now() - j.finished_at)::float8 as seconds from text_store s
    join job j on j.finished_at >= s.packed_until and (j.finished_at, j.id) > (s.packed_until, s.packed_job)
    where j.finished_at < now() - make_interval(secs => ${minSeconds}) and j.texts_deleted_at is null
    order by j.finished_at, j.id limit ${limit}
  `.rows(db)
}

/** Notes that no text of this job, or of one before it, is left to be packed. */
export async function setPackedUntil(db: Db, { id }: EndedJob): Promise<void> {
  await query`
    update text_store set packed_job = j.id, packed_until = j.finished_at from job j where j.id = ${id}
  `.anyRow(db)
}

/** A text and its bytes; `pack` is null where it lies in none. */
export type PackableText = RowKey & { bytes: number; pack: string | null }

/** Returns the first texts of these jobs that lie in no pack, in the order of the jobs. */
export async function listUnpacked(
  db: Db,
  { jobs, limit }: { jobs: readonly { id: string }[]; limit: number },
): Promise<PackableText[]> {
  return query<PackableText>`
    select b.job_id as "jobId", b.index, octet_length(b.body) + coalesce(octet_length(b.word_times), 0) as bytes,
      null as pack
    from unnest(${jobs.map(({ id }) => id)}::text[]) with ordinality as j (id, place)
    join transcript_body b on b.job_id = j.id and octet_length(b.body) > 0
    order by j.place, b.index limit ${limit}
  `.rows(db)
}

/** Returns packs that hold texts which were deleted at least `minSeconds` ago, the longest since first. */
export async function listSpoiltPacks(
  db: Db,
  { minSeconds, limit }: { minSeconds: number; limit: number },
): Promise<string[]> {
  return query<{ pack: string }>`
    select pack from spoilt_pack where at <= now() - make_interval(secs => ${minSeconds})
    group by pack order by min(at) limit ${limit}
  `.values(db)
}

/** Returns the texts that these packs still have. */
export async function listTextsIn(db: Db, packs: readonly string[]): Promise<PackableText[]> {
  return query<PackableText>`
    select job_id as "jobId", index, body_bytes + coalesce(times_bytes, 0) as bytes, pack from packed_text
    where pack = any(${packs}::uuid[]) order by pack, pack_at
  `.rows(db)
}

/** Where a text lies in a pack, and in which it lay before; null numbers of times say that it has none. */
export type PackedText = RowKey & {
  before: string | null
  at: number
  bodyBytes: number
  bodyCrc32: number
  timesBytes: number | null
  timesCrc32: number | null
}

/**
 * Notes that texts lie in this pack, and takes their words out of the database or out of the packs in which they lay.
 * It waits for nobody: those that are being deleted are left out, and the pack is spoilt then. Returns how many it has.
 */
const RECORD_PACK = statement<{ texts: number }>(
  'record-pack',
  `with w as materialized (
    select * from json_to_recordset($2::json) as w ("jobId" text, index int, before uuid, at int, "bodyBytes" int,
      "bodyCrc32" bigint, "timesBytes" int, "timesCrc32" bigint)
  ), held as materialized (
    select b.job_id, b.index from w join transcript_body b on b.job_id = w."jobId" and b.index = w.index
    where w.before is null and octet_length(b.body) > 0 for no key update of b skip locked
  ), emptied as (
    update transcript_body b set body = '', word_times = case when b.word_times is not null then ''::bytea end
    from held h where b.job_id = h.job_id and b.index = h.index
    returning b.job_id, b.index
  ), packed as (
    insert into packed_text (job_id, index, pack, pack_at, body_bytes, body_crc32, times_bytes, times_crc32)
    select w."jobId", w.index, $1::uuid, w.at, w."bodyBytes", w."bodyCrc32", w."timesBytes", w."timesCrc32"
    from w join emptied e on e.job_id = w."jobId" and e.index = w.index
    returning 1
  ), lying as materialized (
    select p.job_id, p.index, w.at from w join packed_text p on p.job_id = w."jobId" and p.index = w.index
      and p.pack = w.before for no key update of p skip locked
  ), moved as (
    update packed_text p set pack = $1::uuid, pack_at = l.at from lying l
    where p.job_id = l.job_id and p.index = l.index returning 1
  ), counted as (
    select (select count(*) from packed)::int + (select count(*) from moved)::int as texts
  ), spoilt as (
    insert into spoilt_pack (pack) select $1::uuid from counted where texts < (select count(*) from w)
  )
  select texts from counted`,
)

export async function recordPack(
  db: Db,
  pack: string,
  texts: readonly PackedText[],
): Promise<number> {
  const [counted] = await run(db, RECORD_PACK, [pack, asJson(texts)])
  return counted?.texts ?? 0
}

/** Returns those of these packs and copies to which no row leads. */
export async function listUnused(db: Db, objects: readonly string[]): Promise<string[]> {
  return query<{ object: string }>`
    select k.object::text as object from unnest(${objects}::uuid[]) as k (object)
    where not exists (select from packed_text p where p.pack = k.object)
      and not exists (select from index_copy c where c.object = k.object)
  `.values(db)
}

/** Forgets that packs were spoilt, which are removed. */
export async function deleteSpoiltPacks(db: Db, packs: readonly string[]): Promise<void> {
  await query`delete from spoilt_pack where pack = any(${packs}::uuid[])`.rowCount(db)
}

/** Claims the next list of all packs for this process, unless there was one within `everySeconds`. */
export async function claimListing(db: Db, everySeconds: number): Promise<boolean> {
  return query`
    update text_store set listed_at = now() where listed_at <= now() - make_interval(secs => ${everySeconds})
    returning 1 as one
  `.anyRow(db)
}

const TEXT_BYTES = statement<{ bytes: number | null }>(
  'text-bytes',
  `select pg_total_relation_size('transcript_body')::float8 as bytes`,
)

/**
 * Gives back what texts took that moved out: to other rows, and to the disk what lies at the end of the table; all of
 * it where `isFull`, which keeps everybody from the texts meanwhile. Returns the table's bytes before and after.
 */
export async function vacuumTexts(pool: pg.Pool, isFull: boolean) {
  const session = await pool.connect()
  try {
    const [before] = await run(session, TEXT_BYTES, [])
    await session.query('set statement_timeout = 0')
    await session.query(isFull ? 'vacuum (full) transcript_body' : 'vacuum transcript_body')
    const [after] = await run(session, TEXT_BYTES, [])
    return { before: before?.bytes ?? 0, after: after?.bytes ?? 0 }
  } finally {
    session.release(true)
  }
}

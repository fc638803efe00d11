/**
 * The tables `transcript` and `transcript_body`: delivered transcripts, their words and what is recorded about their
 * forms.
 */
import { sql } from 'kysely'
import type { RowKey } from '../model/library/row-key.ts'
import type { OwnedCollection } from '../model/library/collection.ts'
import type { VideoTrack } from '../model/library/video-details.ts'
import type { Form } from '../model/files/formats.ts'
import { type ContentFacts, unpackRecorded } from '../model/files/recorded-forms.ts'
import { type Executor, run, type Statement, statement } from '../kit/postgres/statement.ts'
import { type Db, query } from './database.ts'

/** All rows of a job, named rows, or the delivered rows of a collection. */
type RowsWanted = { jobId: string } | { named: readonly RowKey[] } | OwnedCollection

/** What is recorded about the forms of a row, as it is stored (see factsOfForms). */
export type RecordedForms = RowKey & { recorded: Buffer }
export type FactsByForm<F extends Form = Form> = Partial<Record<F, ContentFacts>>

/** SQL that looks up rows of `table`, called m, one by one: `$from` has their jobs, and the next their indexes. */
export const named = (table: string, from = 1): string =>
  // In a plain join PostgreSQL reads all rows of what its statistics call small.
  `unnest($${from}::text[], $${from + 1}::int[]) as w (job_id, index),
    lateral (select * from ${table} where job_id = w.job_id and index = w.index offset 0) m`

/**
 * What is recorded about these forms, by row; null `indexes` mean the whole job. Rows that were not delivered, and
 * forms that the job did not ask for, are missing.
 */
export async function findForms<F extends Form>(
  db: Db,
  {
    jobId,
    indexes,
    forms,
  }: { jobId: string; indexes: readonly number[] | null; forms: readonly F[] },
): Promise<Map<number, FactsByForm<F>>> {
  const rows = indexes === null ? { jobId } : { named: indexes.map((index) => ({ jobId, index })) }
  const recorded = await listRecorded(db, rows)
  return new Map(recorded.map((row) => [row.index, factsOfForms(row, forms)]))
}

const RECORDED = `select m.job_id as "jobId", m.index, m.recorded`

const LIST_RECORDED_OF_JOB = statement<RecordedForms>(
  'list-recorded-of-job',
  `${RECORDED} from transcript_body m where m.job_id = $1`,
)

const LIST_RECORDED_OF_ROWS = statement<RecordedForms>(
  'list-recorded-of-rows',
  `${RECORDED} from ${named('transcript_body')}`,
)

/** SQL for what is recorded of the rows of a table; $1: the account, $2: the collection or project. */
const recordedOf = (table: string, condition: string): string =>
  `${RECORDED}
  from ${table} v join transcript_body m on m.job_id = v.job_id and m.index = v.index
  where v.account_id = $1 and ${condition}`

const LIST_RECORDED_OF_COLLECTION = statement<RecordedForms>(
  'list-recorded-of-collection',
  recordedOf('collection_video', `v.collection_id = $2 and v.status = 'success'`),
)
const LIST_RECORDED_OF_PROJECT = statement<RecordedForms>(
  'list-recorded-of-project',
  recordedOf('project_video', 'v.project_id = $2'),
)

/** What is recorded about the forms of these rows, in no order; rows whose text is gone are missing. */
export function listRecorded(db: Db, rows: RowsWanted): Promise<RecordedForms[]> {
  if ('named' in rows) return runNamed(db, LIST_RECORDED_OF_ROWS, rows.named)
  if ('jobId' in rows) return run(db, LIST_RECORDED_OF_JOB, [rows.jobId])
  const { id, kind } = rows.collection
  const asked = kind === 'project' ? LIST_RECORDED_OF_PROJECT : LIST_RECORDED_OF_COLLECTION
  return run(db, asked, [rows.accountId, id])
}

/** Returns the facts of these forms of a row; forms that the job did not ask for are missing. */
export function factsOfForms<F extends Form>(
  { recorded }: RecordedForms,
  forms: readonly F[],
): FactsByForm<F> {
  const known: FactsByForm<F> = {}
  for (const { form, ...facts } of unpackRecorded(recorded, forms)) known[form] = facts
  return known
}

/** Completes what is recorded of a text, unless another process did so or the text is gone. */
export async function replaceRecorded(
  db: Db,
  { jobId, index }: RowKey,
  { before, after }: { before: Buffer; after: Buffer },
): Promise<void> {
  await query`
    update transcript_body set recorded = ${after}
    where job_id = ${jobId} and index = ${index} and recorded = ${before}
  `.anyRow(db)
}

/** A row's words as they are stored (see segmentsOfStored). */
export type StoredWords = RowKey & { stored: Buffer }

const READ_WORDS = statement<StoredWords>(
  'read-words',
  `select m.job_id as "jobId", m.index, m.body as stored from ${named('transcript_body')}`,
)

/** The words of these rows, in no order; rows whose text is gone are missing, and what lies in a pack is empty. */
export async function readStoredWords(
  db: Executor,
  wanted: readonly RowKey[],
): Promise<StoredWords[]> {
  return wanted.length === 0 ? [] : runNamed(db, READ_WORDS, wanted)
}

/** When the words of a row are said, as it is stored (word-times.ts). */
export type StoredWordTimes = RowKey & { wordTimes: Buffer }

const READ_WORD_TIMES = statement<StoredWordTimes>(
  'read-word-times',
  `select m.job_id as "jobId", m.index, coalesce(m.word_times, '') as "wordTimes"
  from ${named('transcript_body')}
  where m.word_times is not null`,
)

/** The word times of these rows, as their words are read; rows that have none are missing. */
export async function readStoredTimes(
  db: Executor,
  wanted: readonly RowKey[],
): Promise<StoredWordTimes[]> {
  return wanted.length === 0 ? [] : runNamed(db, READ_WORD_TIMES, wanted)
}

/** Returns what is recorded of a text whose word times are kept; null where they are not. */
export async function findRecordedWords(db: Db, { jobId, index }: RowKey): Promise<Buffer | null> {
  return query<{ recorded: Buffer }>`
    select recorded from transcript_body
    where job_id = ${jobId} and index = ${index} and word_times is not null
  `.firstValue(db)
}

/** When a row's text was fetched. */
type FetchTime = RowKey & { fetchedAt: Date }

const LIST_FETCH_TIMES = statement<FetchTime>(
  'list-fetch-times',
  `select m.job_id as "jobId", m.index, coalesce(m.fetched_at, 'epoch') as "fetchedAt" from ${named('transcript')}
  where m.fetched_at is not null`,
)

/** When the texts of these rows were fetched, in no order; those of which it is not known are missing. */
export async function listFetchTimes(db: Db, wanted: readonly RowKey[]): Promise<FetchTime[]> {
  return wanted.length === 0 ? [] : runNamed(db, LIST_FETCH_TIMES, wanted)
}

/** Where a delivered text came from; null is what is not known, all of it for texts of earlier releases. */
export type TextOrigin = {
  /** In hex. */
  sha256: string | null
  format: string | null
  sizeBytes: number | null
  client: string | null
  lastModified: string | null
  etag: string | null
  fetchedAt: Date | null
  hasWordTimes: boolean
}

const ORIGIN = sql`encode(t.source_sha256, 'hex') as sha256, t.source_format as format, t.source_bytes as "sizeBytes",
  t.source_client as client, t.source_last_modified as "lastModified", t.source_etag as etag,
  t.fetched_at as "fetchedAt", coalesce(b.word_times is not null, false) as "hasWordTimes"`

/** Returns null where the row has no text. */
export async function findOrigin(db: Db, { jobId, index }: RowKey): Promise<TextOrigin | null> {
  return query<TextOrigin>`
    select ${ORIGIN} from transcript t left join transcript_body b on b.job_id = t.job_id and b.index = t.index
    where t.job_id = ${jobId} and t.index = ${index}
  `.firstRow(db)
}

/** A finished row of a job with the tracks of its video; of a row without a text, all of its origin is unknown. */
type RowOrigin = TextOrigin & {
  index: number
  videoId: string | null
  tracks: VideoTrack[] | null
}

/** Returns the next finished rows after an index, in their order. */
export async function listOrigins(
  db: Db,
  { jobId, after, limit }: { jobId: string; after: number; limit: number },
): Promise<RowOrigin[]> {
  return query<RowOrigin>`
    select r.index, r.video_id as "videoId", d.tracks, ${ORIGIN} from video_row r
    left join transcript t on t.job_id = r.job_id and t.index = r.index
    left join transcript_body b on b.job_id = t.job_id and b.index = t.index
    left join video_details d on d.video_id = r.video_id
    where r.job_id = ${jobId} and r.status is not null and r.index > ${after} order by r.index limit ${limit}
  `.rows(db)
}

function runNamed<Row>(
  db: Executor,
  asked: Statement<Row>,
  rows: readonly RowKey[],
): Promise<Row[]> {
  return run(db, asked, [rows.map(({ jobId }) => jobId), rows.map(({ index }) => index)])
}

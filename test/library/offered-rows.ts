/** Rows that are offered to projects: worlds of a few jobs that are drawn, and large jobs, written by SQL alone. */
import type pg from 'pg'
import fc from 'fast-check'
import type { ProjectAddition } from '../../src/features/library/projects.ts'
import { TRACK_KINDS, type TrackKind } from '../../src/model/transcripts/transcript.ts'
import { instantOf } from '../../src/store/collections.ts'

export const ACCOUNT = 'acc'
export const BATCH = 'batch_1'
export const CHANNEL = 'UCchannel'
export const [PROJECT, OTHER] = ['1', '2'].map((digit) => `prj_${digit.repeat(32)}`) as [
  string,
  string,
]
const DELETED_AT = new Date('2026-11-25T10:00:00Z')

export type OfferedRow = {
  index: number
  videoId: string
  status: string | null
  languageCode: string
  trackKind: TrackKind
  publishedAt: string | null
}
export type OfferingJob = {
  id: string
  number: number
  accountId: string
  urlSetHash: string
  language: string
  wishedTrack: TrackKind | null
  isDeleted: boolean
  isOfBatch: boolean
  rows: OfferedRow[]
}
export type OfferedText = { job: OfferingJob; row: OfferedRow }

export const OFFERED_VIDEOS = ['v1', 'v2', 'v3', 'v4']
const DATES = [
  null,
  'soon',
  '2024-03-01T08:00:00-08:00',
  '2024-02-29T23:59:59.25+05:30',
  '2024-02-31T00:00:00Z',
  '2024-06-01T08:00Z',
]
const row = fc.record({
  status: fc.constantFrom('success', 'success', 'unchanged', 'unchanged', 'no_captions', null),
  languageCode: fc.constantFrom('en', 'en-GB', 'de', 'zh-Hans', 'zh-TW', 'iw'),
  trackKind: fc.constantFrom(...TRACK_KINDS),
  publishedAt: fc.constantFrom(...DATES),
})
export const job = fc.record({
  accountId: fc.constantFrom(ACCOUNT, ACCOUNT, ACCOUNT, ACCOUNT, 'stranger'),
  urlSet: fc.constantFrom(null, 'one'),
  language: fc.constantFrom('original', 'EN', 'de', 'zh-Hant', 'zh-HK', 'he', 'iw'),
  wishedTrack: fc.constantFrom(null, null, ...TRACK_KINDS),
  isDeleted: fc.constantFrom(false, false, false, true),
  isOfBatch: fc.boolean(),
  rows: fc.tuple(...OFFERED_VIDEOS.map(() => fc.option(row))),
})
const key = fc.record({
  jobId: fc.constantFrom('job1', 'job2', 'job3', 'job4', 'none'),
  index: fc.constantFrom(1, 2, 3, 4, 9, 2 ** 31, 1e308),
})
export const addition: fc.Arbitrary<ProjectAddition> = fc.oneof(
  fc.record({ videos: fc.array(key, { minLength: 1, maxLength: 8 }) }),
  fc.record({ jobId: fc.constantFrom('job1', 'job2', 'job3', 'none') }),
  fc.record({ batchId: fc.constantFrom(BATCH, BATCH, BATCH, 'none') }),
  fc.record({
    collectionId: fc.constantFrom(CHANNEL, PROJECT, OTHER, 'UCnone'),
    title: fc.constantFrom(null, 'TALK V1', 'of'),
    language: fc.constantFrom(null, 'en'),
  }),
)

/** The channel has of each video the last row that was delivered. */
export function channelOf(jobs: OfferingJob[]): OfferedText[] {
  const texts = jobs.flatMap((one) => one.rows.map((each) => ({ job: one, row: each })))
  const delivered = texts.filter((text) => text.row.status === 'success')
  return [...new Map(delivered.map((text) => [text.row.videoId, text])).values()]
}

export const titleOf = ({ videoId }: OfferedRow): string => `talk ${videoId} of four`

/** Empties the tables, and writes jobs with their rows, their history and their channel, a batch and two projects. */
export async function fill(
  sql: pg.Client,
  jobs: OfferingJob[],
  batchLanguage: string,
): Promise<void> {
  await sql.query(
    'truncate project, project_video, job, video_row, history, batch, collection, collection_video cascade',
  )
  await sql.query(
    `insert into project (id, account_id, name) select unnest($1::text[]), $2, 'A project'`,
    [[PROJECT, OTHER], ACCOUNT],
  )
  await sql.query(`insert into collection (account_id, id, kind) values ($1, $2, 'channel')`, [
    ACCOUNT,
    CHANNEL,
  ])
  await sql.query(
    `insert into batch (id, account_id, urls, url_set_hash, language, formats, max_videos, skips_owned, notices, slot)
    values ($1, $2, '{l}', 'h', $3, '{}', 1, true, '{}', 9)`,
    [BATCH, ACCOUNT, batchLanguage],
  )
  await addJobs(sql, jobs)
  await addRows(sql, jobs)
  const own = jobs.filter(({ accountId }) => accountId === ACCOUNT)
  const members = channelOf(own).map(({ job: { id }, row: { index, videoId, publishedAt } }) => {
    return { id, index, videoId, at: instantOf(publishedAt) }
  })
  await sql.query(
    `insert into collection_video (account_id, collection_id, video_id, status, job_id, index, published_at)
    select $1, $2, "videoId", 'success', id, index, at
    from json_to_recordset($3) as m (id text, index int, "videoId" text, at timestamptz)`,
    [ACCOUNT, CHANNEL, JSON.stringify(members)],
  )
}

async function addJobs(sql: pg.Client, jobs: Omit<OfferingJob, 'rows'>[]): Promise<void> {
  const lines = jobs.map(({ isDeleted, isOfBatch, ...one }) => {
    const deletedAt = isDeleted ? DELETED_AT : null
    const starter = isOfBatch ? { kind: 'batch', starterId: BATCH, slot: one.number } : {}
    return { ...one, at: new Date(one.number), deletedAt, ...starter }
  })
  await sql.query(
    `insert into job (id, account_id, state, created_at, finished_at, urls, url_set_hash, language, wished_track, formats, max_videos,
      requested_max_videos, notices, reserved_micros, charged_micros, processed, unchanged, texts_deleted_at,
      started_by, starter_id, start_slot)
    select id, "accountId", 'finished', at, at, '{l}', "urlSetHash", language, "wishedTrack", '{}', 9, 9, '{}', 72000, 0, 99999, 99999,
      "deletedAt", kind, "starterId", slot
    from json_to_recordset($1) as j (id text, "accountId" text, "urlSetHash" text, language text, "wishedTrack" text, at timestamptz,
      "deletedAt" timestamptz, kind text, "starterId" text, slot int)`,
    [JSON.stringify(lines)],
  )
}

async function addRows(sql: pg.Client, jobs: OfferingJob[]): Promise<void> {
  const lines = jobs.flatMap(({ id, accountId, urlSetHash, number, rows }) =>
    rows.map((one) => {
      const title = titleOf(one)
      return { ...one, id, accountId, urlSetHash, title, at: new Date(number) }
    }),
  )
  await sql.query(
    `with line as (select *, status = 'success' as has_text from json_to_recordset($1) as r (id text, "accountId" text,
      "urlSetHash" text, index int, "videoId" text, title text, "publishedAt" text, status text, "languageCode" text, "trackKind" text,
      at timestamptz)
    ), done as (
      insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
      select distinct on ("accountId", "urlSetHash", "videoId") "accountId", "urlSetHash", "videoId", 'delivered', 0, id, at
      from line where has_text order by "accountId", "urlSetHash", "videoId", at desc
    )
    insert into video_row (job_id, index, source, video_id, title, published_at, status, label, language_code,
      track_kind, done, finished_at)
    select id, index, 1, "videoId", title, "publishedAt", status, case when status is not null then 'l' end,
      case when has_text or status = 'unchanged' then "languageCode" end,
      case when has_text or status = 'unchanged' then "trackKind" end,
      case when status is not null then index end, case when status is not null then at end from line`,
    [JSON.stringify(lines)],
  )
}

/** Writes a job that delivered so many videos of the channel, and one that left them alone. */
export async function addMany(sql: pg.Client, videos: number): Promise<void> {
  await fill(sql, [], 'original')
  const wish = { language: 'de', wishedTrack: null }
  const one = { accountId: ACCOUNT, ...wish, number: 1, isDeleted: false, isOfBatch: false }
  await addJobs(sql, [
    { ...one, id: 'delivers', urlSetHash: 'h' },
    { ...one, id: 'repeats', urlSetHash: 'other' },
  ])
  await sql.query(
    `insert into video_row (job_id, index, source, video_id, title, status, label, language_code, track_kind, done,
      finished_at)
    select j.id, n, 1, 'v' || n, 'A talk', j.status, 'l', j.code, j.kind, n, now() from generate_series(1, $1::int) n,
      (values ('delivers', 'success', 'de', 'asr'), ('repeats', 'unchanged', null, null)) j (id, status, code, kind)`,
    [videos],
  )
  await sql.query(
    `with done as (
      insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
      select $1, 'h', 'v' || n, 'delivered', 0, 'delivers', now() from generate_series(1, $3::int) n
    )
    insert into collection_video (account_id, collection_id, video_id, status, job_id, index)
    select $1, $2, 'v' || n, 'success', 'delivers', n from generate_series(1, $3::int) n`,
    [ACCOUNT, CHANNEL, videos],
  )
  await sql.query('analyze')
}

/**
 * Records finished rows of a job: fence, counters, rows, transcripts, history and library in one statement, which is
 * one commit and one round trip for all of them. A job's rows would wait for one another anyway, for the counters
 * beside them.
 */
import { sql } from 'kysely'
import { asJson, run, statement } from '../kit/postgres/statement.ts'
import type { HistoryEntry } from '../model/jobs/history.ts'
import { isAttempt } from '../model/jobs/video-row.ts'
import { hasDetails, type VideoDetails } from '../model/library/video-details.ts'
import { packRecorded } from '../model/files/recorded-forms.ts'
import type { StoredTranscript } from '../model/files/transcript-forms.ts'
import { ADDED_COUNTERS, instantOf } from './collections.ts'
import type { Db } from './database.ts'
import { ADDED_COUNTS, COUNTS_BY_STATUS } from './jobs.ts'
import type { RowContent } from './video-rows.ts'

export type Recording = {
  index: number
  content: RowContent
  /** The transcript of a row with status `success`; null for every other row. */
  transcript: StoredTranscript | null
  /** Memory that the account has of the video from now on; null for rows that say nothing about it. */
  history: HistoryEntry | null
  /** Other facts of the video that the platform told. */
  details: VideoDetails
  /** Set where the row gives its slot back: its video proved to be owned. */
  isReturned?: true
}

/** The attempt whose rows are recorded; nothing is recorded where another attempt holds the job. */
type RecordingJob = { jobId: string; attempt: number }

/**
 * $1: the job, $2: its attempt, $3: the rows, $4 to $7: their bodies. Rows of tables that jobs share are locked in the
 * order of their ids. Only the recorded rows of the job are read. A delivered video stays delivered.
 */
const RECORD_FINISHED = statement<{ index: number }>(
  'record-finished',
  `
  with held as materialized (
    select id, account_id, url_set_hash, processed from job
    where id = $1 and attempt = $2 and state = 'running' for no key update
  ), ready as materialized (
    select g.*, r.source, row_number() over (order by g.place)::int as nth,
      (select collection_id from job_source where job_id = held.id and position = r.source) as source_collection
    from held cross join json_to_recordset($3::json) as g (place int, index int, status text, label text, "errorMessage" text,
      "videoId" text, title text, "channelName" text, "publishedAt" text, instant timestamptz, "languageCode" text,
      "trackKind" text, "inLibrary" boolean, "textHash" text, words int, outcome text, tries int,
      "knownPublishedAt" text, "isLearnt" boolean, "channelId" text, "durationSeconds" int, "viewCount" bigint,
      keywords text[], description text, category text, tracks jsonb, "sourceSha256" text, "sourceFormat" text,
      "sourceBytes" int, "sourceClient" text, "sourceLastModified" text, "sourceEtag" text, "isReturned" boolean)
    cross join lateral (
      select source from video_row where job_id = held.id and index = g.index and status is null for no key update
    ) r
  ), counted as (
    update job set has_progress = true, processed = job.processed + n.rows,
      slots_used = job.slots_used - n.returned, ${ADDED_COUNTS}
    from (
      select count(*)::int as rows, count(*) filter (where "isReturned")::int as returned, ${COUNTS_BY_STATUS} from ready
    ) n
    where job.id = $1 and n.rows > 0
  ), finished as ( -- an upsert finds each row by its key; an update would read all rows of the job
    insert into video_row as r (job_id, index, source, status, label, error_message, video_id, title, channel_name,
      published_at, language_code, track_kind, done, finished_at)
    select held.id, index, source, status, label, "errorMessage", "videoId", title, "channelName",
      "publishedAt", "languageCode", "trackKind", held.processed + nth, now()
    from held, ready
    on conflict (job_id, index) do update
    set status = excluded.status, label = excluded.label, error_message = excluded.error_message,
      video_id = excluded.video_id, title = excluded.title, channel_name = excluded.channel_name,
      published_at = excluded.published_at, language_code = excluded.language_code, track_kind = excluded.track_kind,
      done = excluded.done, finished_at = excluded.finished_at
  ), kept as (
    insert into transcript (job_id, index, text_hash, words, source_sha256, source_format, source_bytes, source_client,
      source_last_modified, source_etag, fetched_at)
    select $1, index, "textHash", words, decode("sourceSha256", 'hex'), "sourceFormat", "sourceBytes", "sourceClient",
      "sourceLastModified", "sourceEtag", case when "sourceSha256" is not null then now() end
    from ready where "textHash" is not null
  ), bodies as (
    insert into transcript_body (job_id, index, body, recorded, word_times)
    select $1, index, b.body, b.recorded, b.word_times
    from ready join unnest($4::int[], $5::bytea[], $6::bytea[], $7::bytea[])
      as b (index, body, recorded, word_times) using (index)
  ), known as (
    insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at, published_at)
    select account_id, url_set_hash, "videoId", outcome, tries, $1, now(), "knownPublishedAt"
    from held, ready where outcome is not null order by "videoId"
    on conflict (account_id, url_set_hash, video_id) do update
    set outcome = excluded.outcome, tries = excluded.tries, job_id = excluded.job_id,
      attempted_at = excluded.attempted_at, published_at = excluded.published_at
    where history.outcome <> 'delivered'
  ), learnt as (
    insert into video_details (video_id, channel_id, duration_seconds, view_count, keywords, description, category, tracks)
    select "videoId", "channelId", "durationSeconds", "viewCount", keywords, description, category, tracks
    from ready where "isLearnt" order by "videoId"
    on conflict (video_id) do update
    set channel_id = coalesce(excluded.channel_id, video_details.channel_id),
      duration_seconds = coalesce(excluded.duration_seconds, video_details.duration_seconds),
      view_count = coalesce(excluded.view_count, video_details.view_count),
      keywords = coalesce(excluded.keywords, video_details.keywords),
      description = coalesce(excluded.description, video_details.description),
      category = coalesce(excluded.category, video_details.category),
      tracks = coalesce(excluded.tracks, video_details.tracks), learnt_at = now()
  ), placed as ( -- in the collection of the source, in the channel's, and wherever else the account has the video
    insert into collection_video (account_id, collection_id, video_id, status, job_id, index, published_at)
    select held.account_id, c.id, ready."videoId", ready.status, $1, ready.index, ready.instant
    from held, ready cross join lateral (
      select ready.source_collection as id where ready.source_collection is not null
      union select v.collection_id from collection_video v
        where v.account_id = held.account_id and v.video_id = ready."videoId"
      union select ready."channelId" where ready."channelId" is not null
    ) c where ready."inLibrary" order by c.id, ready."videoId"
    on conflict (account_id, collection_id, video_id) do update
    set status_before = collection_video.status, status = excluded.status, job_id = excluded.job_id,
      index = excluded.index, published_at = coalesce(excluded.published_at, collection_video.published_at)
    where excluded.status = 'success' or collection_video.status is distinct from 'success'
    returning account_id, collection_id, video_id, status, status_before, published_at, xmax = 0 as is_new
  ), changed as (
    select p.account_id, p.collection_id, p.published_at, p.is_new, ready."languageCode" as language_code,
      case when p.collection_id = ready."channelId" then ready."channelName" end as title,
      p.collection_id = ready."channelId" and ready.source_collection is null as is_ordered,
      (p.status = 'success')::int as delivery,
      (p.status = 'success')::int - coalesce(p.status_before = 'success', false)::int as delivered,
      (p.status = 'no_captions')::int - coalesce(p.status_before = 'no_captions', false)::int as no_captions,
      (p.status not in ('success', 'no_captions'))::int
        - coalesce(p.status_before not in ('success', 'no_captions'), false)::int as failed
    from placed p join ready on ready."videoId" = p.video_id
  ), totalled as ( -- a channel that is new is made
    insert into collection (account_id, id, kind, title, is_ordered, videos, delivered, deliveries, no_captions,
      failed, languages, newest_at, oldest_at)
    select account_id, collection_id, 'channel', max(title), coalesce(bool_or(is_ordered), false), sum(is_new::int),
      sum(delivered), sum(delivery), sum(no_captions), sum(failed),
      coalesce(array_agg(distinct language_code) filter (where language_code is not null), '{}'),
      max(published_at), min(published_at)
    from changed group by account_id, collection_id order by collection_id
    on conflict (account_id, id) do update
    set title = coalesce(collection.title, excluded.title), is_ordered = collection.is_ordered or excluded.is_ordered,
      ${ADDED_COUNTERS}
  )
  select index from ready`,
)

/**
 * Records the rows in the given order and returns the indexes of those it recorded: none where another attempt holds
 * the job or it is no longer running, and none that was recorded before. May be repeated after a lost connection.
 */
export async function recordFinished(
  db: Db,
  { jobId, attempt }: RecordingJob,
  recordings: readonly Recording[],
): Promise<Set<number>> {
  const bodies = recordings.flatMap(({ index, transcript }) =>
    transcript === null ? [] : [{ index, ...transcript }],
  )
  const rows = await run(db, RECORD_FINISHED, [
    jobId,
    attempt,
    asJson(recordings.map(lineOf)),
    bodies.map(({ index }) => index),
    bodies.map(({ body }) => body),
    bodies.map(({ recorded }) => packRecorded(recorded)),
    bodies.map(({ wordTimes }) => wordTimes),
  ])
  return new Set(rows.map(({ index }) => index))
}

/** The part of a row that goes to the statement as JSON; bytes go beside it. */
function lineOf(recording: Recording, place: number) {
  const { index, content, transcript, history, details, isReturned } = recording
  return {
    place,
    index,
    isReturned,
    ...content,
    instant: instantOf(content.publishedAt),
    inLibrary: content.videoId !== null && isAttempt(content.status),
    textHash: transcript?.textSha256,
    words: transcript?.words,
    ...(transcript === null ? {} : sourceOf(transcript)),
    outcome: history?.kind,
    tries: history?.kind === 'transient' ? history.tries : 0,
    knownPublishedAt: knownPublishedAt(history, content),
    ...details,
    isLearnt: content.videoId !== null && hasDetails(details),
  }
}

function sourceOf({ source }: StoredTranscript) {
  return {
    sourceSha256: source?.sha256,
    sourceFormat: source?.format,
    sourceBytes: source?.sizeBytes,
    sourceClient: source?.client,
    sourceLastModified: source?.lastModified,
    sourceEtag: source?.etag,
  }
}

function knownPublishedAt(history: HistoryEntry | null, content: RowContent): string | null {
  if (history === null) return null
  return history.kind === 'delivered' ? content.publishedAt : history.publishedAt
}

/**
 * Notes under one URL set what is known under another one that named less of the same text: neither is charged again.
 * What the set knows already stays.
 */
export async function copyHistory(
  db: Db,
  { accountId, from, to }: { accountId: string; from: string; to: string },
): Promise<void> {
  await sql`
    insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at, published_at)
    select account_id, ${to}, video_id, outcome, tries, job_id, attempted_at, published_at
    from history where account_id = ${accountId} and url_set_hash = ${from} order by video_id
    on conflict (account_id, url_set_hash, video_id) do nothing
  `.execute(db)
}

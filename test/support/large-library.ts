/**
 * A large library, made by SQL in bulk: one channel with texts, as many jobs of 500 delivered it as it takes, and
 * others that have rows only. Each text is the same one, so that its forms and their sizes are real.
 */
import type pg from 'pg'
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { packRecorded } from '../../src/model/files/recorded-forms.ts'
import { storeTranscript } from '../../src/model/files/transcript-forms.ts'
import type { Transcript } from '../../src/model/transcripts/transcript.ts'
import { countTexts } from './count-texts.ts'

type LibrarySize = {
  /** Texts of the large channel; a multiple of the videos of a job. */
  texts: number
  collections: number
  /** Videos of each other collection. */
  videosEach: number
}

/** The channel with texts; the other channels have higher numbers. */
export const LARGE_CHANNEL = channelId(0)
const VIDEOS_A_JOB = 500

function channelId(at: number): string {
  return `UClibrary${String(at).padStart(15, '0')}`
}

export async function addLibrary(
  pool: pg.Pool,
  given: LibrarySize & { accountId: string; transcript: Transcript },
): Promise<void> {
  const { accountId, texts, collections, videosEach } = given
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('set session_replication_role = replica')
    await client.query('set synchronous_commit = off')
    await addChannel(client, { accountId, at: 0, videos: texts })
    await addTexts(client, { accountId, videos: texts, transcript: given.transcript })
    for (let at = 1; at < collections; at += 1)
      await addChannel(client, { accountId, at, videos: videosEach })
    await countTexts(client)
    await client.query(`vacuum (analyze) ${TABLES}`)
  } finally {
    client.release(true)
  }
}

async function addChannel(
  client: pg.PoolClient,
  { accountId, at, videos }: { accountId: string; at: number; videos: number },
): Promise<void> {
  for (const statement of ROWS) await client.query(statement, [accountId, channelId(at), videos])
}

/** Adds the texts of the large channel. */
async function addTexts(
  client: pg.PoolClient,
  { accountId, videos, transcript }: { accountId: string; videos: number; transcript: Transcript },
): Promise<void> {
  const many = [accountId, LARGE_CHANNEL, videos]
  const { body, recorded, wordTimes } = await storeTranscript(transcript, FORMATS)
  await client.query(TEXT, many)
  await client.query(BODY, [...many, body, packRecorded(recorded), wordTimes])
}

const TABLES =
  'job, video_row, transcript, transcript_body, history, collection, collection_video, video_details'
/** The statement names all three parameters, so that every statement can be given them. */
const VIDEOS = `select $1::text as account_id, $2::text as channel, g,
    'job-' || $2::text || '-' || (g - 1) / ${VIDEOS_A_JOB} as job_id, (g - 1) % ${VIDEOS_A_JOB} + 1 as index,
    substr(md5($2::text || g), 1, 11) as video_id, timestamptz '2015-01-01' + g * interval '7 hours' as at
  from generate_series(1, $3::int) g`
const ROWS = [
  `insert into job (id, account_id, state, created_at, finished_at, urls, url_set_hash, language, formats,
      max_videos, requested_max_videos, notices, reserved_micros, charged_micros, attempt, started_at,
      is_planned, slots_used, discovered, processed, success)
    select job_id, account_id, 'finished', min(at), max(at), array[channel], md5(channel) || md5(channel), 'original',
      array['text', 'srt', 'vtt', 'segments'], count(*), count(*), array[]::text[], count(*) * 8000, count(*) * 8000, 1, min(at),
      true, count(*), count(*), count(*), count(*)
    from (${VIDEOS}) v group by job_id, account_id, channel`,
  `insert into video_row (job_id, index, source, video_id, title, url, channel_name, published_at, status, label,
      language_code, track_kind, done, finished_at)
    select job_id, index, 1, video_id, 'Talk ' || g || ': why we look at «' || channel || '», and what is left to do?',
      'https://www.youtube.com/watch?v=' || video_id, 'A channel', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'success',
      'Delivered', 'en', 'asr', index, at
    from (${VIDEOS}) v`,
  `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
    select account_id, md5(channel) || md5(channel), video_id, 'delivered', 0, job_id, at from (${VIDEOS}) v`,
  `insert into collection (account_id, id, kind, title, is_ordered, video_count, videos, delivered, deliveries, looked_at,
      languages, order_name)
    values ($1, $2, 'channel', 'Channel ' || $2, true, $3::int, $3::int, $3::int, $3::int, now(), '{en}', '/@' || lower(substr($2, 3)))`,
  `insert into collection_video (account_id, collection_id, video_id, status, job_id, index, published_at)
    select account_id, channel, video_id, 'success', job_id, index, at from (${VIDEOS}) v`,
  `insert into video_details (video_id, channel_id, duration_seconds, view_count, keywords, description, category)
    select video_id, channel, 720, g * 1000, array['talk', 'notes'], repeat('What this talk is about. ', 20), 'Education'
    from (${VIDEOS}) v on conflict do nothing`,
]
const TEXT = `insert into transcript (job_id, index, text_hash, words)
  select job_id, index, md5(channel) || md5(video_id), 9 from (${VIDEOS}) v`
const BODY = `insert into transcript_body (job_id, index, body, recorded, word_times)
  select job_id, index, $4::bytea, $5::bytea, $6::bytea from (${VIDEOS}) v`

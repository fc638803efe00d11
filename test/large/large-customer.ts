/**
 * A customer who owns much, made by SQL in bulk: what the routes, the tools and the pages of an account are asked for
 * where nothing may grow with what is owned but the answer.
 */
import type pg from 'pg'
import { addLibrary, LARGE_CHANNEL } from '../support/large-library.ts'
import { countTexts } from '../support/count-texts.ts'
import { LIMITS } from '../../src/config/limits.ts'
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { packRecorded } from '../../src/model/files/recorded-forms.ts'
import { type Finding, newFinding } from '../../src/model/previews/preview.ts'
import { storeTranscript } from '../../src/model/files/transcript-forms.ts'
import type { Segment, Transcript } from '../../src/model/transcripts/transcript.ts'

/** How much of each kind. */
export type CustomerSize = {
  /** Texts of one channel, a multiple of 500: the videos of each job that delivered them. */
  texts: number
  /** Rows of one job that brought only what was owned. */
  unchanged: number
  /** Channels that were ordered by one line of 4 KB each, and of which some are followed. */
  channels: number
  followed: number
  projectVideos: number
  batches: number
  batchLines: number
  /** Words of one text, with the times of each. */
  words: number
  /** Finished jobs of one video, each with its movements of money and a delivery to a webhook. */
  jobs: number
  /** Other accounts of the service, which its operator's lists show. */
  accounts: number
}

/** Ids of what the customer owns. */
export const LARGELY_OWNED = {
  channel: LARGE_CHANNEL,
  textJob: `job-${LARGE_CHANNEL}-0`,
  unchangedJob: 'job-unchanged',
  wordsJob: 'job-words',
  project: `prj_${'a'.repeat(32)}`,
  batch: 'batch_1',
  preview: `prv_${'a'.repeat(32)}`,
  webhook: 'whk_large',
  delivery: 'dlv_1',
  subscription: 'sub_1',
  /** A channel that was ordered by a long line. */
  longLine: (at: number): string => lineOf(at),
} as const

/** Adds all of it to an account that has nothing yet; ends with fresh statistics. */
export async function addLargeCustomer(
  pool: pg.Pool,
  { accountId, size }: { accountId: string; size: CustomerSize },
): Promise<void> {
  await addLibrary(pool, {
    texts: size.texts,
    collections: 1,
    videosEach: 0,
    accountId,
    transcript: {
      ...SHORT,
      segments: [{ startMs: 0, endMs: 2_000, text: 'A word or two of a talk.' }],
    },
  })
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('set session_replication_role = replica')
    await client.query('set synchronous_commit = off')
    for (const [statement, ...values] of statementsOf(accountId, size))
      await client.query(String(statement), values)
    await addLongText(client, accountId, size.words)
    await client.query(MOVEMENTS, [accountId])
    await countTexts(client)
    await client.query('vacuum (analyze)')
  } finally {
    client.release(true)
  }
}

const SHORT = { languageCode: 'en', trackKind: 'asr', source: null } as const
const LINE_CHARS = 4_000
/** A followed list is looked at once an hour at most. */
const LOOKS_A_MONTH = 31 * 24
const SEGMENT_WORDS = 12
const WORD_MS = 300

/** What a preview says about a line. */
function findingOf(at: number): Finding {
  return newFinding(lineOf(at), { kind: 'channel', name: `/@c${at}`, tab: null })
}

function lineOf(at: number): string {
  return `https://www.youtube.com/@c${at}?`.padEnd(LINE_CHARS, 'x')
}

/** A text of many words with the time of each, in segments of a spoken line. */
function longTranscript(words: number): Transcript {
  const chars = 'word'.length
  const segments = Array.from({ length: Math.ceil(words / SEGMENT_WORDS) }, (_, at): Segment => ({
    startMs: at * SEGMENT_WORDS * WORD_MS,
    endMs: (at + 1) * SEGMENT_WORDS * WORD_MS,
    text: Array.from({ length: SEGMENT_WORDS }, () => 'word').join(' '),
    words: Array.from({ length: SEGMENT_WORDS }, (_one, nth) => {
      return { chars, offsetMs: nth * WORD_MS, confidence: null }
    }),
  }))
  return { ...SHORT, segments }
}

async function addLongText(client: pg.PoolClient, accountId: string, words: number): Promise<void> {
  const { body, recorded, wordTimes } = await storeTranscript(longTranscript(words), FORMATS)
  const id = LARGELY_OWNED.wordsJob
  await client.query(JOBS, [accountId, id, 1, lineOf(0)])
  await client.query(
    'update job set success = 1, no_captions = 0, charged_micros = 8000, slots_used = 1 where id = $1',
    [id],
  )
  await client.query(
    `insert into video_row (job_id, index, source, video_id, title, url, channel_name, status, label, language_code,
      track_kind, done, finished_at)
    values ($1, 1, 1, 'longerTalk1', 'A long talk', 'https://www.youtube.com/watch?v=longerTalk1', 'A channel', 'success',
      'Delivered', 'en', 'asr', 1, now())`,
    [id],
  )
  await client.query(
    `insert into transcript (job_id, index, text_hash, words) values ($1, 1, repeat('a', 64), $2)`,
    [id, words],
  )
  await client.query(BODY, [id, body, packRecorded(recorded), wordTimes])
  await client.query(
    `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
    values ($1, repeat('b', 64), 'longerTalk1', 'delivered', 0, $2, now())`,
    [accountId, id],
  )
}

const BODY = `insert into transcript_body (job_id, index, body, recorded, word_times) values ($1, 1, $2, $3, $4)`
/**
 * Jobs of an account: the beginning of their ids, how many, and the line of each. They ended two days ago, since the
 * service sums those of today from time to time.
 */
const JOBS = `insert into job (id, account_id, state, created_at, finished_at, urls, url_set_hash, language, formats,
    max_videos, requested_max_videos, notices, reserved_micros, charged_micros, attempt, started_at, is_planned,
    slots_used, discovered, processed, no_captions)
  select case when $3::int = 1 then $2::text else $2::text || n end, $1::text, 'finished', ended, ended, array[replace($4::text, '@c0?', '@c' || n || '?')], md5($2 || n) || md5('set' || n),
    'original', array['text', 'srt', 'vtt', 'segments'], 1, 1, '{}', 8000, 0, 1, ended, true, 0, 1, 1, 1
  from generate_series(1, $3::int) n, lateral (select now() - interval '2 days' - n * interval '1 minute') as d (ended)`

/** What each job moved. Numbers are below zero, since the account's own entries go on counting upwards. */
const MOVEMENTS = `insert into ledger_entry (account_id, number, kind, posted_micros, held_micros, reference, job_id,
    created_at, previous_hash, hash)
  select account_id, -row_number() over (order by created_at desc, place desc), kind, posted, held, kind || ':' || id, id,
    created_at, repeat('0', 64), repeat('0', 64)
  from job, lateral (values (1, 'reserve', 0, reserved_micros), (2, 'charge', -charged_micros, -charged_micros),
    (3, 'release', 0, charged_micros - reserved_micros)) as moved (place, kind, posted, held)
  where account_id = $1 and held <> 0`

/** Returns each statement with its values. */
function statementsOf(accountId: string, size: CustomerSize): (string | number)[][] {
  const { channels, unchanged, jobs, projectVideos, batches, batchLines, followed, accounts } = size
  const video = (n: string): string => `substr(md5('${LARGE_CHANNEL}' || ${n}), 1, 11)`
  const texts = `'job-${LARGE_CHANNEL}-' || (n - 1) / 500, (n - 1) % 500 + 1`
  return [
    [JOBS, accountId, 'job-c-', channels, lineOf(0)],
    [
      `insert into job_source (job_id, position, line, state, listed, collection_id, subject)
      select 'job-c-' || n, 1, replace($1, '@c0?', '@c' || n || '?'), 'listed', 1, 'UCc' || n, '/@c' || n
      from generate_series(1, $2::int) n`,
      lineOf(0),
      channels,
    ],
    [
      `insert into collection (account_id, id, kind, title, is_ordered, video_count, videos, delivered, deliveries,
        looked_at, languages, order_name, order_job_id)
      select $1, 'UCc' || n, 'channel', 'Channel ' || n, true, 1, 1, 1, 1, now(), '{en}', '/@c' || n, 'job-c-' || n
      from generate_series(1, $2::int) n`,
      accountId,
      channels,
    ],
    [
      `insert into collection_video (account_id, collection_id, video_id, status, job_id, index)
      select $1, 'UCc' || n, ${video('n')}, 'success', ${texts} from generate_series(1, $2::int) n`,
      accountId,
      Math.min(channels, size.texts),
    ],
    [
      `insert into job_source (job_id, position, line, state, listed, collection_id, subject)
      select id, 1, urls[1], 'listed', success, '${LARGE_CHANNEL}', '/channel/${LARGE_CHANNEL}'
      from job where account_id = $1 and id like 'job-UC%'`,
      accountId,
    ],
    [JOBS, accountId, LARGELY_OWNED.unchangedJob, 1, lineOf(0)],
    [
      `update job set unchanged = $2, discovered = $2, processed = $2, no_captions = 0 where id = $1`,
      LARGELY_OWNED.unchangedJob,
      unchanged,
    ],
    [
      `insert into video_row (job_id, index, source, video_id, title, url, channel_name, status, label, language_code,
        track_kind, done, finished_at)
      select $1, n, 1, ${video('n')}, 'Talk ' || n, 'https://www.youtube.com/watch?v=' || ${video('n')}, 'A channel',
        'unchanged', 'Unchanged', 'en', 'asr', n, now()
      from generate_series(1, $2::int) n`,
      LARGELY_OWNED.unchangedJob,
      unchanged,
    ],
    [
      `insert into project (id, account_id, name, videos)
      select case n when 1 then $2 else 'prj_' || md5(n::text) end, $1, 'Project ' || n, case n when 1 then $3::int else 0 end
      from generate_series(1, 150) n`,
      accountId,
      LARGELY_OWNED.project,
      projectVideos,
    ],
    [
      `insert into project_video (account_id, project_id, video_id, language_code, track_kind, job_id, index)
      select $1, $2, ${video('n')}, 'en', 'asr', ${texts} from generate_series(1, $3::int) n`,
      accountId,
      LARGELY_OWNED.project,
      projectVideos,
    ],
    [
      `insert into batch (id, account_id, urls, url_set_hash, language, formats, max_videos, skips_owned, notices, state,
        created_at, due_at, finished_at)
      select 'batch_' || n, $1, array(select 'https://www.youtube.com/@c' || n || '?' || repeat('x', 30) from generate_series(1, $3::int)),
        'h' || n, 'en', '{text}', 9, true, '{}', 'finished', now() - n * interval '1 minute', null, now() - n * interval '1 minute'
      from generate_series(1, $2::int) n`,
      accountId,
      batches,
      batchLines,
    ],
    [JOBS, accountId, 'job-o-', jobs, 'https://www.youtube.com/@c0?'],
    [
      `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
      select $1, md5('job-o-' || n) || md5('set' || n), ${video('n')}, 'delivered', 0, 'job-o-' || n, now()
      from generate_series(1, $2::int) n`,
      accountId,
      jobs,
    ],
    [
      `insert into preview (id, account_id, request_hash, url_set_hash, urls, language, formats, max_videos,
        requested_max_videos, notices, state, findings, ends_at, counted_at, expires_at)
      select $2, $1, 'r', 's', array_agg(f->>'line'), 'original', '{text}', 1000, 1000, '{}', 'ready',
        jsonb_build_object('sources', $3::jsonb, 'usualShare', 1, 'undated', 0, 'notices', '[]'::jsonb, 'trial', null),
        now(), now(), now() + interval '1 day' from jsonb_array_elements($3::jsonb) f`,
      accountId,
      LARGELY_OWNED.preview,
      JSON.stringify(Array.from({ length: LIMITS.urlsMax }, (_, at) => findingOf(at))),
    ],
    [
      `insert into webhook (id, account_id, kind, url, events, secret)
      values ($2, $1, 'http', 'https://hooks.example.org/x', '{job.finished}', 'sealed')`,
      accountId,
      LARGELY_OWNED.webhook,
    ],
    [
      `insert into webhook_delivery (id, webhook_id, job_id, type, state, attempts)
      select 'dlv_' || n, $1, 'job-o-' || n, 'job.finished', 'failed', 1 from generate_series(1, $2::int) n`,
      LARGELY_OWNED.webhook,
      jobs,
    ],
    [
      `insert into webhook_attempt (delivery_id, number, started_at, duration_ms, url, outcome, status, reply)
      select 'dlv_' || n, 1, now(), 9, 'https://hooks.example.org/x', 'refused', 500, repeat('x', 1000)
      from generate_series(1, $1::int) n`,
      jobs,
    ],
    [
      `insert into subscription (id, account_id, line, url_set_hash, language, formats, backlog, cap_micros, title, known,
        next_look_at)
      select 'sub_' || n, $1, replace($2, '@c0?', '@c' || n || '?'), 'h' || n, 'original', '{text}', 0, 1000000, 'Channel ' || n,
        array(select ${video('m')} from generate_series(1, 100) m), now() + interval '1 year'
      from generate_series(1, $3::int) n`,
      accountId,
      lineOf(0),
      followed,
    ],
    [
      `insert into subscription_job (subscription_id, slot, job_id, month)
      select 'sub_1', n, 'job-o-' || n, to_char(now(), 'YYYY-MM') from generate_series(1, $1::int) n`,
      Math.min(jobs, LOOKS_A_MONTH),
    ],
    [
      `insert into account (id, email, jobs, beneficiary)
      select 'other-' || n, 'other-' || n || '@example.org', 1, 'other-' || n
      from generate_series(1, $1::int) n`,
      accounts,
    ],
    [
      `insert into balance (account_id) select 'other-' || n from generate_series(1, $1::int) n`,
      accounts,
    ],
    [
      `update account set jobs = (select count(*) from job where account_id = $1) where id = $1`,
      accountId,
    ],
  ]
}

/**
/**
 * Old jobs, made by SQL in bulk: finished jobs with their sources, rows, transcripts, history and ledger entries, a
 * tenth of them the measured account's own. Hashes and texts are made up.
 */
import type pg from 'pg'
import { countTexts } from '../support/count-texts.ts'

/** Old accounts beside the measured one. */
const ACCOUNTS = 1_000
const TABLES =
  'account, api_key, rate_bucket, balance, ledger_entry, job, job_source, video_row, transcript, transcript_body, history'

/** Adds old jobs, every tenth of which belongs to `accountId`. Ends with fresh statistics. */
export async function addOldRows(
  pool: pg.Pool,
  { accountId, jobs, rowsPerJob }: { accountId: string; jobs: number; rowsPerJob: number },
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    // The rows refer to one another as they should; checking each reference would double the time.
    await client.query('set session_replication_role = replica')
    await client.query('set synchronous_commit = off')
    await addAccounts(client)
    for (const statement of STATEMENTS) await client.query(statement, [jobs, rowsPerJob, accountId])
    await client.query(
      'update account set jobs = (select count(*) from job where account_id = $1) where id = $1',
      [accountId],
    )
    await countTexts(client)
    // The vacuum runs now, or the database would start one while the plans are asked for.
    await client.query(`vacuum (analyze) ${TABLES}`)
  } finally {
    client.release(true)
  }
}

async function addAccounts(client: pg.PoolClient): Promise<void> {
  const given = [ACCOUNTS]
  await client.query(
    `insert into account (id, email)
    select 'old-' || a, 'old-' || a || '@example.org' from generate_series(0, $1::int - 1) a on conflict do nothing`,
    given,
  )
  await client.query(
    `insert into balance (account_id)
    select 'old-' || a from generate_series(0, $1::int - 1) a on conflict do nothing`,
    given,
  )
  await client.query(
    `insert into api_key (id, account_id, name, prefix, secret_hash, bucket, bucket_size, refill)
    select 'old-key-' || a, 'old-' || a, 'old', 'old', sha256(('old' || a)::bytea), 'old-key-' || a, 60, 1
    from generate_series(0, $1::int - 1) a on conflict do nothing`,
    given,
  )
  await client.query(
    `insert into rate_bucket (id, tokens, updated_at)
    select 'old-key-' || a, 60, now() from generate_series(0, $1::int - 1) a on conflict do nothing`,
    given,
  )
}

/**
 * Each job: its number, its account and its time. The text names all three parameters, so that every statement can be
 * given them.
 */
const OLD_JOBS = `select g, 'old-job-' || g as id,
    case when g % 10 = 0 then $3::text else 'old-' || g % ${ACCOUNTS} end as account_id,
    md5('set' || g) || md5('url' || g) as url_set_hash,
    timestamptz '2025-01-01' + g * interval '20 seconds' as at
  from generate_series(1, $1::int) g where $2::int > 0 and $3::text is not null`
const WITH = `with old as (${OLD_JOBS})`
const OLD_ROWS = 'select j.*, i from old j, generate_series(1, $2::int) i'

const TEXT = "decode(url_set_hash, 'hex')"

const STATEMENTS = [
  `insert into job (id, account_id, state, created_at, finished_at, urls, url_set_hash, language, formats,
      max_videos, requested_max_videos, notices, reserved_micros, charged_micros, attempt, started_at,
      is_planned, slots_used, discovered, processed, success)
    ${WITH} select id, account_id, 'finished', at, at + interval '9 seconds', array['https://example.org/' || g], url_set_hash,
      'original', array['text', 'srt', 'vtt', 'segments'], $2, $2, array[]::text[], $2::bigint * 8000, $2::bigint * 8000, 1, at,
      true, $2, $2, $2, $2 from old`,
  `insert into job_source (job_id, position, line, state, listed)
    ${WITH} select id, 1, 'https://example.org/' || g, 'listed', $2 from old`,
  `insert into video_row (job_id, index, source, video_id, title, url, channel_name, published_at, status, label,
      language_code, track_kind, done, finished_at)
    ${WITH} select id, i, 1, 'v' || g || '-' || i, 'An old video, number ' || i, 'https://example.org/watch?v=' || g || '-' || i,
      'An old channel', '2024-12-24T10:00:00+00:00', 'success', 'Delivered', 'en', 'asr', i, at + interval '9 seconds'
    from (${OLD_ROWS}) r`,
  `insert into transcript (job_id, index, text_hash, words) ${WITH} select id, i, url_set_hash, 900 from (${OLD_ROWS}) r`,
  `insert into transcript_body (job_id, index, body, recorded)
    ${WITH} select id, i, ${TEXT}, decode(repeat(url_set_hash, 7), 'hex') from (${OLD_ROWS}) r`,
  `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at, published_at)
    ${WITH} select account_id, url_set_hash, 'v' || g || '-' || i, 'delivered', 0, id, at, '2024-12-24T10:00:00+00:00' from (${OLD_ROWS}) r`,
  // Numbers are below zero, since the measured account's own entries go on counting upwards.
  `insert into ledger_entry (account_id, number, kind, posted_micros, held_micros, reference, job_id, created_at, previous_hash, hash)
    ${WITH} select account_id, - 2 * g - e.place, e.kind, e.sign * $2::bigint * 8000 * e.posted, e.sign * $2::bigint * 8000, e.kind || ':' || id, id, at,
      url_set_hash, url_set_hash
    from old, (values (0, 'reserve', 1, 0), (1, 'charge', -1, 1)) as e (place, kind, sign, posted)`,
]

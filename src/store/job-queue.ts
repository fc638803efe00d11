/**
 * The queue of jobs. A job's row is its task: it waits while it is open and no worker holds it. A claim is the job's
 * next attempt, whose number every write of the worker names. While a worker holds a job, its heartbeat counts up; a
 * heartbeat that stands still belongs to a worker that is gone (model/jobs/attempt.ts).
 */
import { run, statement, WITHOUT_FLUSH } from '../kit/postgres/statement.ts'
import type { Attempt, Held } from '../model/jobs/attempt.ts'
import type { Db } from './database.ts'
import { PROGRESS_COLUMNS, type SourceProgress } from './job-sources.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, toJob } from './jobs.ts'

/** SQL for the jobs that wait and were never laid aside: those of the index `job_waiting`. */
const CLAIMABLE = `state in ('queued', 'running', 'cancelling') and not is_held and waits_until is null`
/** Number of accounts that stand in line; where more wait, those whose ids follow one that is drawn for each claim. */
export const ACCOUNTS_IN_LINE = 250
/** SQL for the first job of the next account, of those where the condition holds. */
const nextHead = (condition: string, turn: number): string =>
  `(select account_id, waits_since, ${turn} from job where ${CLAIMABLE} and ${condition} order by account_id, waits_since limit 1)`
/**
 * SQL for what the line is made of: the job of each account that has waited longest (`heads`), and jobs whose time
 * aside is over, by their ids; and of accounts with jobs that were claimed before, the places that each holds over all
 * workers and when it was served. Each account is found by a step of an index, in a circle that begins anywhere, so
 * that a claim takes no longer for a long line, and nobody stands outside of it for long. A job that waits since the
 * future was laid aside before the database's clock was set back.
 */
const LINE = `begin as materialized (
    select 'acc_' || md5(random()::text) as id
  ), circle as (
    select id as account_id, null::timestamptz as waits_since, 0 as turn from begin
    union all
    select next.* from circle c cross join lateral (
      ${nextHead('c.turn = 0 and account_id > c.account_id', 0)}
      union all
      ${nextHead('c.turn = 0 and account_id <= (select id from begin)', 1)}
      union all
      ${nextHead('c.turn = 1 and account_id > c.account_id and account_id <= (select id from begin)', 1)}
      limit 1) next
  ), heads as (
    (select account_id, waits_since, null as aside_id from circle where waits_since is not null limit ${ACCOUNTS_IN_LINE})
    union all
    select account_id, waits_since, id from job
    where state in ('queued', 'running', 'cancelling') and waits_until is not null and not is_held
      and (waits_until <= now() or waits_since > now() + interval '1 minute' or state = 'cancelling')
  ), accounts as materialized (
    select account_id, (count(*) filter (where is_held))::int as places, max(waits_since) as served_at
    from job where state in ('queued', 'running', 'cancelling') and attempt > 0 group by account_id
  )`
/**
 * SQL for the heads in line. The next job belongs to the account that holds the fewest places; among equals, to the
 * account that was served longest ago. An account that was never served, or whose last job delivered something, goes
 * before those that were served within the last minute: not before all, or a stream of newcomers could keep an account
 * out. Within an account, the job that has waited longest goes first.
 */
const inLine = (condition = 'true'): string => `
    select h.account_id, h.aside_id from heads h left join accounts a on a.account_id = h.account_id where ${condition}
    order by coalesce(a.places, 0), coalesce(
      greatest(a.served_at, (select served_at from balance where account_id = h.account_id)), -- by its key: no join
      h.waits_since - interval '1 minute'), h.waits_since`

/**
 * $1: accounts that are left out. A job that another worker is claiming is skipped. The commit waits for the disk,
 * since an attempt's number fences its writes and no crash of the server may give it out twice.
 */
const CLAIM_JOB = statement<Attempt>(
  'claim-job',
  `
  with recursive ${LINE}, next as (
    select found.id from (${inLine('h.account_id <> all($1::text[])')}) h cross join lateral (
      select * from (select id from job where ${CLAIMABLE} and account_id = h.account_id and h.aside_id is null
        order by account_id, waits_since limit 1 for update skip locked) head
      union all
      select * from (select id from job where id = h.aside_id and not is_held for update skip locked) aside
    ) found limit 1
  )
  update job j set attempt = j.attempt + 1, is_held = true, heartbeat = j.heartbeat + 1
  from next where j.id = next.id
  returning j.id as "jobId", j.account_id as "accountId", j.attempt as number`,
)

/** Claims the next waiting job, except those of `exceptAccounts`; null where none waits. */
export async function claimJob(db: Db, exceptAccounts: readonly string[]): Promise<Attempt | null> {
  const [claimed] = await run(db, CLAIM_JOB, [exceptAccounts])
  return claimed ?? null
}

/** The account whose job is claimed next, and how many places over all workers the accounts hold that hold any. */
export type Line = { accountId: string | null; places: Record<string, number> }

const READ_LINE = statement<Line>(
  'read-line',
  `
  with recursive ${LINE}
  select (select coalesce(json_object_agg(account_id, places), '{}') from accounts) as places,
    (select account_id from (${inLine()} limit 1) h) as "accountId"`,
)

/** Returns whose job is next, without claiming it. */
export async function readLine(db: Db): Promise<Line> {
  const [line] = await run(db, READ_LINE, [])
  return line ?? { accountId: null, places: {} }
}

/** $1: jobs, $2: their attempts. Rows are locked in the order of their ids. */
const BEAT = statement<object>(
  'beat',
  `
  with mine as (
    select j.id from job j join unnest($1::text[], $2::int[]) as m (id, attempt) on m.id = j.id
    where j.attempt = m.attempt and j.is_held order by j.id for no key update of j
  )
  update job j set heartbeat = j.heartbeat + 1 from mine where j.id = mine.id and ${WITHOUT_FLUSH}`,
)

/** Counts up the heartbeats of these attempts; attempts that are over stay as they are. */
export async function beat(db: Db, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return
  await run(db, BEAT, [attempts.map(({ jobId }) => jobId), attempts.map(({ number }) => number)])
}

const LIST_HELD = statement<Held>(
  'list-held',
  `select id as "jobId", attempt, heartbeat from job
  where state in ('queued', 'running', 'cancelling') and attempt > 0 and is_held
    and current_setting('transaction_read_only') = 'off'`,
)

/**
 * The jobs that workers hold, with their heartbeats; none while the database is read-only, since a worker that cannot
 * write its heartbeat is not silent.
 */
export function listHeld(db: Db): Promise<Held[]> {
  return run(db, LIST_HELD, [])
}

/** $1: the job, $2: its attempt, $3: its heartbeat. */
const TAKE_BACK = statement<{ id: string }>(
  'take-back',
  `update job set is_held = false, is_lost = true
  where id = $1 and attempt = $2 and heartbeat = $3 and is_held returning id`,
)

/**
 * Takes a job back from a worker that fell silent. Returns false where its heartbeat went on or the attempt is over.
 */
export async function takeBack(db: Db, { jobId, attempt, heartbeat }: Held): Promise<boolean> {
  return (await run(db, TAKE_BACK, [jobId, attempt, heartbeat])).length > 0
}

// The first attempt of a job is begun with what its planning asks first, since each read would cost a round trip.

/** Findings of planning when a job is begun for the first time. */
export type PlanStart = {
  sources: SourceProgress[]
  /** How many of the account's videos were refused today (UTC). */
  refusedToday: number
  /**
   * Whether the account's history has nothing of the URL set: no job has tried a video of it, and none can until this
   * one is final.
   */
  isNewSet: boolean
}

/** Begins a queued job without a flush: if a crash of the server undoes it, nobody has begun the job. */
const BEGIN_FIRST = statement<JobRow & PlanStart>(
  'begin-first',
  `
  with begun as (
    update job set state = 'running', started_at = now()
    where id = $1 and state = 'queued' and attempt = 1 and ${WITHOUT_FLUSH}
    returning *
  )
  select ${JOB_COLUMNS},
    (select coalesce(json_agg(row_to_json(s) order by s.position), '[]') from (
      select ${PROGRESS_COLUMNS} from job_source where job_id = begun.id) s) as sources,
    (select coalesce(max(f.refused), 0) from free_calls f
      where f.account_id = (select coalesce(beneficiary, id) from account where id = begun.account_id)
        and f.day = (now() at time zone 'utc')::date) as "refusedToday",
    not exists (select from history h
      where h.account_id = begun.account_id and h.url_set_hash = begun.url_set_hash) as "isNewSet"
  from begun`,
)

/** Begins a job that was claimed for the first time. Returns null for any other job, which stays as it is. */
export async function beginFirst(
  db: Db,
  jobId: string,
): Promise<{ job: JobRecord; start: PlanStart } | null> {
  const [row] = await run(db, BEGIN_FIRST, [jobId])
  if (row === undefined) return null
  const { sources, refusedToday, isNewSet, ...job } = row
  return { job: toJob(job), start: { sources, refusedToday, isNewSet } }
}

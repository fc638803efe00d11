/**
 * The order of waiting tasks, fair by account, as SQL over pg-boss's table. Next is a task of the account
 * that has the fewest slots over all workers; among equals, of the account that was served longest ago. One
 * that has nothing at work goes before those that were served within the last minute: not before all, or a
 * stream of newcomers could keep an account out. Of an account's tasks the one goes first that waits longest;
 * what was handed back waits from then on.
 *
 * Reads the waiting and the active tasks, which MAX_ACTIVE_JOBS bounds, by pg-boss's own partial indexes.
 */
import { statement, WITHOUT_FLUSH } from '../kit/postgres/statement.ts'

/** `delivery` counts redeliveries: an older holder of the task settles and touches nothing. */
export type Task = {
  id: string
  delivery: number
  jobId: string
  accountId: string
  /** No other was waiting when it was taken, but of accounts that were left out. */
  isLast: boolean
}

/**
 * An account's task in the order in which they will be taken. `slots`: of its account, those before it in
 * line included. `isNew`: the account has nothing at work, nor between two turns.
 */
export type WaitingTask = { accountId: string; slots: number; isNew: boolean }

type CrowdRow = { slots: Record<string, number>; waiting: WaitingTask[] }

/** Of each account only so many are looked at: as many workers can claim one of its tasks at the same moment. */
const FIRST_OF_ACCOUNT = 8

/**
 * $1: the queue's name, $2: accounts to leave out. `slots`: as if those before it had been taken. No task
 * waits for its `start_after`, which only orders: after a clock that was set back it lies in the future.
 */
const RANKED = `
  held as (
    select group_id, count(*)::int as slots, max(started_on) as served_at from pgboss.job
    where name = $1 and state = 'active' and group_id is not null group by group_id
  ), waiting as (
    select id, group_id, start_after, max(started_on) over (partition by group_id) as served_at,
      row_number() over (partition by group_id order by start_after)::int as turn
    from pgboss.job
    where name = $1 and state < 'active' and not blocked
      and group_id <> all($2::text[])
  ), ranked as (
    select w.id, w.group_id, coalesce(h.slots, 0) + w.turn - 1 as slots,
      coalesce(greatest(h.served_at, w.served_at), w.start_after - interval '1 minute') as since,
      coalesce(h.served_at, w.served_at) is null as is_new, w.start_after as waits_since
    from waiting w left join held h using (group_id) where w.turn <= ${FIRST_OF_ACCOUNT}
  )`
const IN_ORDER = 'order by slots, since, waits_since'

/**
 * Claims up to $3 tasks, as pg-boss's own fetch does: a claim counts up, and a task that another worker is
 * claiming right now is passed over. Undone by a crash, it delivers the task again, which may happen at any time.
 */
export const CLAIM_TASKS = statement<Task>(
  'claim-tasks',
  `
  with ${RANKED}, next as (
    select j.id from pgboss.job j join (select id, slots, since, waits_since from ranked) r using (id)
    where j.name = $1 and j.state < 'active'
    ${IN_ORDER} limit $3 for update of j skip locked
  )
  update pgboss.job j set state = 'active', started_on = pgboss.job_now(), heartbeat_on = pgboss.job_now(),
    retry_count = case when started_on is null then retry_count else retry_count + 1 end
  from next where j.name = $1 and j.id = next.id and ${WITHOUT_FLUSH}
  returning j.id, j.retry_count as delivery, j.data ->> 'jobId' as "jobId", j.group_id as "accountId",
    (select count(*) from ranked) <= $3 as "isLast"`,
)

/** Ends the task $2 of the queue $1 for who took its delivery $3, as pg-boss's own `complete` does. */
export const COMPLETE_TASK = statement<object>(
  'complete-task',
  `
  update pgboss.job j set state = 'completed', completed_on = pgboss.job_now(), output = null
  where j.name = $1 and j.id = $2 and j.retry_count = $3 and j.state = 'active' and ${WITHOUT_FLUSH}`,
)

/** The first $3 waiting tasks, and the slots that accounts hold. */
export const READ_CROWD = statement<CrowdRow>(
  'read-crowd',
  `
  with ${RANKED}
  select (select coalesce(jsonb_object_agg(group_id, slots), '{}') from held) as slots,
    (select coalesce(jsonb_agg(jsonb_build_object('accountId', group_id, 'slots', slots, 'isNew', is_new) ${IN_ORDER}), '[]')
      from (select * from ranked ${IN_ORDER} limit $3) first) as waiting`,
)

/**
 * Active tasks count as heard of now where nobody looked for silent ones within the last $2 seconds, or
 * where the last look lies in the future, since the clock was set back.
 */
export const FORGIVE_SILENCE = statement<object>(
  'forgive-silence',
  `
  with gap as (
    update pgboss.queue set monitor_claim_on = null, monitor_on = null where name = $1
      and abs(extract(epoch from pgboss.job_now() - coalesce(monitor_claim_on, monitor_on))) > $2
    returning name
  )
  update pgboss.job j set heartbeat_on = pgboss.job_now() from gap
  where j.name = gap.name and j.state = 'active'`,
)

/**
 * Adds the task of the job $2 of the account $3 to the queue $1, and returns one row. It writes what pg-boss's own
 * `send` does (a test compares them).
 */
export const ADD_TASK = statement<{ id: string }>(
  'add-task',
  `
  insert into pgboss.job (name, data, priority, start_after, created_on, keep_until, group_id, expire_seconds,
    deletion_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter,
    heartbeat_seconds)
  select q.name, jsonb_build_object('jobId', $2::text, 'accountId', $3::text), 0, t.now, t.now,
    t.now + q.retention_seconds * interval '1 second', $3, q.expire_seconds,
    q.deletion_seconds, q.retry_limit, q.retry_delay, coalesce(q.retry_backoff, false), q.retry_delay_max,
    q.policy, q.dead_letter, q.heartbeat_seconds
  from pgboss.queue q cross join (select pgboss.job_now() as now) t where q.name = $1
  returning id`,
)

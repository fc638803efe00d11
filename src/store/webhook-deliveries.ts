/**
 * The tables `webhook_delivery` and `webhook_attempt`: what webhooks are to be sent, what they were sent, and their
 * replies.
 */
import { sql } from 'kysely'
import type { AttemptOutcome, EventType } from '../model/webhooks/webhook.ts'
import { type Db, query, type Tx } from './database.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, toJob } from './jobs.ts'
import { NEW_DELIVERY_ID } from './timelines.ts'

const NEW_ID = sql.raw(NEW_DELIVERY_ID)

/** Inserts deliveries that are due at once. Every attempt sends `subscription`, which is as the API shows it now. */
export async function insertSubscriptionDeliveries(
  tx: Tx,
  receivers: { webhookId: string; type: EventType }[],
  subscription: object,
): Promise<void> {
  await sql`
    insert into webhook_delivery (id, webhook_id, type, subscription, due_at)
    select ${NEW_ID}, r.webhook_id, r.type, ${JSON.stringify(subscription)}::json, now()
    from unnest(${receivers.map(({ webhookId }) => webhookId)}::text[], ${receivers.map(({ type }) => type)}::text[]) r (webhook_id, type)
  `.execute(tx)
}

/** Inserts a test delivery that is due at once. Returns its id. */
export async function insertTest(tx: Tx, webhookId: string): Promise<string> {
  return query<{ id: string }>`
    insert into webhook_delivery (id, webhook_id, type, due_at)
    values (${NEW_ID}, ${webhookId}, 'webhook.test', now()) returning id
  `.value(tx)
}

/**
 * Returns webhooks that have a delivery due and fewer than `perWebhook` under way: those with the fewest first, then
 * those that have waited longest. The statement steps from one webhook to the next over the index, however many
 * deliveries each has.
 */
export async function findDue(
  db: Db,
  { perWebhook, max }: { perWebhook: number; max: number },
): Promise<string[]> {
  return query<{ webhookId: string }>`
    with recursive waiting as (
      (select webhook_id from webhook_delivery where state = 'pending' order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_delivery d
        where d.state = 'pending' and d.webhook_id > w.webhook_id order by d.webhook_id limit 1)
      from waiting w where w.webhook_id is not null
    )
    select k.id as "webhookId" from waiting w join webhook k on k.id = w.webhook_id, lateral (
      select d.due_at from webhook_delivery d where d.webhook_id = k.id and d.state = 'pending'
      order by d.due_at limit 1) first, ${BUSY}
    where k.disabled_at is null and first.due_at <= now() and busy.count < ${perWebhook}::int
    order by busy.count, first.due_at limit ${max}
  `.values(db)
}

/** SQL for how many attempts of webhook `k` are under way. */
const BUSY = sql`lateral (select count(*) as count from webhook_delivery u
      where u.webhook_id = k.id and u.state = 'pending' and u.leased_until > now()) busy`

type BegunDelivery = {
  deliveryId: string
  type: EventType
  /** The number of the attempt that begins; a later attempt fences it off. */
  number: number
  /** The attempt's number within the present round of the schedule. */
  numberOfRound: number
  madeAt: Date
  /** When the attempt begins, by PostgreSQL's clock, which receivers are told. */
  claimedAt: Date
  webhookId: string
  ownerId: string
  email: string
  /** Null for a delivery by mail. */
  url: string | null
  /** The sealed secrets, the newest first; empty for a mail. */
  secrets: string[]
  /** The subscription as the API showed it when the event happened; null for other events. */
  subscription: object | null
}
/** `job` is the final one; null for a test and for a subscription's event. */
export type ClaimedDelivery = BegunDelivery & { job: JobRecord | null }

type ClaimedRow = BegunDelivery & (JobRow | { id: null })

/**
 * Begins attempts of webhooks that the caller has locked, so that what other processes began is seen and no more than
 * `perWebhook` are under way over all of them. Where not all fit into `max`, the webhooks take turns, so that slow
 * receivers delay no others. An attempt that is not ended within the lease counts as lost, and is due again.
 */
export async function claimDeliveries(
  tx: Tx,
  {
    webhookIds,
    perWebhook,
    max,
    leaseSeconds,
  }: { webhookIds: string[]; perWebhook: number; max: number; leaseSeconds: number },
): Promise<ClaimedDelivery[]> {
  const lease = sql`now() + make_interval(secs => ${leaseSeconds}::double precision)`
  const rows = await query<ClaimedRow>`
    with next as (
      select d.id from unnest(${webhookIds}::text[]) as k (id),
        ${BUSY}, lateral (
        select id, due_at, busy.count + row_number() over (order by due_at) as turn from webhook_delivery
        where webhook_id = k.id and state = 'pending' and due_at <= now()
        order by due_at limit greatest(0, ${perWebhook}::int - busy.count)) d
      order by d.turn, d.due_at limit ${max}
    ), claimed as (
      update webhook_delivery d set attempts = attempts + 1, leased_until = ${lease}, due_at = ${lease}
      from next where d.id = next.id returning d.*
    )
    select c.id as "deliveryId", c.type, c.attempts as number, c.attempts - c.attempts_before as "numberOfRound",
      c.created_at as "madeAt", clock_timestamp() as "claimedAt", c.subscription, k.id as "webhookId",
      k.account_id as "ownerId", a.email, k.url,
      array_remove(array[k.secret, case when k.old_secret_until > now() then k.old_secret end], null) as secrets, j.*
    from claimed c join webhook k on k.id = c.webhook_id join account a on a.id = k.account_id
    left join lateral (select ${sql.raw(JOB_COLUMNS)} from job where id = c.job_id) j on true
  `.rows(tx)
  return rows.map((row) => ({ ...row, job: row.id === null ? null : toJob(row) }))
}

type Claim = { deliveryId: string; number: number }

export type AttemptResult = {
  startedAt: Date
  durationMs: number
  url: string
  outcome: AttemptOutcome
  /** The status of the reply; null where there was none. */
  status: number | null
  /** A sentence where there was no reply. */
  error: string | null
  /** The beginning of the reply. */
  reply: string | null
}

/**
 * Ends an attempt and logs it; a null `retrySeconds` means that no further attempt follows. Returns false, and changes
 * nothing, where another attempt took over or the delivery is gone.
 */
export async function recordAttempt(
  tx: Tx,
  { deliveryId, number }: Claim,
  result: AttemptResult,
  retrySeconds: number | null,
): Promise<boolean> {
  const isDelivered = result.outcome === 'delivered'
  const state = isDelivered ? 'delivered' : retrySeconds === null ? 'failed' : 'pending'
  return query<{ id: string }>`
    with ended as (
      update webhook_delivery set state = ${state}, leased_until = null,
        due_at = case when ${state} = 'pending' then now() + make_interval(secs => ${retrySeconds ?? 0}::double precision) end
      where id = ${deliveryId} and attempts = ${number} and state = 'pending' returning id
    ), written as (
      insert into webhook_attempt (delivery_id, number, started_at, duration_ms, url, outcome, status, error, reply)
      select id, ${number}::int, ${result.startedAt}, ${result.durationMs}::int, ${result.url}, ${result.outcome},
        ${result.status}::int, ${result.error}, ${result.reply} from ended
      on conflict do nothing
    )
    select id from ended
  `.anyRow(tx)
}

/**
 * Corrects waits after the clock was set back: nothing is due, and no lease ends, later than if it had been written
 * now. `retrySeconds` lists the waits after one failed attempt of the round, after two, and so on.
 */
export async function clampDue(
  db: Db,
  { retrySeconds, leaseSeconds }: { retrySeconds: readonly number[]; leaseSeconds: number },
): Promise<void> {
  await sql`
    update webhook_delivery d set due_at = now() + longest.wait,
      leased_until = case when d.leased_until is not null then now() + longest.wait end
    from webhook_delivery p, lateral (select make_interval(secs => case when p.leased_until is not null
      then ${leaseSeconds}::double precision
      else coalesce((${retrySeconds}::double precision[])[p.attempts - p.attempts_before], 0) end) as wait) longest
    where d.id = p.id and d.leased_until is not distinct from p.leased_until
      and p.state = 'pending' and d.state = 'pending' and p.due_at > now() + longest.wait
  `.execute(db)
}

/**
 * Gives back an attempt that was not made: the delivery is due at once and the schedule loses nothing. An attempt that
 * was logged stays.
 */
export async function giveBack(db: Db, { deliveryId, number }: Claim): Promise<void> {
  await sql`
    update webhook_delivery set leased_until = null, due_at = now(), attempts = attempts - 1
    where id = ${deliveryId} and attempts = ${number} and leased_until is not null
  `.execute(db)
}

/**
 * Makes a delivery due at once with the whole schedule ahead; one that is under way stays as it is. Returns false where
 * there is no such delivery.
 */
export async function replayDelivery(
  tx: Tx,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<boolean> {
  return query<{ id: string }>`
    with found as (
      select id from webhook_delivery where id = ${deliveryId} and webhook_id = ${webhookId}
    ), again as (
      update webhook_delivery d set state = 'pending', due_at = now(), attempts_before = attempts
      from found where d.id = found.id and (d.leased_until is null or d.leased_until <= now())
    )
    select id from found
  `.anyRow(tx)
}

/**
 * Makes up to `max` events since `since` due again, oldest first: jobs of the asked types that became final, even those
 * that the webhook was not told about while it was disabled, and the subscription events that it was told about.
 * Returns how many, and when the last of them happened.
 */
export async function replaySince(
  tx: Tx,
  { webhookId, since, max }: { webhookId: string; since: Date; max: number },
) {
  return query<{ replayed: number; lastAt: Date | null }>`
    with wanted as (
      (select w.id as webhook_id, j.id as job_id, null as delivery_id, 'job.' || j.state as type, j.finished_at as at
        from webhook w join job j on j.account_id = w.account_id
        where w.id = ${webhookId} and j.finished_at >= greatest(${since}, w.created_at)
          and 'job.' || j.state = any(w.events)
        order by j.finished_at, j.id limit ${max})
      union all (select webhook_id, null, id, type, created_at from webhook_delivery
        where webhook_id = ${webhookId} and created_at >= ${since} and subscription is not null
        order by created_at, id limit ${max})
      order by at, job_id, delivery_id limit ${max}
    ), told_again as (
      update webhook_delivery d set state = 'pending', due_at = now(), attempts_before = d.attempts
      from wanted where d.id = wanted.delivery_id and (d.leased_until is null or d.leased_until <= now())
    ), again as (
      insert into webhook_delivery as d (id, webhook_id, job_id, type, due_at)
      select ${NEW_ID}, webhook_id, job_id, type, now() from wanted where job_id is not null
      on conflict (webhook_id, job_id) where job_id is not null do update
        set state = 'pending', due_at = now(), attempts_before = d.attempts
        where d.leased_until is null or d.leased_until <= now()
    )
    select count(*)::int as replayed, max(at) as "lastAt" from wanted
  `.onlyRow(tx)
}

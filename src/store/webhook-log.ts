/** The log of a webhook: its deliveries, each with its attempts and the job or subscription that it was about. */
import { sql } from 'kysely'
import type { AttemptOutcome, DeliveryState, EventType } from '../model/webhooks/webhook.ts'
import { type Db, query } from './database.ts'
import { JOB_COLUMNS, type JobRecord, type JobRow, toJob } from './jobs.ts'

type LoggedAttempt = {
  number: number
  startedAt: string
  durationMs: number
  url: string
  outcome: AttemptOutcome
  status: number | null
  error: string | null
  reply: string | null
}

type DeliveryLog = {
  deliveryId: string
  type: EventType
  deliveryState: DeliveryState
  madeAt: Date
  /** When the next attempt is due; null where none follows, one is under way, or the webhook is disabled. */
  nextAttemptAt: Date | null
  /** The latest attempts, in order. */
  attempts: LoggedAttempt[]
  /** The subscription as the API showed it when the event happened; null for other events. */
  subscription: object | null
}
/** `job` is the final one; null for a test and for a subscription's event. */
export type LoggedDelivery = DeliveryLog & { job: JobRecord | null }

type LoggedRow = DeliveryLog & (JobRow | { id: null })

/** Returns a page of a webhook's deliveries, newest first, or the one with `deliveryId`. */
export async function listDeliveries(
  db: Db,
  ask: {
    webhookId: string
    deliveryId: string | null
    attemptsMax: number
    offset: number
    limit: number
  },
): Promise<LoggedDelivery[]> {
  const rows = await query<LoggedRow>`
    select d.id as "deliveryId", d.type, d.state as "deliveryState", d.created_at as "madeAt",
      case when k.disabled_at is null and (d.leased_until is null or d.leased_until < now()) then d.due_at end as "nextAttemptAt",
      (select coalesce(jsonb_agg(jsonb_build_object('number', a.number, 'startedAt', a.started_at, 'durationMs', a.duration_ms,
          'url', a.url, 'outcome', a.outcome, 'status', a.status, 'error', a.error, 'reply', a.reply) order by a.number), '[]')
        from (select * from webhook_attempt where delivery_id = d.id order by number desc limit ${ask.attemptsMax}) a) as attempts, d.subscription, j.*
    from (
      select * from webhook_delivery
      where webhook_id = ${ask.webhookId} and ${ask.deliveryId === null ? sql`true` : sql`id = ${ask.deliveryId}`}
      order by created_at desc, id desc limit ${ask.limit} offset ${ask.offset}
    ) d join webhook k on k.id = d.webhook_id
    left join lateral (select ${sql.raw(JOB_COLUMNS)} from job where id = d.job_id) j on true
    order by d.created_at desc, d.id desc
  `.rows(db)
  return rows.map((row) => ({ ...row, job: row.id === null ? null : toJob(row) }))
}

export async function countDeliveries(db: Db, webhookId: string): Promise<number> {
  return query<{ deliveries: number }>`
    select count(*)::int as deliveries from webhook_delivery where webhook_id = ${webhookId}
  `.value(db)
}

/**
 * Returns what became of the deliveries of the last 24 hours, by the hour in which they were made, oldest first; those
 * whose last attempt failed are `failing`, whether another follows or not.
 */
export async function listDeliveryHours(db: Db) {
  return query<{ at: Date; delivered: number; waiting: number; failing: number }>`
    select h.at, o.* from generate_series(date_trunc('hour', now(), 'UTC') - interval '23 hours', now(), interval '1 hour') as h (at)
    cross join lateral (
      select count(*) filter (where state = 'delivered')::int as delivered,
        count(*) filter (where state = 'pending' and (attempts = attempts_before or leased_until is not null))::int as waiting,
        count(*) filter (where state = 'failed' or (attempts > attempts_before and state = 'pending' and leased_until is null))::int as failing
      from webhook_delivery where created_at >= h.at and created_at < h.at + interval '1 hour'
    ) o order by h.at
  `.rows(db)
}

type DeliveriesObserved = {
  /** How long the oldest delivery has been due among webhooks that have room for another attempt; 0 where none is. */
  oldestDueSeconds: number
  pending: number
  failingWebhooks: number
}

/**
 * Measures deliveries for the metrics. The queue behind a slow receiver is left out, since the service cannot shorten
 * it.
 */
export async function observeDeliveries(
  db: Db,
  { perWebhook }: { perWebhook: number },
): Promise<DeliveriesObserved> {
  return query<DeliveriesObserved>`
    with waiting as (
      select d.webhook_id, count(*)::int as pending, min(d.due_at) as due_at,
        count(*) filter (where d.leased_until > now()) as under_way
      from webhook_delivery d join webhook k on k.id = d.webhook_id
      where d.state = 'pending' and k.disabled_at is null group by d.webhook_id
    )
    select coalesce(sum(pending), 0)::int as pending,
      coalesce(greatest(0, max(extract(epoch from now() - due_at)) filter (where under_way < ${perWebhook}::int)), 0)::double precision
        as "oldestDueSeconds",
      (select count(*) from webhook where failing_since is not null and disabled_at is null)::int as "failingWebhooks"
    from waiting
  `.onlyRow(db)
}

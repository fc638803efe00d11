/** The table `webhook`: addresses that are told about an account's final jobs and its subscriptions. */
import { sql } from 'kysely'
import type { DisabledBecause, AskedEventType } from '../model/webhooks/webhook.ts'
import { type Db, lockedIf, query, type Tx } from './database.ts'

export type WebhookRow = {
  id: string
  url: string
  events: AskedEventType[]
  createdAt: Date
  /** Why the webhook was disabled; null while it is active. */
  disabledBecause: DisabledBecause | null
  /** The first failure after the last success. */
  failingSince: Date | null
  /** Until when the previous secret signs, too; null where none does any more. */
  oldSecretUntil: Date | null
}

export type OwnedWebhook = { accountId: string; webhookId: string }

export type WebhookChange = {
  url: string | null
  events: AskedEventType[] | null
  /** True for active: what waits for it goes on at once. Null for no change. */
  isActive: boolean | null
}

const COLUMNS = sql`id, url, events, created_at as "createdAt", disabled_because as "disabledBecause",
  failing_since as "failingSince",
  case when old_secret_until > now() then old_secret_until end as "oldSecretUntil"`

/** Inserts a webhook; `secret` is sealed. */
export async function insertWebhook(
  tx: Tx,
  webhook: { id: string; accountId: string; url: string; events: AskedEventType[]; secret: string },
): Promise<WebhookRow> {
  return query<WebhookRow>`
    insert into webhook (id, account_id, url, events, secret)
    values (${webhook.id}, ${webhook.accountId}, ${webhook.url}, ${webhook.events}, ${webhook.secret})
    returning ${COLUMNS}
  `.onlyRow(tx)
}

/** Returns the account's webhooks, oldest first; an account has few. */
export async function listWebhooks(db: Db, accountId: string): Promise<WebhookRow[]> {
  return query<WebhookRow>`
    select ${COLUMNS} from webhook where account_id = ${accountId} and kind = 'http' order by created_at, id
  `.rows(db)
}

/**
 * Returns null where the account has no such webhook. A transaction that locks its deliveries, too, locks the webhook
 * first. Transactions that end jobs only refer to it, and go on.
 */
export async function findWebhook(
  db: Db,
  { accountId, webhookId }: OwnedWebhook,
  lock?: 'locked',
): Promise<WebhookRow | null> {
  return query<WebhookRow>`
    select ${COLUMNS} from webhook where ${isOwned({ accountId, webhookId })} ${lockedIf(lock)}
  `.firstRow(db)
}

/** SQL for a condition that only this webhook of the account meets. */
function isOwned({ accountId, webhookId }: OwnedWebhook) {
  return sql`id = ${webhookId} and account_id = ${accountId} and kind = 'http'`
}

/**
 * Locks the active ones of these webhooks and returns them, without those for which another process is claiming
 * deliveries.
 */
export async function lockActive(tx: Tx, webhookIds: string[]): Promise<string[]> {
  return query<{ id: string }>`
    select id from webhook where id = any(${webhookIds}) and disabled_at is null
    order by id for no key update skip locked
  `.values(tx)
}

/**
 * Changes a webhook; what is null stays. Enabling it forgets why it was disabled, and its failures. Returns it as it is
 * then; null where the account has no such webhook.
 */
export async function updateWebhook(
  db: Db,
  owned: OwnedWebhook,
  { url, events, isActive }: WebhookChange,
): Promise<WebhookRow | null> {
  return query<WebhookRow>`
    update webhook set url = coalesce(${url}, url), url_set_at = case when ${url} <> url then now() else url_set_at end,
      events = coalesce(${events}::text[], events),
      failing_since = case when ${isActive}::boolean then null else failing_since end,
      disabled_at = case ${isActive}::boolean when true then null when false then coalesce(disabled_at, now()) else disabled_at end,
      disabled_because = case ${isActive}::boolean when true then null when false then coalesce(disabled_because, 'asked') else disabled_because end
    where ${isOwned(owned)} returning ${COLUMNS}
  `.firstRow(db)
}

/**
 * Replaces the secret; the previous one signs for `overlapSeconds` more. Both are sealed. Returns the webhook; null
 * where the account has none such.
 */
export async function replaceSecret(
  db: Db,
  owned: OwnedWebhook,
  { secret, overlapSeconds }: { secret: string; overlapSeconds: number },
): Promise<WebhookRow | null> {
  return query<WebhookRow>`
    update webhook set old_secret = secret, old_secret_until = now() + make_interval(secs => ${overlapSeconds}::double precision),
      secret = ${secret}
    where ${isOwned(owned)} returning ${COLUMNS}
  `.firstRow(db)
}

/** Deletes a webhook with its deliveries. Returns false where the account has none such. */
export async function deleteWebhook(db: Db, owned: OwnedWebhook): Promise<boolean> {
  return query`delete from webhook where ${isOwned(owned)}`.anyRow(db)
}

export async function markSuccess(tx: Tx, webhookId: string): Promise<void> {
  await sql`
    update webhook set failing_since = null where id = ${webhookId} and failing_since is not null
  `.execute(tx)
}

/** Notes a failure and returns for how many seconds nothing has succeeded, by the database's clock. */
export async function markFailure(tx: Tx, webhookId: string): Promise<number> {
  const row = await query<{ seconds: number }>`
    update webhook set failing_since = coalesce(failing_since, now()) where id = ${webhookId}
    returning extract(epoch from now() - failing_since)::double precision as seconds
  `.firstRow(tx)
  return row?.seconds ?? 0
}

type DisabledWebhook = {
  webhookId: string
  url: string
  disabledBecause: Exclude<DisabledBecause, 'asked'>
  /** The address of its owner, who is to be told. */
  email: string
}

/** Disables a webhook without its owner's request; returns null where it is disabled already. */
export async function disableWebhook(
  tx: Tx,
  webhookId: string,
  because: Exclude<DisabledBecause, 'asked'>,
): Promise<DisabledWebhook | null> {
  return query<DisabledWebhook>`
    update webhook w set disabled_at = now(), disabled_because = ${because}
    from account a where w.id = ${webhookId} and w.disabled_at is null and a.id = w.account_id
    returning w.id as "webhookId", w.url, w.disabled_because as "disabledBecause", a.email
  `.firstRow(tx)
}

/** Disables all webhooks of a deleted account: nothing more is sent. */
export async function disableWebhooksOf(tx: Tx, accountId: string): Promise<void> {
  await sql`
    update webhook set disabled_at = coalesce(disabled_at, now()), disabled_because = coalesce(disabled_because, 'asked')
    where account_id = ${accountId}
  `.execute(tx)
}

/**
 * Disables the account's webhooks whose address was set at or after `since`; their owner may enable them again. Returns
 * how many.
 */
export async function disableWebhooksSince(
  tx: Tx,
  { accountId, since }: { accountId: string; since: Date },
): Promise<number> {
  return query`
    update webhook set disabled_at = now(), disabled_because = 'asked'
    where account_id = ${accountId} and kind = 'http' and disabled_at is null
      and greatest(created_at, url_set_at) >= ${since}
  `.rowCount(tx)
}

/** Whether the account is mailed when a job is final. */
export async function hasJobMail(db: Db, accountId: string): Promise<boolean> {
  return query`select from webhook where account_id = ${accountId} and kind = 'mail'`.anyRow(db)
}

/** Adds the account's mails about final jobs; may be repeated. */
export async function insertJobMail(
  db: Db,
  { id, accountId, events }: { id: string; accountId: string; events: AskedEventType[] },
): Promise<void> {
  await sql`
    insert into webhook (id, account_id, kind, events) values (${id}, ${accountId}, 'mail', ${events})
    on conflict (account_id) where kind = 'mail' do nothing
  `.execute(db)
}

export async function deleteJobMail(db: Db, accountId: string): Promise<void> {
  await sql`delete from webhook where account_id = ${accountId} and kind = 'mail'`.execute(db)
}

/**
 * Returns which active webhooks of the account ask for which of these events. A webhook that is being deleted is waited
 * for, then left out.
 */
export async function receiversOfEvents(
  tx: Tx,
  { accountId, types }: { accountId: string; types: AskedEventType[] },
) {
  return query<{ webhookId: string; type: AskedEventType }>`
    select w.id as "webhookId", t.type from webhook w join unnest(${types}::text[]) t (type) on t.type = any(w.events)
    where w.account_id = ${accountId} and w.disabled_at is null for key share of w
  `.rows(tx)
}

// Failing webhooks of all accounts, read for the operator.

export type FailingWebhook = {
  webhookId: string
  accountId: string
  email: string
  /** Null for a webhook that mails the account's own address. */
  url: string | null
  failingSince: Date | null
  disabledAt: Date | null
  disabledBecause: string | null
  /** How many of its deliveries are pending. */
  pending: number
  /** The outcome of its newest delivery attempt; null where none was made, as for `status` and `error`. */
  outcome: string | null
  status: number | null
  error: string | null
}

/** Returns active webhooks first; within each group, those that have failed longest come first. */
export async function listFailingWebhooks(db: Db, limit: number): Promise<FailingWebhook[]> {
  return query<FailingWebhook>`
    select k.id as "webhookId", k.account_id as "accountId", a.email, k.url, k.failing_since as "failingSince",
      k.disabled_at as "disabledAt", k.disabled_because as "disabledBecause",
      (select count(*)::int from webhook_delivery where webhook_id = k.id and state = 'pending') as pending,
      t.outcome, t.status, t.error
    from webhook k join account a on a.id = k.account_id
    left join lateral (
      select w.outcome, w.status, w.error from webhook_delivery d join webhook_attempt w on w.delivery_id = d.id
      where d.webhook_id = k.id order by d.created_at desc, d.id desc, w.number desc limit 1
    ) t on true
    where k.failing_since is not null
    order by k.disabled_at is not null, k.failing_since, k.id limit ${limit}
  `.rows(db)
}

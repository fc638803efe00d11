/** Failing webhooks of all accounts, read for the operator. */
import { type Db, query } from './database.ts'

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

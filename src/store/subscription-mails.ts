/** The table `subscription_mail`: what owners of subscriptions are told by mail, each once. */
import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'

export type SubscriptionMailKind = 'out_of_money' | 'gone'

export type DueMail = {
  email: string
  kind: SubscriptionMailKind
  subscriptionId: string
  line: string
  title: string | null
}

/** Nothing happens where it was told already: an account is told once of an empty balance. */
export async function insertMail(
  tx: Tx,
  mail: { accountId: string; subscriptionId: string; kind: SubscriptionMailKind },
): Promise<void> {
  await sql`
    insert into subscription_mail (account_id, subscription_id, kind)
    values (${mail.accountId}, ${mail.subscriptionId}, ${mail.kind}) on conflict do nothing
  `.execute(tx)
}

/** There is money again: the next empty balance is told anew. */
export async function forgetMoneyMail(tx: Tx, accountId: string): Promise<void> {
  await tx
    .deleteFrom('subscription_mail')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'out_of_money')
    .execute()
}

/** The list is followed again: should it go away again, its owner is told again. */
export async function forgetGoneMail(tx: Tx, subscriptionId: string): Promise<void> {
  await tx
    .deleteFrom('subscription_mail')
    .where('subscription_id', '=', subscriptionId)
    .where('kind', '=', 'gone')
    .execute()
}

/** The next mail, which counts as sent from now on. */
export async function takeMail(db: Db): Promise<DueMail | null> {
  const { rows } = await sql<DueMail>`
    with next as (
      select id from subscription_mail where sent_at is null order by id limit 1 for no key update skip locked
    )
    update subscription_mail m set sent_at = now() from next, account a, subscription s
    where m.id = next.id and a.id = m.account_id and s.id = m.subscription_id
    returning a.email, m.kind, s.id as "subscriptionId", s.line, s.title
  `.execute(db)
  return rows[0] ?? null
}

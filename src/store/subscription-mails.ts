/** The table `subscription_mail`: what owners of subscriptions are told by mail, each once. */
import { sql } from 'kysely'
import type { Tx } from './database.ts'

export type SubscriptionMailKind = 'out_of_money' | 'gone'

/** Returns whom to tell, and of what; null where they were told already: an account is told once of an empty balance. */
export async function markTold(
  tx: Tx,
  told: { accountId: string; subscriptionId: string; kind: SubscriptionMailKind },
): Promise<{ email: string; title: string | null } | null> {
  const { rows } = await sql<{ email: string; title: string | null }>`
    with told as (
      insert into subscription_mail (account_id, subscription_id, kind)
      values (${told.accountId}, ${told.subscriptionId}, ${told.kind}) on conflict do nothing
      returning account_id, subscription_id
    )
    select a.email, s.title from told
      join account a on a.id = told.account_id join subscription s on s.id = told.subscription_id
  `.execute(tx)
  return rows[0] ?? null
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

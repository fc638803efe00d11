/** The table `subscription_mail`: what owners of subscriptions were told by mail, each thing once. */
import { sql } from 'kysely'
import type { Tx } from './database.ts'

export type SubscriptionMailKind = 'out_of_money' | 'gone'

/**
 * Marks the owner as told. Returns the address to write to and the subscription's title; null where the owner was told
 * already. An account is told once about an empty balance.
 */
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

/** Forgets the mail about an empty balance, since the account has money again: the next empty balance is told. */
export async function forgetMoneyMail(tx: Tx, accountId: string): Promise<void> {
  await tx
    .deleteFrom('subscription_mail')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'out_of_money')
    .execute()
}

/**
 * Forgets the mail about a list that was gone, since it is followed again: if it goes away again, its owner is told.
 */
export async function forgetGoneMail(tx: Tx, subscriptionId: string): Promise<void> {
  await tx
    .deleteFrom('subscription_mail')
    .where('subscription_id', '=', subscriptionId)
    .where('kind', '=', 'gone')
    .execute()
}

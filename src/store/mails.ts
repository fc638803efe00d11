/**
 * The tables `mail` and `subscription_mail`: emails that wait to be sent, with sealed content, and what owners of
 * subscriptions were told, each thing once.
 */
import { sql } from 'kysely'
import { type Db, query, type Tx } from './database.ts'

/** A waiting email; `attempts` is how many times sending was tried, this time included. */
export type WaitingMail = { id: bigint; to: string; sealed: string; attempts: number }

export async function insertMail(
  tx: Tx,
  { to, sealed }: { to: string; sealed: string },
): Promise<void> {
  await query`insert into mail (to_address, sealed) values (${to}, ${sealed})`.rowCount(tx)
}

/**
 * Claims the email that has been due longest; null where none is. Unless it is deleted meanwhile, it is due again after
 * one minute, then two, and so on up to an hour. A longer wait can only come from a clock that was set back.
 */
export async function claimMail(db: Db): Promise<WaitingMail | null> {
  return query<WaitingMail>`
    update mail m set attempts = m.attempts + 1,
      due_at = now() + least(interval '1 hour', interval '1 minute' * 2 ^ least(m.attempts, 10))
    where m.id = (
      select id from mail where due_at <= now() or due_at > now() + interval '61 minutes'
      order by due_at limit 1 for update skip locked)
    returning m.id, m.to_address as "to", m.sealed, m.attempts
  `.firstRow(db)
}

export async function deleteMail(db: Db, id: bigint): Promise<void> {
  await query`delete from mail where id = ${id}`.rowCount(db)
}

/** Deletes all mails to the address of a deleted account. */
export async function deleteMailsTo(tx: Tx, address: string): Promise<void> {
  await query`delete from mail where to_address = ${address}`.rowCount(tx)
}

type SubscriptionMailKind = 'out_of_money' | 'gone'

/**
 * Marks the owner as told. Returns the address to write to and the subscription's title; null where the owner was told
 * already. An account is told once about an empty balance.
 */
export async function markTold(
  tx: Tx,
  told: { accountId: string; subscriptionId: string; kind: SubscriptionMailKind },
) {
  return query<{ email: string; title: string | null }>`
    with told as (
      insert into subscription_mail (account_id, subscription_id, kind)
      values (${told.accountId}, ${told.subscriptionId}, ${told.kind}) on conflict do nothing
      returning account_id, subscription_id
    )
    select a.email, s.title from told
      join account a on a.id = told.account_id join subscription s on s.id = told.subscription_id
  `.firstRow(tx)
}

/** Forgets the mail about an empty balance, since the account has money again: the next empty balance is told. */
export async function forgetMoneyMail(tx: Tx, accountId: string): Promise<void> {
  await sql`delete from subscription_mail where account_id = ${accountId} and kind = 'out_of_money'`.execute(
    tx,
  )
}

/**
 * Forgets the mail about a list that was gone, since it is followed again: if it goes away again, its owner is told.
 */
export async function forgetGoneMail(tx: Tx, subscriptionId: string): Promise<void> {
  await sql`delete from subscription_mail where subscription_id = ${subscriptionId} and kind = 'gone'`.execute(
    tx,
  )
}

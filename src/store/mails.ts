/** The table `mail`: emails that wait to be sent, with sealed content. */
import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'

/** A waiting email; `attempts` is how many times sending was tried, this time included. */
export type WaitingMail = { id: bigint; to: string; sealed: string; attempts: number }

export async function insertMail(
  tx: Tx,
  { to, sealed }: { to: string; sealed: string },
): Promise<void> {
  await tx.insertInto('mail').values({ to_address: to, sealed }).execute()
}

/**
 * Claims the email that has been due longest; null where none is. Unless it is deleted meanwhile, it is due again after
 * one minute, then two, and so on up to an hour. A longer wait can only come from a clock that was set back.
 */
export async function claimMail(db: Db): Promise<WaitingMail | null> {
  const { rows } = await sql<WaitingMail>`
    update mail m set attempts = m.attempts + 1,
      due_at = now() + least(interval '1 hour', interval '1 minute' * 2 ^ least(m.attempts, 10))
    where m.id = (
      select id from mail where due_at <= now() or due_at > now() + interval '61 minutes'
      order by due_at limit 1 for update skip locked)
    returning m.id, m.to_address as "to", m.sealed, m.attempts
  `.execute(db)
  return rows[0] ?? null
}

export async function deleteMail(db: Db, id: bigint): Promise<void> {
  await db.deleteFrom('mail').where('id', '=', id).execute()
}

/** Deletes all mails to the address of a deleted account. */
export async function deleteMailsTo(tx: Tx, address: string): Promise<void> {
  await tx.deleteFrom('mail').where('to_address', '=', address).execute()
}

/** The table `sign_up`: what somebody claims of an address until its mailed link is opened. */
import { sql } from 'kysely'
import type { Db, Tx } from '../postgres/database.ts'

export type SignUp = { email: string; password: string; browserHash: Buffer }

/** Keeps a sign-up; `password` is hashed. One that is there already stays: each has its own link. */
export async function insertSignUp(
  db: Db,
  { tokenHash, lifetimeSeconds, ...made }: SignUp & { tokenHash: Buffer; lifetimeSeconds: number },
): Promise<void> {
  await sql`
    insert into sign_up (token_hash, browser_hash, email, password, expires_at)
    values (${tokenHash}, ${made.browserHash}, ${made.email}, ${made.password},
      now() + make_interval(secs => ${lifetimeSeconds}))
  `.execute(db)
}

/** The sign-up of a link, or null where there is none or it is too old. */
export async function findSignUp(db: Db, tokenHash: Buffer): Promise<SignUp | null> {
  const { rows } = await sql<SignUp>`
    select email, password, browser_hash as "browserHash"
    from sign_up where token_hash = ${tokenHash} and expires_at > now()
  `.execute(db)
  return rows[0] ?? null
}

/** Forgets every sign-up for an address. Returns how many there were. */
export async function deleteSignUps(db: Db, email: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_up')
    .where('email', '=', email)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function isUserKnown(db: Db, email: string): Promise<boolean> {
  const user = await db
    .selectFrom('sign_in_user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  return user !== undefined
}

/**
 * Makes the user of a proven address, who signs in by this password (hashed). Returns false where the
 * address has a user: that one is left as it is.
 */
export async function insertUser(
  tx: Tx,
  { id, email, password }: { id: string; email: string; password: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into sign_in_user (id, name, email, email_verified) values (${id}, split_part(${email}, '@', 1), ${email}, true)
    on conflict (email) do nothing
  `.execute(tx)
  if (numAffectedRows !== 1n) return false
  await tx
    .insertInto('sign_in_method')
    .values((eb) => ({
      id,
      account_id: id,
      provider_id: 'credential',
      user_id: id,
      password,
      updated_at: eb.fn<Date>('now'),
    }))
    .execute()
  return true
}

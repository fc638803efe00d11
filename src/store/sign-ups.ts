/** The table `sign_up`: what a visitor claims about an address until its mailed link is opened. */
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { overdue } from './overdue.ts'

export type SignUp = { email: string; password: string; browserHash: Buffer }

/** Keeps a sign-up; `password` is hashed. Earlier sign-ups for the address stay: each has its own link. */
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

/** The sign-up of a link, or null where there is none or it has expired. */
export async function findSignUp(db: Db, tokenHash: Buffer): Promise<SignUp | null> {
  const { rows } = await sql<SignUp>`
    select email, password, browser_hash as "browserHash"
    from sign_up where token_hash = ${tokenHash} and expires_at > now()
  `.execute(db)
  return rows[0] ?? null
}

/** Deletes every sign-up for an address. Returns how many there were. */
export async function deleteSignUps(db: Db, email: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_up')
    .where('email', '=', email)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes up to `rowsMax` sign-ups whose links have expired. Returns how many. */
export async function sweepSignUps(db: Db, rowsMax: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_up')
    .where(
      'token_hash',
      'in',
      overdue({ table: 'sign_up', key: 'token_hash', endsAt: 'expires_at' }, rowsMax),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * The tables `sign_in_…`: what we ask of them beside better-auth, which writes them; and the bearers
 * that a session of the website has (rows of `api_key`).
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db, Tx } from './database.ts'

/** The secret that signs cookies and links: `candidate` where none was kept yet. */
export async function ensureSignInSecret(db: Db, candidate: string): Promise<string> {
  await sql`insert into sign_in_secret (secret) values (${candidate}) on conflict (id) do nothing`.execute(db)
  const { rows } = await sql<{ secret: string }>`select secret from sign_in_secret`.execute(db)
  const [row] = rows
  assert(row !== undefined, 'a secret was just kept')
  return row.secret
}

export type SignInUser = { email: string; isProven: boolean; accountId: string | null }

/** The user, locked so that two first visits make one account; null where there is none. */
export async function lockSignInUser(tx: Tx, userId: string): Promise<SignInUser | null> {
  const { rows } = await sql<SignInUser>`
    select email, email_verified as "isProven", account_id as "accountId"
    from sign_in_user where id = ${userId} for update
  `.execute(tx)
  return rows[0] ?? null
}

/** The account of a user who has one, or null. */
export async function findAccountOfUser(db: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{ accountId: string | null }>`
    select account_id as "accountId" from sign_in_user where id = ${userId}
  `.execute(db)
  return rows[0]?.accountId ?? null
}

/**
 * Whether the user may not come in: their account is suspended, be it theirs already or the one that
 * an operator made for their address.
 */
export async function isUserSuspended(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from sign_in_user u join account a
      on a.id = coalesce(u.account_id, (select id from account where lower(email) = lower(u.email)))
    where u.id = ${userId} and a.suspended_at is not null
  `.execute(db)
  return rows.length > 0
}

/** Signs the account's users out everywhere. */
export async function deleteSessions(tx: Tx, accountId: string): Promise<void> {
  await sql`
    delete from sign_in_session where user_id in (
      select id from sign_in_user where account_id = ${accountId}
        or email = (select lower(email) from account where id = ${accountId}))
  `.execute(tx)
}

export async function linkSignInUser(
  tx: Tx,
  { userId, accountId }: { userId: string; accountId: string },
): Promise<void> {
  await sql`update sign_in_user set account_id = ${accountId} where id = ${userId}`.execute(tx)
}

export type SignInMethods = {
  hasPassword: boolean
  providers: string[]
  passkeys: { id: string; name: string | null; createdAt: Date | null; isSynced: boolean }[]
  sessions: number
}

export async function readSignInMethods(db: Db, userId: string): Promise<SignInMethods> {
  const { rows: ways } = await sql<{ provider: string }>`
    select distinct provider_id as provider from sign_in_method where user_id = ${userId} order by 1
  `.execute(db)
  const { rows: passkeys } = await sql<SignInMethods['passkeys'][number]>`
    select id, name, created_at as "createdAt", backed_up as "isSynced"
    from sign_in_passkey where user_id = ${userId} order by created_at, id
  `.execute(db)
  const { rows: sessions } = await sql<{ open: number }>`
    select count(*)::int as open from sign_in_session where user_id = ${userId} and expires_at > now()
  `.execute(db)
  const providers = ways.map((way) => way.provider)
  return {
    hasPassword: providers.includes('credential'),
    providers: providers.filter((provider) => provider !== 'credential'),
    passkeys,
    sessions: sessions[0]?.open ?? 0,
  }
}

/** Ends the bearers of all the account's sessions at once. */
export async function revokeSessionBearers(db: Db, accountId: string): Promise<void> {
  await sql`
    update api_key set revoked_at = now()
    where account_id = ${accountId} and kind = 'session' and revoked_at is null
  `.execute(db)
}

/** Forgets bearers that nobody can use any more. */
export async function deleteDeadBearers(db: Db, accountId: string): Promise<void> {
  await sql`
    delete from api_key where account_id = ${accountId} and kind = 'session'
      and (expires_at < now() - interval '1 hour' or revoked_at < now() - interval '1 hour')
  `.execute(db)
}

/** A limit of attempts: `size` at once, one more every `everySeconds`; shared by all processes. */
export type AttemptLimit = { bucket: string; size: number; everySeconds: number }

/**
 * Takes one attempt. Returns 0 where it was free, else the seconds until the next one is; a refused
 * attempt takes nothing.
 */
export async function takeAttempt(pool: pg.Pool, limit: AttemptLimit): Promise<number> {
  const { rows } = await pool.query<{ tokens: number; is_refused: boolean }>({
    name: 'take-attempt',
    text: `
      insert into rate_bucket as b (id, tokens, is_refused, updated_at)
      values ($1, $2::double precision - 1, false, clock_timestamp())
      on conflict (id) do update set (tokens, is_refused, updated_at) = (
        select case when level >= 1 then level - 1 else level end, level < 1, at
        from (select
            least($2::double precision, b.tokens + greatest(0,
              extract(epoch from clock_timestamp() - b.updated_at)::double precision) / $3) as level,
            greatest(b.updated_at, clock_timestamp()) as at) filled)
      returning tokens, is_refused`,
    values: [limit.bucket, limit.size, limit.everySeconds],
  })
  const [row] = rows
  if (row === undefined || !row.is_refused) return 0
  return Math.max(1, Math.ceil((1 - row.tokens) * limit.everySeconds))
}

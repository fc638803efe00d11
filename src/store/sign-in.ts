/**
 * The tables `sign_in_…`: what we ask of them beside better-auth, which writes them; and the bearers
 * that a session of the website has (rows of `api_key`).
 */
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db, Tx } from '../postgres/database.ts'
import { run, statement } from '../postgres/statement.ts'

/** The secret that signs cookies and links: `candidate` where none was kept yet. */
export async function ensureSignInSecret(db: Db, candidate: string): Promise<string> {
  await db
    .insertInto('sign_in_secret')
    .values({ secret: candidate })
    .onConflict((known) => known.column('id').doNothing())
    .execute()
  const { secret } = await db
    .selectFrom('sign_in_secret')
    .select('secret')
    .executeTakeFirstOrThrow()
  return secret
}

export type SignInUser = { email: string; accountId: string | null }

/** The user, locked so that two first visits make one account; null where there is none. */
export async function lockSignInUser(tx: Tx, userId: string): Promise<SignInUser | null> {
  const user = await tx
    .selectFrom('sign_in_user')
    .select(['email', 'account_id as accountId'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return user ?? null
}

/** The account of a user who has one, or null. */
export async function findAccountOfUser(db: Db, userId: string): Promise<string | null> {
  const user = await db
    .selectFrom('sign_in_user')
    .select('account_id as accountId')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user?.accountId ?? null
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
  await tx
    .updateTable('sign_in_user')
    .set({ account_id: accountId })
    .where('id', '=', userId)
    .execute()
}

export type SignInMethods = {
  hasPassword: boolean
  providers: string[]
  passkeys: { id: string; name: string | null; createdAt: Date | null; isSynced: boolean }[]
  sessions: number
}

export async function readSignInMethods(db: Db, userId: string): Promise<SignInMethods> {
  const ways = await db
    .selectFrom('sign_in_method')
    .select('provider_id as provider')
    .distinct()
    .where('user_id', '=', userId)
    .orderBy('provider')
    .execute()
  const passkeys = await db
    .selectFrom('sign_in_passkey')
    .select(['id', 'name', 'created_at as createdAt', 'backed_up as isSynced'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
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
  await db
    .updateTable('api_key')
    .set((eb) => ({ revoked_at: eb.fn<Date>('now') }))
    .where('account_id', '=', accountId)
    .where('kind', '=', 'session')
    .where('revoked_at', 'is', null)
    .execute()
}

/** Forgets bearers that nobody can use any more. */
export async function deleteDeadBearers(db: Db, accountId: string): Promise<void> {
  await sql`
    delete from api_key where account_id = ${accountId} and kind = 'session'
      and (expires_at < now() - interval '1 hour' or revoked_at < now() - interval '1 hour')
  `.execute(db)
}

/** What opens an account besides its password: live API keys and passkeys. */
export type Access = { keys: number; passkeys: number }

export async function countAccess(db: Db, userId: string): Promise<Access> {
  const { rows } = await sql<Access>`
    select
      (select count(*)::int from api_key k join sign_in_user u on u.account_id = k.account_id
        where u.id = ${userId} and k.kind = 'key' and k.revoked_at is null) as keys,
      (select count(*)::int from sign_in_passkey where user_id = ${userId}) as passkeys
  `.execute(db)
  return rows[0] ?? { keys: 0, passkeys: 0 }
}

/** Revokes every key and bearer of the user's account and removes the user's passkeys. Returns how many. */
export async function revokeAccess(tx: Tx, userId: string): Promise<Access> {
  const { rows: keys } = await sql<{ kind: string }>`
    update api_key set revoked_at = now()
    where account_id = (select account_id from sign_in_user where id = ${userId}) and revoked_at is null
    returning kind
  `.execute(tx)
  const { numAffectedRows: passkeys = 0n } =
    await sql`delete from sign_in_passkey where user_id = ${userId}`.execute(tx)
  return { keys: keys.filter(({ kind }) => kind === 'key').length, passkeys: Number(passkeys) }
}

/** A limit of attempts: `size` at once, one more every `everySeconds`; shared by all processes. */
export type AttemptLimit = { bucket: string; size: number; everySeconds: number }

const TAKE_ATTEMPT = statement<{ isTaken: boolean; ahead: number | null }>(
  'take-attempt',
  `
  with taken as (
    insert into attempt_bucket as b (id, full_at)
    values ($1, clock_timestamp() + make_interval(secs => $3::double precision))
    on conflict (id) do update set full_at = greatest(b.full_at, clock_timestamp()) + make_interval(secs => $3::double precision)
      where greatest(b.full_at, clock_timestamp()) <= clock_timestamp() + make_interval(secs => $3::double precision * ($2::int - 1))
    returning id
  ), refused_by as materialized (
    select full_at from attempt_bucket where id = $1 and not exists (select from taken) for update)
  select exists (select from taken) as "isTaken",
    (select extract(epoch from full_at - clock_timestamp())::double precision from refused_by) as ahead`,
)

/**
 * Takes one attempt. Returns 0 where it was free, else the seconds until the next one is; a refused
 * attempt takes and writes nothing. A bucket is when it is full again: each attempt moves that by
 * `everySeconds`, and it may be ahead by `size` of them. What a refusal tells is read with the lock:
 * the statement's own snapshot may be older than the attempts that it waited for.
 */
export async function takeAttempt(
  pool: pg.Pool,
  { bucket, size, everySeconds }: AttemptLimit,
): Promise<number> {
  const [row] = await run(pool, TAKE_ATTEMPT, [bucket, size, everySeconds])
  if (row === undefined || row.isTaken) return 0
  // Others made the bucket since this statement began: it met it, but cannot read it yet.
  if (row.ahead === null) return takeAttempt(pool, { bucket, size, everySeconds })
  return Math.max(1, Math.ceil(row.ahead - everySeconds * (size - 1)))
}

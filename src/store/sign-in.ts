/** The tables `sign_in_…`, which are better-auth's: what this program reads and writes in them itself. */
import { sql } from 'kysely'
import { type Db, query, type Tx } from './database.ts'
import { overdue } from './erasure.ts'

/** Returns the secret that signs cookies and links; keeps `candidate` as the secret where there is none yet. */
export async function ensureSignInSecret(db: Db, candidate: string): Promise<string> {
  const read = db.selectFrom('sign_in_secret').select('secret')
  const known = await read.executeTakeFirst()
  if (known !== undefined) return known.secret // so a process can start on a read-only database
  await db
    .insertInto('sign_in_secret')
    .values({ secret: candidate })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return (await read.executeTakeFirstOrThrow()).secret
}

export type SignInUser = { email: string; accountId: string | null }

/** Returns the user, locked so that two first visits make one account; null where there is none. */
export async function lockSignInUser(tx: Tx, userId: string): Promise<SignInUser | null> {
  const user = await tx
    .selectFrom('sign_in_user')
    .select(['email', 'account_id as accountId'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return user ?? null
}

/** Returns the account's id of a user, or null where they have no account. */
export async function findAccountOfUser(db: Db, userId: string): Promise<string | null> {
  const user = await db
    .selectFrom('sign_in_user')
    .select('account_id as accountId')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user?.accountId ?? null
}

/**
 * Whether the user's account, or the one that an operator made for their address, is suspended: they may not sign in.
 */
export async function isUserSuspended(db: Db, userId: string): Promise<boolean> {
  return query`
    select from sign_in_user u join account a
      on a.id = coalesce(u.account_id, (select id from account where lower(email) = lower(u.email)))
    where u.id = ${userId} and a.suspended_at is not null
  `.anyRow(db)
}

/** Signs the account's users out everywhere. */
export async function deleteSessions(tx: Tx, accountId: string): Promise<void> {
  await sql`
    delete from sign_in_session where user_id in (
      select id from sign_in_user where account_id = ${accountId}
        or email = (select lower(email) from account where id = ${accountId}))
  `.execute(tx)
}

/**
 * Deletes the users who sign in to the account, with their sessions, passkeys and passwords, and the links and
 * challenges that are under way for them.
 */
export async function deleteUsers(tx: Tx, accountId: string): Promise<void> {
  await sql`
    with gone as (
      delete from sign_in_user where account_id = ${accountId}
        or email = (select lower(email) from account where id = ${accountId})
      returning id, email
    )
    delete from sign_in_verification v using gone
    where strpos(v.value, gone.id) > 0 or strpos(v.identifier, gone.id) > 0
      or strpos(v.value, gone.email) > 0 or strpos(v.identifier, gone.email) > 0
  `.execute(tx)
}

/** A session of a user; `lastUsedAt` is exact to some minutes (SESSION_RENEWAL_SECONDS). */
export type SessionRow = {
  id: string
  userAgent: string | null
  createdAt: Date
  lastUsedAt: Date
}

/** Returns the user's sessions that have not expired, the last used first. */
export async function listSessions(
  db: Db,
  { userId, limit }: { userId: string; limit: number },
): Promise<SessionRow[]> {
  return query<SessionRow>`
    select id, user_agent as "userAgent", created_at as "createdAt", updated_at as "lastUsedAt"
    from sign_in_session where user_id = ${userId} and expires_at > now()
    order by updated_at desc, id limit ${limit}
  `.rows(db)
}

/** Ends a session. Returns false where the user has none with this id. */
export async function deleteSession(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_session')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Signs one user out everywhere. */
export async function deleteSessionsOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sign_in_session').where('user_id', '=', userId).execute()
}

/** The user's password, hashed; null where they have none. */
export async function findPasswordOf(db: Db, userId: string): Promise<string | null> {
  const method = await db
    .selectFrom('sign_in_method')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  return method?.password ?? null
}

/** Deletes the user's password; a link by mail sets another one. */
export async function deletePassword(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('sign_in_method')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .execute()
}

/** Changes the address with which the user signs in; a name that was made from the old address changes, too. */
export async function setUserEmail(
  tx: Tx,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await sql`
    update sign_in_user set email = ${email}, updated_at = now(),
      name = case when name = split_part(email, '@', 1) then split_part(${email}, '@', 1) else name end
    where id = ${userId}
  `.execute(tx)
}

/** Voids the links for a new password that were mailed to the user. */
export async function deleteLinksOf(tx: Tx, userId: string): Promise<void> {
  await sql`delete from sign_in_verification where value = ${userId}`.execute(tx)
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
  const sessions = await query<{ open: number }>`
    select count(*)::int as open from sign_in_session where user_id = ${userId} and expires_at > now()
  `.value(db)
  const providers = ways.map((way) => way.provider)
  return {
    hasPassword: providers.includes('credential'),
    providers: providers.filter((provider) => provider !== 'credential'),
    passkeys,
    sessions,
  }
}

/** What gives access to an account besides its password: live API keys, passkeys and connected apps. */
export type Access = { keys: number; passkeys: number; apps: number }

export async function countAccess(db: Db, userId: string): Promise<Access> {
  return query<Access>`
    select
      (select count(*)::int from api_key k join sign_in_user u on u.account_id = k.account_id
        where u.id = ${userId} and k.kind = 'key' and k.revoked_at is null) as keys,
      (select count(*)::int from sign_in_passkey where user_id = ${userId}) as passkeys,
      (select count(*)::int from app_connection a join sign_in_user u on u.account_id = a.account_id
        where u.id = ${userId} and a.revoked_at is null) as apps
  `.onlyRow(db)
}

/** Deletes the user's passkeys that were added at or after `since`, and those without a date. Returns how many. */
export async function deletePasskeys(
  tx: Tx,
  { userId, since }: { userId: string; since: Date },
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_passkey')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('created_at', '>=', since), eb('created_at', 'is', null)]))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes the user's sign-in methods of outside providers that were added at or after `since`. */
export async function deleteProviders(
  tx: Tx,
  { userId, since }: { userId: string; since: Date },
): Promise<void> {
  await tx
    .deleteFrom('sign_in_method')
    .where('user_id', '=', userId)
    .where('provider_id', '<>', 'credential')
    .where('created_at', '>=', since)
    .execute()
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
 * Makes the user of a proven address, who signs in with this password (hashed). Returns false, and changes nothing,
 * where the address has a user already.
 */
export async function insertUser(
  tx: Tx,
  { id, email, password }: { id: string; email: string; password: string },
): Promise<boolean> {
  const isNew = await query`
    insert into sign_in_user (id, name, email, email_verified) values (${id}, split_part(${email}, '@', 1), ${email}, true)
    on conflict (email) do nothing
  `.anyRow(tx)
  if (!isNew) return false
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

/** Deletes up to `rowsMax` expired sessions, and as many expired links and challenges. Returns how many. */
export async function sweepSignIns(db: Db, rowsMax: number): Promise<number> {
  const sessions = await db
    .deleteFrom('sign_in_session')
    .where(
      'id',
      'in',
      overdue({ table: 'sign_in_session', key: 'id', endsAt: 'expires_at' }, rowsMax),
    )
    .executeTakeFirst()
  const verifications = await db
    .deleteFrom('sign_in_verification')
    .where(
      'id',
      'in',
      overdue({ table: 'sign_in_verification', key: 'id', endsAt: 'expires_at' }, rowsMax),
    )
    .executeTakeFirst()
  return Number(sessions.numDeletedRows + verifications.numDeletedRows)
}

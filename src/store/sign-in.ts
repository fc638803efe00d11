/** The tables `sign_in_…`, which are better-auth's: what this program reads and writes in them itself. */
import { sql } from 'kysely'
import { type Db, query, type Tx } from './database.ts'

/** Returns the secret that signs cookies and links; keeps `candidate` as the secret where there is none yet. */
export async function ensureSignInSecret(db: Db, candidate: string): Promise<string> {
  const read = query<{ secret: string }>`select secret from sign_in_secret`
  const known = await read.firstRow(db)
  if (known !== null) return known.secret // so a process can start on a read-only database
  await sql`insert into sign_in_secret (secret) values (${candidate}) on conflict (id) do nothing`.execute(
    db,
  )
  return read.value(db)
}

/** Returns whether the service has, or ever had, an account or somebody who signs in. */
export async function hasAnybody(db: Db): Promise<boolean> {
  return query`
    select where exists (select from account) or exists (select from sign_in_user)
  `.anyRow(db)
}

/** Makes all others that would make an account or a user wait until this transaction ends; readers go on. */
export async function lockFirstRun(tx: Tx): Promise<void> {
  await sql`lock table account, sign_in_user in share row exclusive mode`.execute(tx)
}

/** Access that a user got at or after an instant. */
export type UserSince = { userId: string; since: Date }

type SignInUser = { email: string; accountId: string | null }

/** Returns the user, locked so that two first visits make one account; null where there is none. */
export async function lockSignInUser(tx: Tx, userId: string): Promise<SignInUser | null> {
  return query<SignInUser>`
    select email, account_id as "accountId" from sign_in_user where id = ${userId} for update
  `.firstRow(tx)
}

/** Returns the account's id of a user, or null where they have no account. */
export async function findAccountOfUser(db: Db, userId: string): Promise<string | null> {
  return query<{ accountId: string | null }>`
    select account_id as "accountId" from sign_in_user where id = ${userId}
  `.firstValue(db)
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
export type SessionTimes = { id: string; createdAt: Date; lastUsedAt: Date }
type SessionRow = SessionTimes & { userAgent: string | null }

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
  return query`delete from sign_in_session where id = ${sessionId} and user_id = ${userId}`.anyRow(
    tx,
  )
}

export async function countPasskeys(db: Db, userId: string): Promise<number> {
  return query<{ passkeys: number }>`
    select count(*)::int as passkeys from sign_in_passkey where user_id = ${userId}
  `.value(db)
}

/** Signs one user out everywhere. */
export async function deleteSessionsOfUser(tx: Tx, userId: string): Promise<void> {
  await query`delete from sign_in_session where user_id = ${userId}`.rowCount(tx)
}

/** The user's password, hashed; null where they have none. */
export async function findPasswordOf(db: Db, userId: string): Promise<string | null> {
  return query<{ password: string | null }>`
    select password from sign_in_method where user_id = ${userId} and provider_id = 'credential'
  `.firstValue(db)
}

/** Deletes the user's password; a link by mail sets another one. */
export async function deletePassword(tx: Tx, userId: string): Promise<void> {
  await sql`delete from sign_in_method where user_id = ${userId} and provider_id = 'credential'`.execute(
    tx,
  )
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
  await sql`update sign_in_user set account_id = ${accountId} where id = ${userId}`.execute(tx)
}

export async function readSignInMethods(db: Db, userId: string) {
  const methods = await query<{ provider: string }>`
    select distinct provider_id as provider from sign_in_method where user_id = ${userId} order by provider
  `.rows(db)
  type Passkey = { id: string; name: string | null; createdAt: Date | null; isSynced: boolean }
  const passkeys = await query<Passkey>`
    select id, name, created_at as "createdAt", backed_up as "isSynced"
    from sign_in_passkey where user_id = ${userId} order by created_at, id
  `.rows(db)
  const sessions = await query<{ open: number }>`
    select count(*)::int as open from sign_in_session where user_id = ${userId} and expires_at > now()
  `.value(db)
  const providers = methods.map(({ provider }) => provider)
  return {
    hasPassword: providers.includes('credential'),
    providers: providers.filter((provider) => provider !== 'credential'),
    passkeys,
    sessions,
  }
}

/** Number of ways into an account besides its password: live API keys, passkeys and connected apps. */
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
export async function deletePasskeys(tx: Tx, { userId, since }: UserSince): Promise<number> {
  return query`
    delete from sign_in_passkey where user_id = ${userId} and (created_at >= ${since} or created_at is null)
  `.rowCount(tx)
}

/** Deletes the user's sign-in methods of outside providers that were added at or after `since`. */
export async function deleteProviders(tx: Tx, { userId, since }: UserSince): Promise<void> {
  await sql`
    delete from sign_in_method where user_id = ${userId} and provider_id <> 'credential' and created_at >= ${since}
  `.execute(tx)
}

export async function isUserKnown(db: Db, email: string): Promise<boolean> {
  return query`select from sign_in_user where email = ${email}`.anyRow(db)
}

/**
 * Makes the user of a proven address, who signs in with this password (hashed). Returns false, and changes nothing,
 * where the address has a user already.
 */
export async function insertUser(
  tx: Tx,
  { id, email, password }: { id: string; email: string; password: string },
): Promise<boolean> {
  return query`
    with made as (
      insert into sign_in_user (id, name, email, email_verified) values (${id}, split_part(${email}, '@', 1), ${email}, true)
      on conflict (email) do nothing returning id
    )
    insert into sign_in_method (id, account_id, provider_id, user_id, password, updated_at)
    select id, id, 'credential', id, ${password}, now() from made
  `.anyRow(tx)
}

/** The tables `account` and `api_key`: accounts, and the keys that act for them. */
import { sql } from 'kysely'
import type { AppScope } from '../model/oauth/authorization.ts'
import { type Db, query, type Tx } from './database.ts'
import type { UserSince } from './sign-in.ts'
import type { LiveGrant } from './oauth-grants.ts'

/** An account may be used while `suspendedAt` is null. A deleted account is suspended, too. */
export type AccountRow = {
  id: string
  email: string
  createdAt: Date
  suspendedAt: Date | null
  deletedAt: Date | null
}

export type KeyLimits = {
  /** Null means that the key may do everything. */
  scopes: AppScope[] | null
  /** Money that the key may spend a month; null means the whole balance. */
  monthlyCapMicros: bigint | null
}

export type ApiKeyRow = KeyLimits & {
  id: string
  accountId: string
  name: string
  prefix: string
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
  /** When it first came by plain http, where others may have read it; null if never. */
  sentInClearAt: Date | null
}

type NewApiKey = {
  id: string
  accountId: string
  name: string
  prefix: string
  secretHash: Buffer
  kind: 'key' | 'session' | 'app'
  bucket: string
  bucketSize: number
  refillPerSecond: number
  /** Null means that the key never expires. */
  lifetimeSeconds: number | null
  /** Scopes of an app's token; absent for every other kind. */
  app?: LiveGrant
  /** The limits of an owner's key, where it has any. */
  limits?: KeyLimits
}

export async function insertAccount(
  tx: Db,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await query`insert into account (id, email) values (${id}, ${email})`.rowCount(tx)
}

/** The account with this id or e-mail address (any case), or null. */
export async function findAccount(db: Db, idOrEmail: string): Promise<AccountRow | null> {
  return query<AccountRow>`
    select id, email, created_at as "createdAt", suspended_at as "suspendedAt", deleted_at as "deletedAt" from account
    where id = ${idOrEmail} or lower(email) = lower(${idOrEmail})
  `.firstRow(db)
}

/** Suspends or resumes an account. Returns false where it is in that state already, or deleted. */
export async function setSuspended(
  tx: Tx,
  accountId: string,
  isSuspended: boolean,
): Promise<boolean> {
  return query`
    update account set suspended_at = ${isSuspended ? sql`now()` : sql`null`}
    where id = ${accountId} and (suspended_at is not null) <> ${isSuspended} and deleted_at is null
  `.anyRow(tx)
}

/**
 * Sends the account's mails to another address from now on. An address that has an account already throws the unique
 * index's violation.
 */
export async function setAccountEmail(
  tx: Tx,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  await query`update account set email = ${email} where id = ${accountId}`.rowCount(tx)
}

/**
 * The beneficiary of what the account's owner is given once; null where none is remembered yet
 * (store/given-once.ts).
 */
export async function findBeneficiary(db: Db, accountId: string): Promise<string | null> {
  return query<{ beneficiary: string | null }>`
    select beneficiary from account where id = ${accountId}
  `.firstValue(db)
}

export async function setBeneficiary(
  tx: Tx,
  { accountId, beneficiary }: { accountId: string; beneficiary: string },
): Promise<void> {
  await query`update account set beneficiary = ${beneficiary} where id = ${accountId}`.rowCount(tx)
}

/** Accounts without a beneficiary: earlier releases made them. */
export async function listUnremembered(db: Db, limit: number): Promise<string[]> {
  return query<{ id: string }>`
    select id from account where beneficiary is null and deleted_at is null order by id limit ${limit}
  `.values(db)
}

/**
 * Ends the account for good: nobody may use it, and its address is free again. Returns false where it was deleted
 * before.
 */
export async function setDeleted(tx: Tx, accountId: string): Promise<boolean> {
  return query`
    update account set deleted_at = now(), suspended_at = coalesce(suspended_at, now()), email = id || '@deleted.invalid',
      beneficiary = null
    where id = ${accountId} and deleted_at is null
  `.anyRow(tx)
}

/** Deleted accounts that may still have rows, deleted at least `minSeconds` ago; the longest deleted first. */
export async function listUnerased(
  db: Db,
  { minSeconds, limit }: { minSeconds: number; limit: number },
): Promise<string[]> {
  return query<{ id: string }>`
    select id from account where deleted_at < now() - make_interval(secs => ${minSeconds}) and erased_at is null
    order by deleted_at limit ${limit}
  `.values(db)
}

export async function setAccountErased(db: Db, accountId: string): Promise<void> {
  // The release before does not know who the beneficiary is, and leaves them where it deletes an account.
  await sql`update account set erased_at = now(), beneficiary = null where id = ${accountId}`.execute(
    db,
  )
}

export async function insertApiKey(tx: Db, key: NewApiKey): Promise<void> {
  await sql`
    insert into api_key (id, account_id, name, prefix, secret_hash, kind, bucket, bucket_size, refill, expires_at,
      connection_id, grant_id, scopes, audience, monthly_cap_micros)
    values (${key.id}, ${key.accountId}, ${key.name}, ${key.prefix}, ${key.secretHash}, ${key.kind},
      ${key.bucket}, ${key.bucketSize}, ${key.refillPerSecond},
      now() + ${key.lifetimeSeconds}::double precision * interval '1 second',
      ${key.app?.connectionId ?? null}, ${key.app?.grantId ?? null}, ${key.app?.scopes ?? key.limits?.scopes ?? null}, ${key.app?.audience ?? null},
      ${key.limits?.monthlyCapMicros?.toString() ?? null}::bigint)
  `.execute(tx)
}

/** The account's keys, newest first, revoked ones included; never the website's session bearers. */
export async function listApiKeys(db: Db, accountId: string): Promise<ApiKeyRow[]> {
  return query<ApiKeyRow>`
    select id, account_id as "accountId", name, prefix, created_at as "createdAt", expires_at as "expiresAt",
      last_used_at as "lastUsedAt", revoked_at as "revokedAt", scopes, monthly_cap_micros as "monthlyCapMicros",
      sent_in_clear_at as "sentInClearAt"
    from api_key where account_id = ${accountId} and kind = 'key' order by created_at desc, id desc
  `.rows(db)
}

/**
 * Locks the account's row, so that the keys of an account are counted and added by one transaction at a time. Returns
 * false where the account is deleted, also while this waited: nothing is to be made for it. Entries and jobs use the
 * balance's lock instead.
 */
export async function lockAccount(tx: Tx, accountId: string): Promise<boolean> {
  return query`
    select from account where id = ${accountId} and deleted_at is null for no key update
  `.anyRow(tx)
}

/** Returns the owner's key as long as it may be used; null once it was revoked or deleted. */
export async function findLiveKey(
  db: Db,
  { accountId, keyId }: { accountId: string; keyId: string },
) {
  return query<{ id: string; isCapped: boolean }>`
    select id, monthly_cap_micros is not null as "isCapped" from api_key
    where id = ${keyId} and account_id = ${accountId} and kind = 'key' and revoked_at is null
  `.firstRow(db)
}

export async function countLiveKeys(tx: Tx, accountId: string): Promise<number> {
  return query<{ live: number }>`
    select count(*)::int as live from api_key where account_id = ${accountId} and kind = 'key' and revoked_at is null
  `.value(tx)
}

/** The key with this id; a null `accountId` finds it in any account. */
type KeyChoice = { keyId: string; accountId: string | null }

/** SQL for a condition that only this key meets. */
function chosen({ keyId, accountId }: KeyChoice) {
  return sql`id = ${keyId} and kind = 'key' and account_id = coalesce(${accountId}, account_id)`
}

/** Revokes a key at once; may be repeated. Returns the id of its account, or null where there is no such key. */
export async function revokeApiKey(tx: Tx, key: KeyChoice): Promise<string | null> {
  return query<{ accountId: string }>`
    update api_key set revoked_at = coalesce(revoked_at, now()) where ${chosen(key)} returning account_id as "accountId"
  `.firstValue(tx)
}

/** Deletes a key that was never used. Returns false where there is no such key. */
export async function deleteUnusedKey(tx: Tx, key: KeyChoice): Promise<boolean> {
  return query`delete from api_key where ${chosen(key)} and last_used_at is null`.anyRow(tx)
}

/** Deletes the account's revoked keys, except the `keptMax` that were revoked last. */
export async function deleteOldRevokedKeys(
  tx: Tx,
  { accountId, keptMax }: { accountId: string; keptMax: number },
): Promise<void> {
  await sql`
    delete from api_key where id in (
      select id from api_key where account_id = ${accountId} and kind = 'key' and revoked_at is not null
      order by revoked_at desc, id desc offset ${keptMax})
  `.execute(tx)
}

/** Revokes the bearers of all the account's sessions. */
export async function revokeSessionBearers(db: Db, accountId: string): Promise<void> {
  await sql`
    update api_key set revoked_at = now() where account_id = ${accountId} and kind = 'session' and revoked_at is null
  `.execute(db)
}

/** Deletes bearers that expired or were revoked more than an hour ago. */
export async function deleteDeadBearers(db: Db, accountId: string): Promise<void> {
  await sql`
    delete from api_key where account_id = ${accountId} and kind = 'session'
      and (expires_at < now() - interval '1 hour' or revoked_at < now() - interval '1 hour')
  `.execute(db)
}

/** Deletes one token of this client's app; its grant stays. */
export async function deleteAppToken(
  tx: Tx,
  { secretHash, clientId }: { secretHash: Buffer; clientId: string },
): Promise<void> {
  await sql`
    delete from api_key where secret_hash = ${secretHash} and kind = 'app'
      and connection_id in (select id from app_connection where client_id = ${clientId})
  `.execute(tx)
}

/** When a token of this connection was last used; null where it never was. */
type AppTokenUse = { connectionId: string; lastUsedAt: Date | null }

/** Deletes up to `rowsMax` tokens of apps that expired over an hour ago. Returns when each was last used. */
export async function sweepAppTokens(tx: Tx, rowsMax: number): Promise<AppTokenUse[]> {
  return query<AppTokenUse>`
    delete from api_key where id in (
      select id from api_key where kind = 'app' and expires_at < now() - interval '1 hour'
      order by expires_at limit ${rowsMax} for update skip locked)
    returning connection_id as "connectionId", last_used_at as "lastUsedAt"
  `.rows(tx)
}

/**
 * Revokes the keys and bearers of the user's account that were made at or after `since`. Returns how many keys that
 * were, without bearers.
 */
export async function revokeKeysOfUser(tx: Tx, { userId, since }: UserSince): Promise<number> {
  const revoked = await query<{ kind: string }>`
    update api_key set revoked_at = now() where revoked_at is null and created_at >= ${since}
      and account_id in (select account_id from sign_in_user where id = ${userId})
    returning kind
  `.rows(tx)
  return revoked.filter(({ kind }) => kind === 'key').length
}

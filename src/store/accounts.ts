/** The tables `account` and `api_key`: owners and what acts for them. */
import { sql } from 'kysely'
import type { Db, Tx } from '../postgres/database.ts'

/** `suspendedAt` null: the account may be used. */
export type AccountRow = { id: string; email: string; createdAt: Date; suspendedAt: Date | null }

export type ApiKeyRow = {
  id: string
  accountId: string
  name: string
  prefix: string
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
}

export type NewApiKey = {
  id: string
  accountId: string
  name: string
  prefix: string
  secretHash: Buffer
  kind: 'key' | 'session'
  bucket: string
  bucketSize: number
  refillPerSecond: number
  /** Null: it never expires. */
  lifetimeSeconds: number | null
}

export async function insertAccount(
  tx: Db,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await sql`insert into account (id, email) values (${id}, ${email})`.execute(tx)
}

/** The account with this id or e-mail address (any case), or null. */
export async function findAccount(db: Db, idOrEmail: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`
    select id, email, created_at as "createdAt", suspended_at as "suspendedAt" from account
    where id = ${idOrEmail} or lower(email) = lower(${idOrEmail})
  `.execute(db)
  return rows[0] ?? null
}

/** Suspends or resumes; false where that is the account's state already. */
export async function setSuspended(
  tx: Tx,
  accountId: string,
  isSuspended: boolean,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update account set suspended_at = ${isSuspended ? sql`now()` : sql`null`}
    where id = ${accountId} and (suspended_at is not null) <> ${isSuspended}
  `.execute(tx)
  return numAffectedRows === 1n
}

export async function insertApiKey(tx: Db, key: NewApiKey): Promise<void> {
  await sql`
    insert into api_key (id, account_id, name, prefix, secret_hash, kind, bucket, bucket_size, refill, expires_at)
    values (${key.id}, ${key.accountId}, ${key.name}, ${key.prefix}, ${key.secretHash}, ${key.kind},
      ${key.bucket}, ${key.bucketSize}, ${key.refillPerSecond},
      now() + ${key.lifetimeSeconds}::double precision * interval '1 second')
  `.execute(tx)
}

/** The account's keys, newest first, revoked ones included; never the website's session bearers. */
export async function listApiKeys(db: Db, accountId: string): Promise<ApiKeyRow[]> {
  const { rows } = await sql<ApiKeyRow>`
    select id, account_id as "accountId", name, prefix, created_at as "createdAt",
      expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"
    from api_key where account_id = ${accountId} and kind = 'key'
    order by created_at desc, id desc
  `.execute(db)
  return rows
}

/** Serialises what counts the account's keys; entries and jobs have the balance's lock. */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await sql`select from account where id = ${accountId} for no key update`.execute(tx)
}

export async function countLiveKeys(tx: Tx, accountId: string): Promise<number> {
  const { rows } = await sql<{ live: number }>`
    select count(*)::int as live from api_key where account_id = ${accountId} and kind = 'key' and revoked_at is null
  `.execute(tx)
  return rows[0]?.live ?? 0
}

/** Which key is meant: of any account where none is named. */
type KeyChoice = { keyId: string; accountId: string | null }

function isChosen({ keyId, accountId }: KeyChoice) {
  return sql`id = ${keyId} and kind = 'key' and account_id = coalesce(${accountId}, account_id)`
}

/** Revokes at once, and safely again; its account's id, or null where there is no such key. */
export async function revokeApiKey(tx: Tx, key: KeyChoice): Promise<string | null> {
  const { rows } = await sql<{ accountId: string }>`
    update api_key set revoked_at = coalesce(revoked_at, now()) where ${isChosen(key)} returning account_id as "accountId"
  `.execute(tx)
  return rows[0]?.accountId ?? null
}

/** Deletes a key that nobody ever used; false where there is none. */
export async function deleteUnusedKey(tx: Tx, key: KeyChoice): Promise<boolean> {
  const { rows } =
    await sql`delete from api_key where ${isChosen(key)} and last_used_at is null returning id`.execute(
      tx,
    )
  return rows.length > 0
}

/** Forgets the account's revoked keys but for the latest. */
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

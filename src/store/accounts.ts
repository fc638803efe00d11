/** The tables `account` and `api_key`: owners and what acts for them. */
import { type NotNull, sql } from 'kysely'
import type { AppScope } from '../model/oauth/authorization.ts'
import type { Db, Tx } from './database.ts'
import type { LiveGrant } from './oauth-grants.ts'

/** `suspendedAt` null: the account may be used. A deleted one is suspended, too. */
export type AccountRow = {
  id: string
  email: string
  createdAt: Date
  suspendedAt: Date | null
  deletedAt: Date | null
}

export type ApiKeyRow = {
  id: string
  accountId: string
  name: string
  prefix: string
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
  /** Null: everything. */
  scopes: AppScope[] | null
  /** In micros; null: the whole balance. */
  monthlyCapMicros: bigint | null
}

export type NewApiKey = {
  id: string
  accountId: string
  name: string
  prefix: string
  secretHash: Buffer
  kind: 'key' | 'session' | 'app'
  bucket: string
  bucketSize: number
  refillPerSecond: number
  /** Null: it never expires. */
  lifetimeSeconds: number | null
  /** Only of an app's token: what it may do. */
  app?: LiveGrant
  /** Only of an owner's key, where it is limited. */
  limits?: KeyLimits
}

export type KeyLimits = Pick<ApiKeyRow, 'scopes' | 'monthlyCapMicros'>

export async function insertAccount(
  tx: Db,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await tx.insertInto('account').values({ id, email }).execute()
}

/** The account with this id or e-mail address (any case), or null. */
export async function findAccount(db: Db, idOrEmail: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`
    select id, email, created_at as "createdAt", suspended_at as "suspendedAt", deleted_at as "deletedAt" from account
    where id = ${idOrEmail} or lower(email) = lower(${idOrEmail})
  `.execute(db)
  return rows[0] ?? null
}

/** Suspends or resumes; false where that is the account's state already, or it is deleted. */
export async function setSuspended(
  tx: Tx,
  accountId: string,
  isSuspended: boolean,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update account set suspended_at = ${isSuspended ? sql`now()` : sql`null`}
    where id = ${accountId} and (suspended_at is not null) <> ${isSuspended} and deleted_at is null
  `.execute(tx)
  return numAffectedRows === 1n
}

/** What the account is mailed goes to another address from now on. One that has an account throws the index's violation. */
export async function setAccountEmail(
  tx: Tx,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  await tx.updateTable('account').set({ email }).where('id', '=', accountId).execute()
}

/** Ends the account for good: nobody may use it, and its address is free again. False where that was done before. */
export async function setDeleted(tx: Tx, accountId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update account set deleted_at = now(), suspended_at = coalesce(suspended_at, now()), email = id || '@deleted.invalid'
    where id = ${accountId} and deleted_at is null
  `.execute(tx)
  return numAffectedRows === 1n
}

/** Deleted accounts, of those that may have rows left, which ended at least so long ago. */
export async function listUnerased(
  db: Db,
  { minSeconds, limit }: { minSeconds: number; limit: number },
): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select id from account where deleted_at < now() - make_interval(secs => ${minSeconds}) and erased_at is null
    order by deleted_at limit ${limit}
  `.execute(db)
  return rows
}

export async function setAccountErased(db: Db, accountId: string): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({ erased_at: eb.fn<Date>('now') }))
    .where('id', '=', accountId)
    .execute()
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
  const keys = await db
    .selectFrom('api_key')
    .select([
      'id',
      'account_id as accountId',
      'name',
      'prefix',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'last_used_at as lastUsedAt',
      'revoked_at as revokedAt',
      'scopes',
      'monthly_cap_micros as monthlyCapMicros',
    ])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'key')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return keys.map((key) => ({ ...key, scopes: key.scopes as AppScope[] | null }))
}

/** Serialises what counts the account's keys; entries and jobs have the balance's lock. */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
}

export async function countLiveKeys(tx: Tx, accountId: string): Promise<number> {
  const { rows } = await sql<{ live: number }>`
    select count(*)::int as live from api_key where account_id = ${accountId} and kind = 'key' and revoked_at is null
  `.execute(tx)
  return rows[0]?.live ?? 0
}

/** Which key is meant: of any account where none is named. */
type KeyChoice = { keyId: string; accountId: string | null }

/** The columns that tell it from others. */
function chosen({ keyId, accountId }: KeyChoice) {
  const key = { id: keyId, kind: 'key' } as const
  return accountId === null ? key : { ...key, account_id: accountId }
}

/** Revokes at once, and safely again; its account's id, or null where there is no such key. */
export async function revokeApiKey(tx: Tx, key: KeyChoice): Promise<string | null> {
  const revoked = await tx
    .updateTable('api_key')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.fn<Date>('now')) }))
    .where((eb) => eb.and(chosen(key)))
    .returning('account_id')
    .executeTakeFirst()
  return revoked?.account_id ?? null
}

/** Deletes a key that nobody ever used; false where there is none. */
export async function deleteUnusedKey(tx: Tx, key: KeyChoice): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('api_key')
    .where((eb) => eb.and(chosen(key)))
    .where('last_used_at', 'is', null)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
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

/** Ends one token of an app of this client; its grant goes on. */
export async function deleteAppToken(
  tx: Tx,
  { secretHash, clientId }: { secretHash: Buffer; clientId: string },
): Promise<void> {
  await sql`
    delete from api_key where secret_hash = ${secretHash} and kind = 'app'
      and connection_id in (select id from app_connection where client_id = ${clientId})
  `.execute(tx)
}

/** Forgets up to `rowsMax` tokens of apps that expired over an hour ago. Returns when each was used. */
export async function sweepAppTokens(
  tx: Tx,
  rowsMax: number,
): Promise<{ connectionId: string; lastUsedAt: Date | null }[]> {
  const { rows } = await sql<{ connectionId: string | null; lastUsedAt: Date | null }>`
    delete from api_key where id in (
      select id from api_key where kind = 'app' and expires_at < now() - interval '1 hour'
      order by expires_at limit ${rowsMax} for update skip locked)
    returning connection_id as "connectionId", last_used_at as "lastUsedAt"
  `.execute(tx)
  return rows.map(({ connectionId, lastUsedAt }) => ({
    connectionId: connectionId ?? '',
    lastUsedAt,
  }))
}

/** Revokes the keys and bearers of the user's account that were made since. Returns how many keys, bearers not counted. */
export async function revokeKeysOfUser(
  tx: Tx,
  { userId, since }: { userId: string; since: Date },
): Promise<number> {
  const revoked = await tx
    .updateTable('api_key')
    .set((eb) => ({ revoked_at: eb.fn<Date>('now') }))
    .where('account_id', 'in', (eb) =>
      eb
        .selectFrom('sign_in_user')
        .select('account_id')
        .where('id', '=', userId)
        .$narrowType<{ account_id: NotNull }>(),
    )
    .where('created_at', '>=', since)
    .where('revoked_at', 'is', null)
    .returning('kind')
    .execute()
  return revoked.filter(({ kind }) => kind === 'key').length
}

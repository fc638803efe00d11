/** The table `app_connection`: what accounts let apps do, and how much of it they used. */
import { sql } from 'kysely'
import type { ClientKind } from '../model/oauth/client.ts'
import type { AppScope } from '../model/oauth/authorization.ts'
import type { ExposedKey } from './authentication.ts'
import { type Db, query, type Tx } from './database.ts'
import type { UserSince } from './sign-in.ts'

export type AppRow = {
  id: string
  clientId: string
  kind: ClientKind
  name: string
  /** The scopes of all its consents that have not expired; empty where all have. */
  scopes: AppScope[]
  monthlyCapMicros: bigint
  spentMicros: bigint
  createdAt: Date
  lastUsedAt: Date | null
}

type NewConnection = {
  id: string
  accountId: string
  clientId: string
  /** Null keeps the present cap; an app that may not spend has 0. */
  monthlyCapMicros: bigint | null
}

/**
 * Connects an app, or connects it again with what is allowed now; what it spent before still counts. Returns the
 * connection's id.
 */
export async function upsertConnection(tx: Tx, one: NewConnection): Promise<string> {
  const cap = one.monthlyCapMicros?.toString() ?? null
  return query<{ id: string }>`
    insert into app_connection (id, account_id, client_id, monthly_cap_micros)
    values (${one.id}, ${one.accountId}, ${one.clientId}, coalesce(${cap}::bigint, 0))
    on conflict (account_id, client_id) do update set revoked_at = null,
      monthly_cap_micros = coalesce(${cap}::bigint, app_connection.monthly_cap_micros),
      created_at = case when app_connection.revoked_at is null then app_connection.created_at else now() end,
      sent_in_clear_at = case when app_connection.revoked_at is null then app_connection.sent_in_clear_at end
    returning id
  `.value(tx)
}

/** How many apps are connected to the account. */
export async function countConnections(tx: Tx, accountId: string): Promise<number> {
  return query<{ live: number }>`
    select count(*)::int as live from app_connection where account_id = ${accountId} and revoked_at is null
  `.value(tx)
}

/**
 * Deletes the account's revoked connections that started no job: there is no spending to remember. Returns the ids of
 * their clients.
 */
export async function deleteUnusedConnections(tx: Tx, accountId: string): Promise<string[]> {
  return query<{ clientId: string }>`
    delete from app_connection a where a.account_id = ${accountId} and a.revoked_at is not null
      and not exists (select from job j where j.connection_id = a.id)
    returning a.client_id as "clientId"
  `.values(tx)
}

/** SQL for what the jobs of connection `a` reserved or were charged in this calendar month (UTC). */
const SPENT = sql`(select coalesce(sum(coalesce(j.charged_micros, j.reserved_micros)), 0)::bigint from job j
    where j.connection_id = a.id and j.created_at >= date_trunc('month', now(), 'UTC')) as "spentMicros"`

/** SQL for the scopes of all consents of connection `a` that have not expired. */
const SCOPES = sql`coalesce((select array_agg(distinct s.scope) from oauth_grant g, unnest(g.scopes) s (scope)
      where g.connection_id = a.id and g.expires_at > now()), '{}')`

/** The account's connected apps, the latest first. */
export async function listApps(db: Db, accountId: string): Promise<AppRow[]> {
  return query<AppRow>`
    select a.id, a.client_id as "clientId", c.kind, c.name, ${SCOPES} as scopes, a.monthly_cap_micros as "monthlyCapMicros",
      ${SPENT}, a.created_at as "createdAt",
      greatest(a.last_used_at, (select max(k.last_used_at) from api_key k where k.connection_id = a.id)) as "lastUsedAt"
    from app_connection a join oauth_client c on c.id = a.client_id
    where a.account_id = ${accountId} and a.revoked_at is null order by a.created_at desc, a.id desc
  `.rows(db)
}

/** Returns the cap and the spending of an existing connection, for the consent page; null where there is none. */
export async function findConnection(
  db: Db,
  { accountId, clientId }: { accountId: string; clientId: string },
) {
  return query<{ monthlyCapMicros: bigint; spentMicros: bigint }>`
    select a.monthly_cap_micros as "monthlyCapMicros", ${SPENT}
    from app_connection a where a.account_id = ${accountId} and a.client_id = ${clientId} and a.revoked_at is null
  `.firstRow(db)
}

export type Spending = { capMicros: bigint; spentMicros: bigint }

/**
 * Returns the app's cap and spending; null where the connection was revoked since the token was checked. `isLocked`
 * locks it for sharing: under the balance's lock, which every job start holds, no other transaction adds to the
 * spending.
 */
export async function findSpending(
  db: Db,
  { connectionId, isLocked }: { connectionId: string; isLocked: boolean },
): Promise<Spending | null> {
  return query<Spending>`
    select a.monthly_cap_micros as "capMicros", ${SPENT}
    from app_connection a where a.id = ${connectionId} and a.revoked_at is null ${isLocked ? sql`for share of a` : sql``}
  `.firstRow(db)
}

/** Returns false where the account has no such connection. */
export async function updateCap(
  db: Db,
  { id, accountId, monthlyCapMicros }: { id: string; accountId: string; monthlyCapMicros: bigint },
): Promise<boolean> {
  return query`
    update app_connection set monthly_cap_micros = ${monthlyCapMicros}
    where id = ${id} and account_id = ${accountId} and revoked_at is null
  `.anyRow(db)
}

/**
 * Marks a connection as revoked; the caller deletes its grants and tokens. Returns false where the account has no such
 * connection.
 */
export async function markRevoked(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
): Promise<boolean> {
  return query`
    update app_connection set revoked_at = now() where id = ${id} and account_id = ${accountId} and revoked_at is null
  `.anyRow(tx)
}

/** Notes that a secret of the app came by plain http. Returns it where its owner is to be told: the first time. */
export async function markAppSentInClear(tx: Tx, id: string): Promise<ExposedKey | null> {
  return query<ExposedKey>`
    update app_connection a set sent_in_clear_at = now() from account o, oauth_client c
    where a.id = ${id} and a.sent_in_clear_at is null and a.revoked_at is null
      and o.id = a.account_id and c.id = a.client_id
    returning o.email, c.name, null as prefix
  `.firstRow(tx)
}

/** Revokes the apps of the user's account that were connected at or after `since`. Returns the connections' ids. */
export async function revokeAppsOfUser(tx: Tx, { userId, since }: UserSince): Promise<string[]> {
  return query<{ id: string }>`
    update app_connection set revoked_at = now()
    where revoked_at is null and created_at >= ${since} and account_id in (select account_id from sign_in_user where id = ${userId})
    returning id
  `.values(tx)
}

/** Notes when tokens that are being deleted were last used; a connection's time only moves forward. */
export async function noteUses(
  tx: Tx,
  uses: readonly { connectionId: string; lastUsedAt: Date | null }[],
): Promise<void> {
  await sql`
    update app_connection a set last_used_at = greatest(a.last_used_at, u.used_at)
    from (
      select id, max(used_at) as used_at
      from unnest(${uses.map((use) => use.connectionId)}::text[], ${uses.map((use) => use.lastUsedAt)}::timestamptz[]) each (id, used_at)
      group by id) u
    where a.id = u.id and u.used_at is not null
  `.execute(tx)
}

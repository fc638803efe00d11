/** The tables `oauth_grant`, `oauth_code` and `oauth_refresh_token`: one consent and the tokens that follow from it. */
import { sql } from 'kysely'
import type { AppScope, Audience } from '../model/oauth/authorization.ts'
import { query, type Tx } from './database.ts'
import type { UserSince } from './sign-in.ts'

type NewGrant = {
  id: string
  connectionId: string
  scopes: AppScope[]
  audience: Audience[]
  lifetimeSeconds: number
}

/** The grant for which tokens are issued. */
export type LiveGrant = {
  grantId: string
  connectionId: string
  accountId: string
  clientId: string
  scopes: AppScope[]
  audience: Audience[]
}

const GRANT = sql`g.id as "grantId", g.connection_id as "connectionId", a.account_id as "accountId",
  a.client_id as "clientId", g.scopes, g.audience`
/** SQL that keeps grants whose connection is not revoked and whose account is not suspended. */
const LIVE = sql`join app_connection a on a.id = g.connection_id and a.revoked_at is null
  join account o on o.id = a.account_id and o.suspended_at is null`

export async function insertGrant(tx: Tx, grant: NewGrant): Promise<void> {
  await sql`
    insert into oauth_grant (id, connection_id, scopes, audience, expires_at)
    values (${grant.id}, ${grant.connectionId}, ${grant.scopes}, ${grant.audience}, now() + make_interval(secs => ${grant.lifetimeSeconds}))
  `.execute(tx)
}

/** Returns the grant, locked; null where it is gone, its connection revoked or its account suspended. */
export async function findLiveGrant(tx: Tx, grantId: string): Promise<LiveGrant | null> {
  return query<LiveGrant>`
    select ${GRANT} from oauth_grant g ${LIVE} where g.id = ${grantId} for update of g
  `.firstRow(tx)
}

/** Extends the grant, which lasts as long as the newest of its tokens. */
export async function extendGrant(tx: Tx, grantId: string, lifetimeSeconds: number): Promise<void> {
  await sql`
    update oauth_grant set expires_at = now() + make_interval(secs => ${lifetimeSeconds}) where id = ${grantId}
  `.execute(tx)
}

/** Deletes a grant with its tokens, which are refused from the commit on. */
export async function deleteGrant(tx: Tx, grantId: string): Promise<void> {
  await query`delete from oauth_grant where id = ${grantId}`.rowCount(tx)
}

/** Deletes the grants of these connections, with all their tokens. */
export async function deleteGrantsOf(tx: Tx, connectionIds: string[]): Promise<void> {
  await query`delete from oauth_grant where connection_id = any(${connectionIds})`.rowCount(tx)
}

/** Deletes the grants made at or after `since` on the user's account, with their tokens. */
export async function deleteGrantsSince(tx: Tx, { userId, since }: UserSince): Promise<void> {
  await sql`
    delete from oauth_grant where created_at >= ${since} and connection_id in (
      select a.id from app_connection a join sign_in_user u on u.account_id = a.account_id where u.id = ${userId})
  `.execute(tx)
}

type NewCode = {
  hash: Buffer
  grantId: string
  clientId: string
  redirectUri: string
  challenge: string
  lifetimeSeconds: number
}

export async function insertCode(tx: Tx, code: NewCode): Promise<void> {
  await sql`
    insert into oauth_code (code_hash, grant_id, client_id, redirect_uri, challenge, expires_at)
    values (${code.hash}, ${code.grantId}, ${code.clientId}, ${code.redirectUri}, ${code.challenge},
      now() + make_interval(secs => ${code.lifetimeSeconds}))
  `.execute(tx)
}

type FoundCode = {
  grantId: string
  clientId: string
  redirectUri: string
  challenge: string
  isUsed: boolean
  isExpired: boolean
}

/**
 * Locks the live grant to which a code or refresh token belongs; returns null where there is none. The grant is locked
 * before its code or token, as by the transaction that deletes it with both.
 */
export async function lockGrantOf(
  tx: Tx,
  { table, hash }: { table: 'oauth_code' | 'oauth_refresh_token'; hash: Buffer },
): Promise<LiveGrant | null> {
  const key = sql.ref(table === 'oauth_code' ? 'code_hash' : 'token_hash')
  const found = await query<{ grantId: string }>`
    select grant_id as "grantId" from ${sql.table(table)} where ${key} = ${hash}
  `.firstRow(tx)
  return found === null ? null : findLiveGrant(tx, found.grantId)
}

/**
 * Returns the code, or null. The caller holds its grant's lock, so that of two requests with one code the second sees
 * it used.
 */
export async function readCode(tx: Tx, hash: Buffer): Promise<FoundCode | null> {
  return query<FoundCode>`
    select grant_id as "grantId", client_id as "clientId", redirect_uri as "redirectUri", challenge,
      used_at is not null as "isUsed", expires_at < now() as "isExpired"
    from oauth_code where code_hash = ${hash}
  `.firstRow(tx)
}

export async function markCodeUsed(tx: Tx, hash: Buffer): Promise<void> {
  await sql`update oauth_code set used_at = now() where code_hash = ${hash}`.execute(tx)
}

export async function insertRefreshToken(
  tx: Tx,
  { hash, grantId, lifetimeSeconds }: { hash: Buffer; grantId: string; lifetimeSeconds: number },
): Promise<void> {
  await sql`
    insert into oauth_refresh_token (token_hash, grant_id, expires_at)
    values (${hash}, ${grantId}, now() + make_interval(secs => ${lifetimeSeconds}))
  `.execute(tx)
}

/** `usedSeconds` is how long ago the token was used; null where it never was. */
type FoundRefreshToken = { grantId: string; usedSeconds: number | null; isExpired: boolean }

/** Returns the refresh token, or null; the caller holds its grant's lock. */
export async function readRefreshToken(tx: Tx, hash: Buffer): Promise<FoundRefreshToken | null> {
  return query<FoundRefreshToken>`
    select grant_id as "grantId", extract(epoch from now() - used_at)::double precision as "usedSeconds",
      expires_at < now() as "isExpired"
    from oauth_refresh_token where token_hash = ${hash}
  `.firstRow(tx)
}

/**
 * How many unused refresh tokens of the grant, each living `lifetimeSeconds`, were issued within the last `seconds`.
 */
export async function countFreshRefreshTokens(
  tx: Tx,
  {
    grantId,
    seconds,
    lifetimeSeconds,
  }: Record<'seconds' | 'lifetimeSeconds', number> & { grantId: string },
): Promise<number> {
  return query<{ count: number }>`
    select count(*)::int as count from oauth_refresh_token
    where grant_id = ${grantId} and used_at is null and expires_at > now() + make_interval(secs => ${lifetimeSeconds - seconds})
  `.value(tx)
}

/** Marks a refresh token as used and keeps it for `keptSeconds`, to recognise it if it comes again. */
export async function markRefreshTokenUsed(
  tx: Tx,
  hash: Buffer,
  keptSeconds: number,
): Promise<void> {
  await sql`
    update oauth_refresh_token set used_at = now(), expires_at = now() + make_interval(secs => ${keptSeconds})
    where token_hash = ${hash} and used_at is null
  `.execute(tx)
}

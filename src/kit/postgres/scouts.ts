/** Asking servers what they are. */
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { KIT_LIMITS } from '../limits.ts'
import { type DatabaseAddress, type Host, waysOfTls } from './address.ts'
import type { ServerIdentity } from './fence.ts'
import { endConnection } from './socket.ts'
import { NamingClient } from './statement.ts'

/** A server that cannot say what it is, and so is not fenced. */
export class NamelessServerError extends Error {}

/** SQL for the timeline of a position in the WAL of a primary. */
export const timelineAt = (position: string): string =>
  `('x' || substr(pg_walfile_name(${position}), 1, 8))::bit(32)::int`

/**
 * The timeline of a primary is that of its WAL: the control file has the old one until the first checkpoint after the
 * promotion.
 */
const IDENTITY = `
  select (select system_identifier::text from pg_control_system()) as "systemId",
    case when pg_is_in_recovery() then (
      select greatest(c.timeline_id, r.min_recovery_end_timeline)
      from pg_control_checkpoint() c, pg_control_recovery() r
    ) else ${timelineAt('pg_current_wal_lsn()')} end as timeline,
    not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as "isWritable",
    case when not pg_is_in_recovery() then pg_current_wal_insert_lsn()::text end as position,
    case when not pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as "beganAt"`
/** Codes of a role that may not call these functions, and of a server that has them not. */
const NAMELESS = /^(42501|42883|42704|0A000)$/

/** Throws NamelessServerError where the server does not tell. */
export async function identityOf(client: pg.Client, ms: number): Promise<ServerIdentity> {
  try {
    const asked = { text: IDENTITY, query_timeout: ms }
    const [found] = (await client.query<ServerIdentity>(asked)).rows
    if (found !== undefined) return found
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && NAMELESS.test(error.code ?? ''))) throw error
  }
  throw new NamelessServerError('it does not say of which system and timeline it is')
}

/** Returns what all connections to the address have in common, the host aside. */
export function settingsOf({
  user,
  password,
  database,
  applicationName,
  connectMs,
}: DatabaseAddress) {
  return {
    ssl: false,
    ...(user === null ? {} : { user }),
    ...(password === null ? {} : { password }),
    ...(database === null ? {} : { database }),
    ...(applicationName === null ? {} : { application_name: applicationName }),
    ...(connectMs === null ? {} : { connectionTimeoutMillis: connectMs }),
  }
}

/** Returns the ways of encryption; those that PGSSLMODE means to `pg`, where the address says none. */
function waysTo(address: DatabaseAddress, host: Host): (boolean | ConnectionOptions)[] {
  const { ssl } = new NamingClient({})
  const isOfEnvironment = address.sslMode === null && ssl && !host.host.startsWith('/')
  return isOfEnvironment ? [ssl] : waysOfTls(address, host)
}

/** Asks hosts what they are, on one connection to each, which is kept where there are several. */
export function openScouts(address: DatabaseAddress, connectMs: number) {
  const askMs = Math.min(connectMs, KIT_LIMITS.hostAnswerMs)
  const kept = new Map<Host, pg.Client>()
  /** The number of the way of encryption by which a host was reached. */
  const ways = new Map<Host, number>()
  let isClosed = false

  async function askKept(host: Host): Promise<ServerIdentity | null> {
    const client = kept.get(host)
    if (client === undefined) return null
    return identityOf(client, askMs).catch(() => {
      kept.delete(host)
      void endConnection(client)
      return null
    })
  }
  async function askAnew(host: Host): Promise<ServerIdentity> {
    const errors: unknown[] = []
    for (const [way, ssl] of waysTo(address, host).entries()) {
      const client = new pg.Client({
        application_name: 'scriptorium look',
        ...settingsOf(address),
        ...host,
        ssl,
        connectionTimeoutMillis: askMs,
      })
      client.on('error', () => undefined)
      try {
        await client.connect()
        ways.set(host, way)
        const found = await identityOf(client, askMs)
        if (address.hosts.length > 1 && !isClosed && !kept.has(host)) kept.set(host, client)
        return found
      } catch (error) {
        errors.push(error)
        if (error instanceof NamelessServerError) break
      } finally {
        if (kept.get(host) !== client) void endConnection(client)
      }
    }
    throw weightiest(errors)
  }
  async function inquire(host: Host): Promise<ServerIdentity> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('timeout expired')), askMs)
    const asked = askKept(host).then((found) => found ?? askAnew(host))
    return Promise.race([asked, late]).finally(() => clearTimeout(timer))
  }
  return {
    inquire,
    /** Returns how a connection to the host is encrypted; asks the host where that is not known yet. */
    async wayTo(host: Host) {
      const all = waysTo(address, host)
      if (all.length > 1 && !ways.has(host)) await inquire(host).catch(ignoreNameless)
      return all[ways.get(host) ?? 0] ?? false
    },
    forgetWayTo: (host: Host) => ways.delete(host),
    async close() {
      isClosed = true
      await Promise.all([...kept.values()].map(endConnection))
    },
  }
}

function ignoreNameless(error: unknown): void {
  if (!(error instanceof NamelessServerError)) throw error
}

/** Returns what a server said, rather than that another did not answer. */
export function weightiest(errors: unknown[]): unknown {
  return errors.find((error) => error instanceof pg.DatabaseError) ?? errors.at(-1)
}

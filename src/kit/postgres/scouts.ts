/** Asking servers what they are. */
import pg from 'pg'
import { KIT_LIMITS } from '../limits.ts'
import { type DatabaseAddress, type Host, tlsOf } from './address.ts'

/** A server as it describes itself. */
export type ServerIdentity = {
  systemId: string
  timeline: number
  /** False on a standby and where transactions are read-only by default. */
  isWritable: boolean
  /** The end of a primary's WAL; null on a standby. */
  position: string | null
  /** The end of what a primary replayed since it was started: where its timeline began, if it was promoted then. */
  beganAt: string | null
}

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

/** Returns null where the server does not tell. */
export async function identityOf(on: pg.Client | pg.Pool, ms: number) {
  const asked = { text: IDENTITY, query_timeout: ms }
  const { rows } = await (on as pg.Client).query<ServerIdentity>(asked).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && NAMELESS.test(error.code ?? '')) return { rows: [] }
    throw error
  })
  return rows[0] ?? null
}

/** A host's answer; its error is null where it answered without telling. */
export type HostAnswer = { at: Host; found: ServerIdentity | null; error: unknown }

/** Asks a host what it is, on a connection that is kept while it is asked again and again. */
export function openScout(at: Host, address: DatabaseAddress) {
  const connectionTimeoutMillis = KIT_LIMITS.hostAnswerMs
  const usual = { application_name: 'scriptorium look', ...address.settings }
  class Scout extends pg.Client {
    constructor() {
      super({ ...usual, ...at, ssl: tlsOf(address, at.host), connectionTimeoutMillis })
      this.on('error', () => undefined)
    }
  }
  const pool = new pg.Pool({ max: 1, Client: Scout, allowExitOnIdle: true })
  pool.on('error', () => undefined)
  let asking: Promise<HostAnswer> | null = null

  async function inquire(): Promise<HostAnswer> {
    try {
      return { at, found: await identityOf(pool, KIT_LIMITS.hostAnswerMs), error: null }
    } catch (error) {
      return { at, found: null, error }
    }
  }
  return {
    /** Shared by those who ask at the same time. Never throws. */
    ask: () => (asking ??= inquire().finally(() => (asking = null))),
    /** Does not wait for the farewell of a host, which may be silent. */
    close: () => void pool.end(),
  }
}

/**
 * The fence around the servers of a database: a connection is used only where its server is of the known system, and
 * of no lower timeline than the highest that was seen. A timeline grows with each promotion, so an old primary that
 * comes back is recognised before its first write.
 */
import type pg from 'pg'
import type { DatabaseAddress } from './address.ts'
import { breakConnection } from './socket.ts'

/** What a server says of itself. */
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

/** The highest timeline that was seen, and the system whose timeline it is. */
export type Known = { systemId: string; timeline: number }

export type Raised = (was: Known | null, now: ServerIdentity) => void

/** The servers that answer may not be used; the message says why, and what to do. */
export class UnfitServersError extends Error {}
/** What is known of timelines, and the connections that were let in. */
export function openFence({ targetSessionAttrs }: DatabaseAddress, onLeft: () => void) {
  let known: Known | null = null
  let told: Known | null = null
  const listeners = new Set<Raised>()
  const inside = new Map<pg.Client, Known>()
  const isOlder = (its: Known): boolean =>
    known !== null && (its.systemId !== known.systemId || its.timeline < known.timeline)

  /** Breaks connections inside, busy ones included. */
  function leave(isLeft: (its: Known) => boolean): void {
    onLeft()
    for (const [client, its] of inside)
      if (isLeft(its)) breakConnection(client, new UnfitServersError('its server was left'))
  }
  function raise({ systemId, timeline }: Known): void {
    known = { systemId, timeline }
    leave(isOlder)
  }
  function see(its: Known): void {
    if (known === null || (its.systemId === known.systemId && its.timeline > known.timeline))
      raise(its)
  }
  /** Returns why the server may not be used, or null where it may. */
  function refusalOf(host: string, its: ServerIdentity): string | null {
    if (known !== null && its.systemId !== known.systemId)
      return (
        `${host} is another database system (${its.systemId}, and ${known.systemId} is known): stop it, or ` +
        'accept it by `admin failover accept --reason …` where it is right'
      )
    if (known !== null && its.timeline < known.timeline)
      return (
        `${host} is on timeline ${its.timeline}, and ${known.timeline} is known: ` +
        'an old primary; stop it or rejoin it'
      )
    const isWanted = { any: true, primary: its.position !== null, 'read-write': its.isWritable }
    return isWanted[targetSessionAttrs]
      ? null
      : `${host} is not what target_session_attrs=${targetSessionAttrs} asks for`
  }
  return {
    known: () => known,
    see,
    leave,
    refusalOf,
    remember(its: Known): void {
      see(its)
      if (!isOlder(its)) told = known
    },
    adopt: raise,
    onRaised(listener: Raised): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    admit(client: pg.Client, host: string, its: ServerIdentity): void {
      see(its)
      const refusal = refusalOf(host, its)
      if (refusal !== null) throw new UnfitServersError(refusal)
      inside.set(client, its)
      client.once('end', () => inside.delete(client))
      const was = told
      if (was?.systemId === its.systemId && was.timeline >= its.timeline) return
      told = known
      for (const listener of listeners) listener(was, its)
    },
  }
}

/**
 * The servers that a database's address names, and the way to the one that may be used: every connection goes it.
 */
import { callbackify } from 'node:util'
import pg from 'pg'
import { KIT_LIMITS } from '../limits.ts'
import { onceClosed } from '../once-closed.ts'
import { type DatabaseAddress, type Host, nameOfHost, tlsOf } from './address.ts'
import { type HostAnswer, identityOf, openScout, type ServerIdentity } from './scouts.ts'
import { breakConnection, connectionOf, endConnection } from './socket.ts'
import { NamingClient } from './statement.ts'

export type { ServerIdentity } from './scouts.ts'

/** The highest timeline that was seen, and the system whose timeline it is. */
export type Known = { systemId: string; timeline: number }
type Raised = (was: Known | null, now: ServerIdentity) => void

/** The servers that answer may not be used; the message says why, and what to do. */
export class UnfitServersError extends Error {}

export type Servers = ReturnType<typeof openServers>

type ServersOptions = {
  /** How long a server may take to say what it is. */
  connectMs: number
  /** Not for a server that cannot be another one: that of a folder. */
  isFenced?: boolean
  warn?(sentence: string): void
}

/** A client that connects to the server that may be used, and is used only where it is that. */
export class ServedClient extends NamingClient {
  readonly #servers: Servers

  constructor({ servers, ...config }: pg.ClientConfig & { servers: Servers }) {
    super({ ...config, ...servers.address.settings })
    this.#servers = servers
    // The loss of an idle or lent connection would end the process; the next statement reports it.
    this.on('error', () => undefined)
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    const reached = this.#servers.reach(this, () => super.connect()).then(() => this)
    if (callback === undefined) return reached
    callbackify(() => reached)(callback)
  }
}

/**
 * The fence around the servers: a connection is used only where its server is of the known system, and of no lower
 * timeline than the highest that was seen. A timeline grows with each promotion, so an old primary that comes back is
 * recognised before its first write.
 */
function openFence({ targetSessionAttrs }: DatabaseAddress, onLeft: () => void) {
  let known: Known | null = null
  let told: Known | null = null
  const listeners = new Set<Raised>()
  const inside = new Set<pg.Client>()

  /** Breaks all connections inside, busy ones included. */
  function abandon(): void {
    onLeft()
    for (const client of inside)
      breakConnection(client, new UnfitServersError('its server was left'))
  }
  /** Connections inside were let in at what was the highest, so that a higher one abandons them all. */
  function see({ systemId, timeline }: Known): void {
    if (known !== null && (systemId !== known.systemId || timeline <= known.timeline)) return
    known = { systemId, timeline }
    abandon()
  }
  /** Returns why the server may not be used, or null where it may. */
  function refusalOf(host: string, its: ServerIdentity): string | null {
    if (known === null)
      return `${host} is system ${its.systemId}: name only servers of one system in DATABASE_URL`
    if (its.systemId !== known.systemId)
      return (
        `${host} is another database system (${its.systemId}, and ${known.systemId} is known): stop it, or, where it ` +
        'is right, run `admin failover accept --reason …` on this machine and restart'
      )
    if (its.timeline < known.timeline)
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
    /** The highest that this process saw, or was reminded of. */
    known: () => known,
    see,
    abandon,
    refusalOf,
    /** Only ever raises, and never replaces one system by another. */
    remember(its: Known): void {
      see(its)
      if (its.systemId === known?.systemId && its.timeline === known.timeline) told = known
    },
    /** Calls `listener` before the first use of a server that is the first, higher or of another accepted system. */
    onRaised(listener: Raised): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    admit(client: pg.Client, host: string, its: ServerIdentity): void {
      see(its)
      const refusal = refusalOf(host, its)
      if (refusal !== null) throw new UnfitServersError(refusal)
      inside.add(client)
      onceClosed(connectionOf(client).stream, () => inside.delete(client))
      const was = told
      told = known
      if (was === told) return
      for (const listener of listeners) listener(was, its)
    },
  }
}

type Fence = ReturnType<typeof openFence>

export function openServers(
  address: DatabaseAddress,
  { connectMs, isFenced = false, warn = () => undefined }: ServersOptions,
) {
  const { hosts } = address
  const [only = null] = hosts.length === 1 ? hosts : []
  /** The host to which new connections go; null where all are to be asked first. */
  let target = only
  let isWarned = false
  const fence = openFence(address, () => (target = only))
  const scouts = hosts.map((at) => openScout(at, address))

  async function admit(client: pg.Client, host: Host): Promise<void> {
    const found = await identityOf(client, connectMs)
    if (found !== null) return fence.admit(client, nameOfHost(host), found)
    if (!isWarned) warn(`${nameOfHost(host)} ${NAMELESS}, so that an old primary is not recognised`)
    isWarned = true
  }
  /** Asks all hosts side by side, and heeds each answer at once: another host may be silent. Never throws. */
  async function askAll(): Promise<HostAnswer[]> {
    const asking = scouts.map(async (scout) => {
      const asked = await scout.ask()
      if (asked.found !== null && fence.known() !== null) fence.see(asked.found)
      return asked
    })
    const asked = await Promise.all(asking)
    const found = asked.flatMap((one) => one.found ?? [])
    // Hosts of several systems tell nothing while none of them is known.
    if (new Set(found.map(({ systemId }) => systemId)).size === 1) found.forEach(fence.see)
    return asked
  }
  /** Leaves a host that fell behind, its busy connections included. */
  async function watch(): Promise<void> {
    const asked = await askAll()
    const used = asked.find(({ at }) => at === target)?.found ?? null
    if (used?.isWritable === false && bestOf(asked, fence)?.found?.isWritable) fence.abandon()
  }
  const timer = only === null ? setInterval(watch, KIT_LIMITS.hostLookEveryMs).unref() : null

  return {
    address,
    ...fence,
    look: askAll,
    refused: async () => refusedPrimaries(only === null ? await askAll() : [], fence),
    /** Opens a client's connection by `connect`, to the server that may be used. */
    async reach(client: pg.Client, connect: () => Promise<unknown>): Promise<void> {
      const connection = connectionOf(client)
      const host = target ?? (target = choose(await askAll(), fence))
      client.once('error', () => {
        if (target === host) target = only
      })
      try {
        if (connection.stream.destroyed) throw new Error('timeout expired')
        const ssl = tlsOf(address, host.host)
        Object.assign(client, { ...host, ssl })
        Object.assign(connection, { ssl })
        await connect()
        if (isFenced) await admit(client, host)
      } catch (error) {
        if (target === host) target = only
        await endConnection(client)
        throw error
      }
    },
    close(): void {
      clearInterval(timer ?? undefined)
      for (const scout of scouts) scout.close()
    },
  }
}

/** Returns the first writable of the hosts that may be used, else the first. */
function bestOf(asked: HostAnswer[], fence: Fence): HostAnswer | null {
  const fit = asked.filter(({ found }) => found !== null && fence.refusalOf('', found) === null)
  return fit.find(({ found }) => found?.isWritable) ?? fit[0] ?? null
}

/** Returns the host to use: the best, or one that does not tell where none does. */
function choose(asked: HostAnswer[], fence: Fence): Host {
  const best = bestOf(asked, fence)
  if (best !== null) return best.at
  if (asked.some(({ found }) => found !== null))
    throw new UnfitServersError(asked.map((one) => whyNot(one, fence)).join('; '))
  const nameless = asked.find(({ error }) => error === null)
  if (nameless !== undefined) return nameless.at
  // A server's own words say more than that another host did not answer.
  const errors = asked.map(({ error }) => error)
  throw errors.find((error) => error instanceof pg.DatabaseError) ?? errors.at(-1)
}

/** Returns why primaries among the hosts are not used: an old one runs beside the new one. */
function refusedPrimaries(asked: HostAnswer[], fence: Fence): string[] {
  return asked
    .filter(({ found }) => found !== null && found.position !== null)
    .map((one) => whyNot(one, fence))
    .filter((why) => why !== null)
}

function whyNot({ at, found, error }: HostAnswer, fence: Fence): string | null {
  const host = nameOfHost(at)
  if (found !== null) return fence.refusalOf(host, found)
  // The error of a host with several addresses has a code alone.
  const { message = '', code = '' } = (error ?? { message: NAMELESS }) as Partial<pg.DatabaseError>
  return `${host}: ${message || code}`
}

const NAMELESS = 'does not say of which system and timeline it is'

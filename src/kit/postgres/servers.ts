/**
 * The servers that a database's address names, and the way to the one that may be used: every connection goes it.
 */
import pg from 'pg'
import { KIT_LIMITS } from '../limits.ts'
import { type DatabaseAddress, type Host, nameOfHost } from './address.ts'
import {
  type Known,
  openFence,
  type Raised,
  type ServerIdentity,
  UnfitServersError,
} from './fence.ts'
import { identityOf, NamelessServerError, openScouts, settingsOf, weightiest } from './scouts.ts'
import { connectionOf, endConnection } from './socket.ts'
import { NamingClient } from './statement.ts'

export type { Known, ServerIdentity } from './fence.ts'

type Answer = { host: string; found: ServerIdentity | null; why: string | null }
export type Servers = {
  address: DatabaseAddress
  /** The highest that this process saw, or was reminded of. */
  known(): Known | null
  /** Only ever raises, and never replaces one system by another. */
  remember(known: Known): void
  /** Replaces what is known: a person accepted another system. */
  adopt(known: Known): void
  /** Calls `listener` before the first use of a server that is the first, higher or of another accepted system. */
  onRaised(listener: Raised): () => void
  /** Asks all hosts side by side; shared by those who ask at the same time. Never throws. */
  look(): Promise<Answer[]>
  /** Opens a client's connection by `connect`, to the server that may be used. */
  reach(client: pg.Client, connect: () => Promise<unknown>): Promise<void>
  close(): Promise<void>
}

type ServersOptions = {
  /** How long a connection may take, where the address does not say it. */
  connectMs: number
  /** False for a server that cannot be another one: that of a folder. */
  isFenced: boolean
  warn(sentence: string): void
}

/** A client that connects to the server that may be used, and is used only where it is that. */
export class ServedClient extends NamingClient {
  readonly #servers: Servers

  constructor({ servers, ...config }: pg.ClientConfig & { servers: Servers }) {
    super({ ...config, ...settingsOf(servers.address) })
    this.#servers = servers
    // The loss of an idle or lent connection would end the process; the next statement reports it.
    this.on('error', () => undefined)
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    const reached = this.#servers.reach(this, () => super.connect())
    if (callback === undefined) return reached.then(() => this)
    reached.then(
      () => process.nextTick(callback),
      (error: Error) => process.nextTick(callback, error),
    )
  }
}

type Asked = { at: Host; found: ServerIdentity | null; error: unknown }

export function openServers(
  address: DatabaseAddress,
  { connectMs, isFenced, warn }: ServersOptions,
): Servers {
  const { hosts } = address
  const [only = null] = hosts.length === 1 ? hosts : []
  /** The host to which new connections go; null where all are to be asked first. */
  let target = only
  let asking: Promise<Asked[]> | null = null
  let choosing: Promise<Host> | null = null
  let isWarned = false
  const fence = openFence(address, () => (target = only))
  const scouts = openScouts(address, address.connectMs ?? connectMs)

  const askAll = (): Promise<Asked[]> =>
    (asking ??= Promise.all(hosts.map((at) => askOne(at)))
      .then((asked) => noted(asked, fence))
      .finally(() => (asking = null)))
  async function askOne(at: Host): Promise<Asked> {
    try {
      return { at, found: await scouts.ask(at), error: null }
    } catch (error) {
      return { at, found: null, error }
    }
  }
  async function choose(): Promise<Host> {
    const asked = await askAll()
    const best = bestOf(asked, fence)
    if (best !== null) return (target = best.at)
    const nameless = asked.find(({ error }) => error instanceof NamelessServerError)
    if (asked.every(({ found }) => found === null))
      if (nameless === undefined) throw weightiest(asked.map(({ error }) => error))
      else return (target = nameless.at)
    throw new UnfitServersError(asked.map((one) => whyNot(one, fence)).join('; '))
  }
  async function admit(client: pg.Client, host: Host): Promise<void> {
    const found = await identityOf(client, connectMs).catch((error: unknown) => {
      if (!(error instanceof NamelessServerError)) throw error
      if (!isWarned)
        warn(`${nameOfHost(host)}: ${error.message}, so that an old primary is not recognised`)
      isWarned = true
      return null
    })
    if (found !== null) fence.admit(client, nameOfHost(host), found)
  }
  /** Leaves a host that fell behind, its busy connections included. */
  async function watch(): Promise<void> {
    const asked = await askAll()
    const best = bestOf(asked, fence)
    const used = asked.find(({ at }) => at === target)?.found ?? null
    if (used !== null && !used.isWritable && best?.found?.isWritable) fence.leave(() => true)
  }
  const timer = only === null ? setInterval(() => void watch(), KIT_LIMITS.hostLookEveryMs) : null
  timer?.unref()

  return {
    address,
    ...fence,
    async look() {
      return (await askAll()).map(({ at, found, error }) => ({
        host: nameOfHost(at),
        found,
        why: found === null ? sentenceOf(error) : null,
      }))
    },
    async reach(client, connect) {
      const connection = connectionOf(client)
      const host = target ?? (await (choosing ??= choose().finally(() => (choosing = null))))
      try {
        const ssl = await scouts.wayTo(host)
        if (connection.stream.destroyed) throw new Error('timeout expired')
        Object.assign(client, { ...host, ssl: ssl !== false })
        Object.assign(connection, { ssl })
        await connect()
        if (isFenced) await admit(client, host)
      } catch (error) {
        if (target === host) target = only
        if (!(error instanceof Error && 'syscall' in error)) scouts.forgetWayTo(host)
        await endConnection(client)
        throw error
      }
      client.once('end', () => {
        if (target === host && !isEnding(client)) target = only
      })
    },
    async close() {
      clearInterval(timer ?? undefined)
      await scouts.close()
    },
  }
}

/** Notes what was found; hosts of several systems tell nothing while none of them is known. */
function noted(asked: Asked[], fence: ReturnType<typeof openFence>): Asked[] {
  const found = asked.flatMap((one) => one.found ?? [])
  if (fence.known() !== null || new Set(found.map(({ systemId }) => systemId)).size === 1)
    for (const one of found.toSorted((a, b) => b.timeline - a.timeline)) fence.see(one)
  return asked
}

/** Returns the best of the hosts that may be used: on the highest timeline, writable, named first. */
function bestOf(asked: Asked[], fence: ReturnType<typeof openFence>): Asked | null {
  const rank = ({ found }: Asked): number =>
    found === null ? 0 : 2 * found.timeline + Number(found.isWritable)
  const fit = asked.filter(({ found }) => found !== null && fence.refusalOf('', found) === null)
  return fence.known() === null ? null : (fit.toSorted((a, b) => rank(b) - rank(a))[0] ?? null)
}

function whyNot({ at, found, error }: Asked, fence: ReturnType<typeof openFence>): string {
  const host = nameOfHost(at)
  if (found === null) return `${host}: ${sentenceOf(error)}`
  return (
    fence.refusalOf(host, found) ??
    `${host} is system ${found.systemId}: name only servers of one system in DATABASE_URL`
  )
}

/** Returns an error's sentence; that of several addresses of a host has a code alone. */
function sentenceOf(error: unknown): string {
  const { message = '', code = '' } = error as Partial<pg.DatabaseError>
  return message || code
}

/** Whether our side ended the connection. */
function isEnding(client: pg.Client): boolean {
  return (client as pg.Client & { _ending: boolean })._ending
}

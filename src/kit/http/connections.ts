/**
 * Limits of connections: how many one network may hold, and how long a client may take almost nothing of its answer.
 * Arrival has its own deadlines (bare-app.ts, body.ts).
 */
import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { openCounts } from '../counts.ts'
import { wideningNetworks } from '../text/visitor-network.ts'

const CONNECTIONS_MAX = 10_000
/**
 * Connections of the networks around a client, from its own (an IPv4 address, a /64 of IPv6) to the widest; trusted
 * proxies are exempt.
 */
const CONNECTIONS_PER_NETWORK_MAX = [256, 512, 1_024, 2_048]
const REFUSED_CONNECTIONS_TOLD_MS = 60_000
/** Bytes that a client has to take of a waiting answer within DOWNLOAD_STALL. */
const TAKEN_BYTES_MIN = 16 * 1024

/** How many times a connection is looked at within that time. */
const LOOKS = 4

/** What an operator sets of them: the proxies in front, and the seconds that a client may read nothing for. */
export type ConnectionSettings = { TRUSTED_PROXIES: string | null; DOWNLOAD_STALL: number }

/** Closes connections that a network has too many of at once, and connections whose answer is not read in time. */
export function guardConnections(app: FastifyInstance, config: ConnectionSettings): void {
  const { server, log } = app
  server.maxConnections = CONNECTIONS_MAX
  limitPerNetwork(server, proxiesIn(config.TRUSTED_PROXIES), log)
  const stop = endUnread(server, config.DOWNLOAD_STALL * 1000)
  app.addHook('onClose', async () => stop())
}

function limitPerNetwork(server: Server, proxies: BlockList, log: FastifyBaseLogger): void {
  const open = openCounts()
  let toldAt = -Infinity
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address = '' } = socket
    if (isIn(proxies, address)) return
    const networks = wideningNetworks(address)
    const network = networks.find(
      (each, at) => open.of(each) >= (CONNECTIONS_PER_NETWORK_MAX[at] ?? Infinity),
    )
    if (network !== undefined) {
      socket.resetAndDestroy()
      if (performance.now() < toldAt + REFUSED_CONNECTIONS_TOLD_MS) return
      toldAt = performance.now()
      log.warn(
        { network },
        'one network has too many connections and more are refused; if it is your proxy, add it to TRUSTED_PROXIES',
      )
      return
    }
    const count = (by: number): void => networks.forEach((each) => open.add(each, by))
    count(1)
    socket.once('close', () => count(-1))
  })
}

/** How much a client had taken when it last took enough, and when that was. */
type Reading = { takenBytes: number; at: number }

/**
 * Breaks connections whose client does not read what was written for it, since memory, files and rows behind an answer
 * are held until it is read. Progress is counted in bytes that the system took, whatever else arrives.
 */
function endUnread(server: Server, stallMs: number): () => void {
  const readings = new Map<Socket, Reading>()
  server.on('connection', (socket: Socket) => {
    readings.set(socket, { takenBytes: 0, at: performance.now() })
    socket.once('close', () => readings.delete(socket))
  })
  const look = (): void => {
    const now = performance.now()
    for (const [socket, last] of readings) {
      const { takenBytes, waitingBytes } = progressOf(socket)
      // A connection that the server ended has nothing waiting; its client has to end it, too.
      const isAtRest = waitingBytes === 0 && !socket.writableEnded
      if (isAtRest || takenBytes - last.takenBytes >= TAKEN_BYTES_MIN)
        readings.set(socket, { takenBytes, at: now })
      else if (now - last.at >= stallMs) socket.resetAndDestroy()
    }
  }
  const looking = setInterval(look, stallMs / LOOKS).unref()
  return () => clearInterval(looking)
}

/**
 * Reads from Node's private handle how much the system has taken, and how much of what was handed to it still waits.
 */
function progressOf(socket: Socket): { takenBytes: number; waitingBytes: number } {
  const { _handle: handle } = socket as {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null
  }
  const { bytesWritten = 0, writeQueueSize = 0 } = handle ?? {}
  return { takenBytes: bytesWritten - writeQueueSize, waitingBytes: writeQueueSize }
}

/** Returns the addresses and ranges of TRUSTED_PROXIES. */
function proxiesIn(setting: string | null): BlockList {
  const list = new BlockList()
  for (const entry of (setting ?? '').split(',').map((part) => part.trim())) {
    const [address = '', range] = entry.split('/')
    if (address === '') continue
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (range === undefined) list.addAddress(address, family)
    else list.addSubnet(address, prefixOf(range), family)
  }
  return list
}

/** Returns the length of a prefix, which is written as `8` or as a mask: `255.0.0.0`. */
function prefixOf(range: string): number {
  if (!range.includes('.')) return Number(range)
  return range
    .split('.')
    .reduce((bits, part) => bits + Number(part).toString(2).replaceAll('0', '').length, 0)
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

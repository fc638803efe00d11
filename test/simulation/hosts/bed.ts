/** The bed of one scenario: hosts, servers, services and the outside; opened for it and removed after it. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type Emulator, startEmulator } from '../../../emulator/server.ts'
import { type Client, openClient } from './client.ts'
import { type Network, openNetwork } from './network.ts'
import { type Commits, openPairByHand, openPairByPatroni, type Pair } from './pair.ts'
import { openReceiver, type HookReceiver } from './receiver.ts'
import {
  databaseUrlOf,
  kill,
  openServices,
  type Services,
  startHaproxy,
  untilServed,
  type DatabaseWay,
} from './services.ts'

export type Bed = {
  way: DatabaseWay
  /** Whether nothing else keeps the machine busy, so that times count. */
  isQuiet: boolean
  network: Network
  pair: Pair
  services: Services
  client: Client
  receiver: HookReceiver
  accountId: string
  /** Says what happens now. */
  say(line: string): void
  /** Marks the instant from which times without service count: the loss, then the promotion. */
  marks(what: 'event' | 'promotion'): void
  marked: { eventMs: number | null; promotionMs: number | null }
  /** Kills the balancer, and starts it again. */
  killsBalancer(): Promise<void>
  startsBalancer(): Promise<void>
  /** Gives the moving address to this server's host, and tells the neighbours, as keepalived does. */
  movesAddressTo(host: Network['hosts']['pg1']): Promise<void>
  /** Fails where a scenario's condition does not hold, and goes on: a table names all that failed. */
  expects(isSo: boolean, otherwise: string): void
  failures: string[]
}

export type Open = Pick<Bed, 'way' | 'isQuiet' | 'say'> & { commits: Commits; seed: number }

const LINES_SAID = 4
const CREDIT_USD = '9000'
const PLATFORM_LATENCY_MS = 400
/** Rows of each large job: some minute of work. */
const LARGE_VIDEOS = 200
const LARGE = ['@dailynotes', '@plaintalks', '@endlessarchive']
/** Uploads that no large job reaches, for orders of one video each. */
const SINGLES = { first: 2_000, count: 4_000 }

/** Opens a bed, runs `work` on it, and removes it whatever happens. */
export async function onBed<T>(ask: Open, work: (bed: Bed) => Promise<T>): Promise<T> {
  const closing: (() => Promise<unknown> | unknown)[] = []
  let folder = ''
  try {
    const network = await openNetwork()
    folder = network.folder
    closing.push(() => network.close())
    const platform = await startEmulator({
      host: network.outside,
      latencyMs: PLATFORM_LATENCY_MS,
      seed: 1,
    })
    closing.push(() => platform.close())
    const receiver = await openReceiver(network.outside)
    closing.push(() => receiver.close())
    const bed = await layOut(ask, { network, platform, receiver })
    closing.push(() => bed.client.close())
    return await work(bed)
  } catch (error) {
    for (const line of lastLogged(folder)) ask.say(line)
    throw error
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

/** Returns the last lines that each program of each host logged. */
function lastLogged(folder: string): string[] {
  const files = folder === '' ? [] : fs.globSync(path.join(folder, '{*.log,*-data/server.log}'))
  return files.flatMap((file) => {
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n')
    return lines.slice(-LINES_SAID).map((line) => `${path.relative(folder, file)}: ${line}`)
  })
}

async function layOut(
  { way, isQuiet, commits, seed, say }: Open,
  outside: { network: Network; platform: Emulator; receiver: HookReceiver },
): Promise<Bed> {
  const { network, platform, receiver } = outside
  const { pg1, proxy } = network.hosts
  const pair =
    way === 'patroni' ? await openPairByPatroni(network) : await openPairByHand(network, commits)
  if (way === 'address') await moveAddress(network, pg1)
  let balancer: ChildProcess = startHaproxy(network, way)
  const services = await openServices(network, {
    databaseUrl: databaseUrlOf(network, way),
    platformOrigin: platform.origin,
  })
  const origin = `http://${proxy.ip}:8080`
  await untilServed(origin)
  const made = await services.admin(
    'account',
    'create',
    '--email=client@example.org',
    `--credit-usd=${CREDIT_USD}`,
    '--json',
  )
  assert.equal(made.code, 0, made.out)
  const { accountId, apiKey } = JSON.parse(made.out.slice(made.out.indexOf('{')))
  await pair.asks(pg1, 'update api_key set bucket_size = 1000000')

  await addWebhook(receiver, { origin, apiKey })
  const client = await openClient({
    origin,
    apiKey,
    singles: singlesOf(platform, seed),
    large: LARGE.map((handle) => ({
      urls: [`https://www.youtube.com/${handle}`],
      maxVideos: LARGE_VIDEOS,
    })),
  })

  const marked: Bed['marked'] = { eventMs: null, promotionMs: null }
  const failures: string[] = []
  return {
    way,
    isQuiet,
    network,
    pair,
    services,
    client,
    receiver,
    accountId,
    say,
    marked,
    failures,
    marks: (what) => {
      marked[`${what}Ms`] = performance.now()
    },
    killsBalancer: () => kill(balancer),
    async startsBalancer() {
      balancer = startHaproxy(network, way)
      await untilServed(origin)
    },
    movesAddressTo: (host) => moveAddress(network, host),
    expects(isSo, otherwise) {
      if (isSo) return
      failures.push(otherwise)
      say(`✖ ${otherwise}`)
    },
  }
}

async function addWebhook(
  receiver: HookReceiver,
  { origin, apiKey }: { origin: string; apiKey: string },
): Promise<void> {
  const answer = await fetch(`${origin}/api/v1/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: receiver.url }),
  })
  const made = (await answer.json()) as { secret?: string }
  assert.equal(answer.status, 201, JSON.stringify(made))
  receiver.secret = made.secret ?? ''
}

function singlesOf({ world }: Emulator, seed: number): string[] {
  const channel = world.channelByName('@endlessarchive')
  assert.ok(channel !== null)
  return Array.from({ length: SINGLES.count }, (_, at) => {
    const upload = SINGLES.first + ((at + seed * LARGE_VIDEOS) % SINGLES.count)
    return `https://www.youtube.com/watch?v=${world.upload(channel, upload).videoId}`
  })
}

/** A device of its own, so that the address comes with a hardware address of its own, which arp_notify announces. */
async function moveAddress(
  { spare, hosts }: Network,
  host: Network['hosts']['pg1'],
): Promise<void> {
  const old = host === hosts.pg1 ? hosts.pg2 : hosts.pg1
  await old.tries(['ip', 'link', 'delete', 'moving'])
  await host.runs('ip link add moving link eth0 type macvlan mode bridge'.split(' '))
  await host.runs(['sysctl', '-qw', 'net.ipv4.conf.moving.arp_notify=1'])
  await host.runs(['ip', 'address', 'add', `${spare}/24`, 'dev', 'moving'])
  await host.runs(['ip', 'link', 'set', 'moving', 'up'])
}

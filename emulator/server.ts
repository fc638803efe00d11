/** Starts the emulator: one HTTP server that is the whole platform, and its exits. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Call,
  googleError,
  type JsonObject,
  type Site,
  PRECONDITION,
  type PlatformReply,
} from './call.ts'
import { controlAnswer, type Controlled } from './control.ts'
import { startExits } from './exits.ts'
import { faultReply } from './fault-replies.ts'
import { type FaultRule, faultsOf } from './faults.ts'
import { randomOf } from './random.ts'
import { bodyOf, callOf, jsonOf } from './reading.ts'
import { createRequestLog, type RequestLog } from './request-log.ts'
import { replyTo } from './routes.ts'
import { packed, send } from './sending.ts'
import { FRIENDLY, type Settings, withChanges } from './settings.ts'
import { createWorld, type World } from './world.ts'

export type FaultScript = { faults?: readonly FaultRule[]; knobs?: Readonly<Partial<Settings>> }

export type EmulatorOptions = {
  /** The port; 0 takes a free one. */
  port?: number | undefined
  /** The address to listen on; 127.0.0.1 by default. */
  host?: string | undefined
  seed?: number | undefined
  latencyMs?: number | undefined
  layout?: Settings['layout'] | undefined
  knobs?: Readonly<Partial<Settings>> | undefined
  /** When the newest uploads were published. */
  newestAt?: string | undefined
  /** The platform's clock, by which addresses expire and ages are stated. */
  now?: (() => number) | undefined
  /** Rules that are in force from the start. */
  faults?: readonly FaultRule[] | undefined
  /** How many proxies to start; the first leaves from 127.0.0.2. */
  exits?: number | undefined
  /** Whether proxies end TLS with a throw-away certificate, for clients that insist on https. */
  tls?: boolean | undefined
}

export type Emulator = {
  origin: string
  world: World
  /** Addresses of the proxies, each with an identity of its own. */
  exits: string[]
  /** A proxy that changes its identity with every connection; null without exits. */
  rotatingExit: string | null
  /** The proxy that ends TLS, and the file of the authority that signed it; null without `tls`. */
  tls: { proxy: string; caFile: string } | null
  log: RequestLog
  /** Replaces the rules, where the script has any, and changes knobs. */
  apply(script: FaultScript): void
  /** Removes all rules and restores the knobs from the start. */
  clear(): void
  close(): Promise<void>
}

const KEEP_ALIVE_MS = 30_000
const HOME_COUNTRY = 'US'

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const platform = createPlatform(options)
  const { controlled } = platform
  const server = http.createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    platform.answer(request, response).catch(() => response.destroy())
  })
  const host = options.host ?? '127.0.0.1'
  const port = await listen(server, options.port ?? 0, host)
  const exits = await startExits({
    port,
    count: options.exits ?? 0,
    endsTls: options.tls ?? false,
  })
  controlled.exits = () => ({ exits: exits.fixed, rotating: exits.rotating, tls: exits.tls })
  return {
    origin: `http://${host}:${port}`,
    world: controlled.world,
    exits: exits.fixed,
    rotatingExit: exits.rotating,
    tls: exits.tls,
    log: controlled.log,
    apply: controlled.apply,
    clear: controlled.clear,
    close: async () => {
      await exits.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Platform = {
  controlled: Controlled
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** The platform without its socket: the world, the present knobs and rules, and the function that answers. */
function createPlatform(options: EmulatorOptions): Platform {
  const { now = Date.now } = options
  const world = createWorld({ seed: options.seed, newestAt: options.newestAt })
  const log = createRequestLog()
  const chance = randomOf(world.seed)
  const initial = withChanges(FRIENDLY, {
    ...(options.latencyMs === undefined ? {} : { latencyMs: options.latencyMs }),
    ...(options.layout === undefined ? {} : { layout: options.layout }),
    ...options.knobs,
  })
  let settings = initial
  world.open(settings.areOpened)
  let faults = faultsOf(options.faults ?? [], world.seed)
  let rulesChange = Promise.withResolvers<void>()
  const setFaults = (rules: readonly FaultRule[]): void => {
    faults = faultsOf(rules, world.seed)
    rulesChange.resolve()
    rulesChange = Promise.withResolvers()
  }
  const controlled: Controlled = {
    world,
    log,
    exits: () => ({}),
    state: () => ({ faults: faults.rules, knobs: settings }),
    apply: (script) => {
      const changed = withChanges(settings, script.knobs ?? {})
      if (script.faults !== undefined) setFaults(script.faults)
      settings = changed
      world.open(settings.areOpened)
    },
    clear: () => {
      settings = initial
      world.open(settings.areOpened)
      setFaults([])
    },
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await bodyOf(request)
    if (request.url?.startsWith('/emulator')) return control(controlled, request, response, raw)
    log.begin()
    const call = callOf(request, raw, now())
    const fate = faults.fateOf(call)
    const changed = rulesChange.promise
    const site = { world, settings, countryOf: countryIn(settings) }
    const reply = replyFor(site, call, fate.rule)
    const gzips = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    const bytes = await packed(call, reply, gzips)
    const waitMs = fate.latencyMs + settings.latencyMs + chance.fraction() * settings.jitterMs
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    if (fate.isHeld) await changed
    const bytesOut = send(response, bytes, fate.transport)
    const rule = fate.rule ?? fate.transport
    const fault = rule?.name ?? rule?.do ?? null
    log.end(call, { status: bytes.status, fault, bytesIn: raw.length, bytesOut })
  }
  return { controlled, answer }
}

function countryIn({ countries }: Settings): Site['countryOf'] {
  return (identity) => countries[identity] ?? HOME_COUNTRY
}

function replyFor(site: Site, call: Call, rule: FaultRule | null): PlatformReply {
  if (rule !== null) return faultReply(site, call, rule)
  const floor = site.settings.clientFloors[call.client.name]
  const isOld =
    floor !== undefined && call.path.startsWith('/youtubei/') && isBelow(call.client.version, floor)
  return isOld ? googleError(400, 'FAILED_PRECONDITION', PRECONDITION) : replyTo(site, call)
}

/** Whether a version is below another one, number by number; missing numbers count as zero. */
export function isBelow(version: string, floor: string): boolean {
  const [own, least] = [version.split('.'), floor.split('.')]
  for (let at = 0; at < Math.max(own.length, least.length); at++) {
    const [a, b] = [Number(own[at] ?? 0), Number(least[at] ?? 0)]
    if (a !== b) return a < b
  }
  return false
}

function control(
  controlled: Controlled,
  request: IncomingMessage,
  response: ServerResponse,
  raw: Buffer,
): void {
  const url = new URL(request.url ?? '/', 'http://emulator')
  const question = {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    body: jsonOf(raw) as JsonObject,
  }
  const { status, body } = controlAnswer(controlled, question)
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  })
  response.end(bytes)
}

async function listen(server: http.Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

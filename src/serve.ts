/** `serve`: opens everything, answers callers and runs jobs until a signal asks it to stop. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressInfo, Server } from 'node:net'
import { isatty } from 'node:tty'
import type { FastifyInstance, FastifyListenOptions } from 'fastify'
import { loadSignIn } from './features/accounts/auth.ts'
import { buildApp } from './app.ts'
import { checkSiteSettings } from './api/site-settings.ts'
import { buildHealthApp } from './api/health/routes.ts'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'
import { greeting, STDERR } from './greeting.ts'
import { now, openContext } from './open-context.ts'
import { openServicePlatform } from './open-service-platform.ts'
import { readPlatformSettings } from './platform/youtube/settings.ts'
import { leaveEmbeddedServers } from './kit/postgres/embedded/embedded-postgres.ts'
import { ConfigError } from './kit/settings.ts'
import { stopSignal } from './kit/stop.ts'
import { startVerdict, tellsVerdict } from './start-verdict.ts'
import { startDeliveries, startMailing } from './worker/send-deliveries.ts'
import { watchReadiness } from './watch-readiness.ts'
import { startWorker } from './worker/worker.ts'

/** What a stop may take beyond STOP_GRACE; then the process ends as it is, and loses nothing. */
export const STOP_MARGIN_MS = 8_000
/** What ending at once may take for the embedded database. */
const HURRIED_STOP_MS = 5_000
/** Time in which work that is left in the event loop may end by itself. */
const EXIT_MS = 300
export type Service = {
  /** The address at which the API listens; null without the `api` role. */
  address: string | null
  /** The address at which only health and metrics are answered; null with the `api` role or without HEALTH_PORT. */
  healthAddress: string | null
  /** The address under which callers reach it; null without the `api` role. */
  publicUrl: string | null
  context: Context
  /** Stops taking work, lets open requests and rows end, closes everything. */
  close(): Promise<void>
}

/**
 * Resolves when the service answers; waits for an external database that is not up. Throws one sentence where it cannot
 * start, or the reason of `signal` where that aborts first.
 */
export async function startService(
  config: Config,
  signal = new AbortController().signal,
): Promise<Service> {
  // Half a second of work: it is done while the database starts, and over before the first visitor comes.
  const signIn = config.ROLES.has('api') ? loadSignIn() : Promise.resolve()
  signIn.catch(() => undefined) // met again where it is used, once there is something to close
  if (config.ROLES.has('api')) await checkSiteSettings(config, now())
  const platformSettings = config.ROLES.has('worker') ? await readPlatformSettings(config) : null
  await using opening = new AsyncDisposableStack()
  const context = await openContext(config, signal)
  opening.defer(context.close)
  await signIn
  signal.throwIfAborted()
  // Links carry the port, in answers and in what workers send, so it has to be known before either begins.
  const held = config.ROLES.has('api') && config.PORT === 0 ? await holdPort(config.HOST) : null
  if (held !== null) opening.defer(() => void held.close())
  const port = held === null ? config.PORT : portOf(held)
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${port}`
  const platform = platformSettings === null ? null : openServicePlatform(context, platformSettings)
  opening.defer(async () => platform?.close())

  // Work on these resources ends before all of them, side by side.
  const work: (() => Promise<void>)[] = []
  const endWatch = watchReadiness(context)
  opening.defer(() => endWork(context, work))
  opening.defer(endWatch)
  work.push(await startMailing(context))
  if (platform !== null)
    work.push(startWorker(context, platform, publicUrl), startDeliveries(context, publicUrl))
  const address = config.ROLES.has('api')
    ? await listen(context, { port, held, publicUrl }, work)
    : null
  const healthAddress =
    address === null && config.HEALTH_PORT > 0 ? await listenForHealth(context, work) : null
  signal.throwIfAborted()
  const opened = opening.move()
  const close = (): Promise<void> => opened.disposeAsync()
  const isReached = address !== null
  return { address, healthAddress, publicUrl: isReached ? publicUrl : null, context, close }
}

async function endWork(context: Context, work: (() => Promise<void>)[]): Promise<void> {
  context.stopping.abort()
  const ended = await Promise.allSettled(work.map((end) => end()))
  const failure = ended.find((one) => one.status === 'rejected')
  if (failure !== undefined) throw failure.reason
}

async function listen(
  context: Context,
  { port, held, publicUrl }: { port: number; held: Server | null; publicUrl: string },
  work: (() => Promise<void>)[],
): Promise<string> {
  const { config } = context
  const app = await buildApp(context, publicUrl)
  work.push(async () => {
    // Load balancers see /readyz first, so that they send no request to a closed port.
    await sleep(config.STOP_NOTICE * 1000, undefined, { ref: false })
    await app.close()
  })
  return bind(app, { setting: 'PORT', host: config.HOST, port, held })
}

async function listenForHealth(context: Context, work: (() => Promise<void>)[]): Promise<string> {
  const { HOST: host, HEALTH_PORT: port } = context.config
  const app = await buildHealthApp(context)
  work.push(() => app.close())
  return bind(app, { setting: 'HEALTH_PORT', host, port, held: null })
}

type Binding = { setting: string; host: string; port: number; held: Server | null }

async function bind(app: FastifyInstance, { setting, host, port, held }: Binding): Promise<string> {
  try {
    await app.listen(held === null ? { host, port } : takingOver(held))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EADDRINUSE') {
      throw new ConfigError(
        `${setting} ${port} on ${host} is in use; stop the program that listens there or choose another ${setting}`,
      )
    }
    if (code === 'EACCES')
      throw new ConfigError(
        `this user is not allowed to listen on ${setting} ${port}; set ${setting} above 1023`,
      )
    if (code === 'EADDRNOTAVAIL')
      throw new ConfigError(`HOST ${host} is not an address of this machine`)
    throw error
  }
  return `http://${host}:${portOf(app.server)}`
}

/**
 * Holds a port of the system's choice until the application takes it over, so that no other process gets it meanwhile.
 */
async function holdPort(host: string): Promise<Server> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  return server
}

/** Returns the options by which Node listens on this handle (`server.listen(handle)`); Fastify passes them on. */
function takingOver(held: Server): FastifyListenOptions {
  const { address: host, port } = held.address() as AddressInfo // not `localhost`, of which Fastify makes two servers
  const { _handle } = held as Server & { _handle: object }
  return Object.assign({ host, port }, { _handle })
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

/**
 * Serves until SIGTERM, SIGINT or SIGHUP, also while it still starts. A second signal of a person ends it at once, and
 * so does a stop that takes longer than it may: that loses nothing. `greets` prints a few lines for people, on standard
 * error: standard output has the log alone.
 */
export async function serve(config: Config, { greets = false } = {}): Promise<number> {
  const stop = stopSignal(() => void endAtOnce())
  const service = await startService(config, stop).catch((error: unknown) => {
    if (stop.aborted) return null
    throw error
  })
  if (service === null) return 0
  const { log } = service.context
  const { address, healthAddress } = service
  if (greets && service.publicUrl !== null)
    process.stderr.write(await greeting(service.context, service.publicUrl))
  log.info(
    { address, healthAddress, publicUrl: config.PUBLIC_URL, roles: [...config.ROLES] },
    'scriptorium is ready',
  )
  const print = (line: string): void => void process.stderr.write(line)
  const endVerdict =
    greets && tellsVerdict(config, isatty(STDERR)) ? startVerdict(service.context, print) : null
  if (!stop.aborted) await once(stop, 'abort')
  log.info('stopping')
  const overdue = setTimeout(
    () => {
      log.error('stopping took too long; the process ends as it is, its jobs continue elsewhere')
      void endAtOnce()
    },
    (config.STOP_NOTICE + config.STOP_GRACE) * 1000 + STOP_MARGIN_MS,
  ).unref()
  await endVerdict?.()
  await service.close()
  clearTimeout(overdue)
  log.info('stopped')
  // A library's timer (of a query that was under way, for example) is no reason to stay alive.
  setTimeout(() => process.exit(), EXIT_MS).unref()
  return 0
}

/** Ends at once, with the embedded database, which is a process of its own and would stay behind. */
async function endAtOnce(): Promise<never> {
  await Promise.race([leaveEmbeddedServers(), sleep(HURRIED_STOP_MS)])
  process.exit(1)
}

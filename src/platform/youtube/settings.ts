/** The settings of the platform: its routes and its client profiles, whose file is read again whenever it changes. */
import fs from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { ConfigError, sentenceOf } from '../../kit/settings.ts'
import type { RouteBudget } from '../../model/platform/route-budget.ts'
import { type EgressRoute, readRoutes } from '../egress/route.ts'
import { startLoop } from '../../kit/loop.ts'
import type { ClientProfile } from './clients.ts'
import { type ClientsFeed, feedOf, readFeed, readKeptFeed } from './clients-feed.ts'
import { CLIENTS_BYTES_MAX, readClientProfiles } from './read-clients.ts'
import { type PlatformOptions, type PlatformSettings, routesInUse } from './open-platform.ts'

/** How often the file is checked for changes, and how often the feed is asked, which is sooner where it failed. */
const FILE_EVERY_MS = 2_000
const FEED_EVERY_MS = 3_600_000
const FEED_AGAIN_MS = 60_000

/** Returns the feed that PLATFORM_CLIENTS names; null for a file or nothing. */
function feedIn(config: ClientSettings): ClientsFeed | null {
  const { PLATFORM_CLIENTS: source, PLATFORM_CLIENTS_KEY: key, DATA_DIR: folder } = config
  return source === null ? null : feedOf(source, { key, folder })
}

type ClientSettings = {
  PLATFORM_CLIENTS: string | null
  PLATFORM_CLIENTS_KEY: string | null
  DATA_DIR: string
}

/** Reads the profiles that the settings name, as they are now; null for those of the release. */
export async function readClients(
  config: ClientSettings,
  signal: AbortSignal,
): Promise<ClientProfile[] | null> {
  const feed = feedIn(config)
  if (feed !== null) return readFeed(feed, signal)
  return config.PLATFORM_CLIENTS === null ? null : readClientsFile(config.PLATFORM_CLIENTS)
}

/** Reads the profiles. Throws one sentence that names the setting where the file is missing or wrong. */
async function readClientsFile(file: string): Promise<ClientProfile[]> {
  const text = await fs.readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`PLATFORM_CLIENTS names a file that cannot be read: ${error.message}`)
  })
  if (text.length > CLIENTS_BYTES_MAX)
    throw new ConfigError('PLATFORM_CLIENTS names a file that is too large to be client profiles')
  try {
    return readClientProfiles(text)
  } catch (error) {
    throw new ConfigError(`PLATFORM_CLIENTS: ${messageOf(error)}`)
  }
}

type ClientsWatch = {
  /** The profiles that were read at the start; null where those of the release are in use. */
  inUse: readonly ClientProfile[] | null
  log: Logger
  use: (profiles: ClientProfile[]) => void
  everyMs?: number
}

/**
 * Reads the file every few seconds, which notices every way in which editors and mounts replace it, or asks the feed at
 * once and then every hour. A wrong text is logged once and changes nothing. Returns a function that ends the watch.
 */
export function watchClients(
  config: ClientSettings,
  { inUse, log, use, everyMs }: ClientsWatch,
): () => void {
  const source = config.PLATFORM_CLIENTS
  const isFeed = feedIn(config) !== null
  const usualMs = isFeed ? FEED_AGAIN_MS : FILE_EVERY_MS
  let isDueAtMs = 0
  const ending = new AbortController()
  let known = JSON.stringify(inUse)
  let refused = ''
  async function reread(): Promise<void> {
    if (everyMs === undefined && performance.now() < isDueAtMs) return
    const profiles = await readClients(config, ending.signal)
    if (isFeed) isDueAtMs = performance.now() + FEED_EVERY_MS
    refused = ''
    if (profiles === null) return
    const found = JSON.stringify(profiles)
    if (found === known) return
    known = found
    use(profiles)
    const clients = profiles.map(({ name, context }) => `${name} ${context.clientVersion}`)
    log.info({ source, clients }, 'the client profiles in PLATFORM_CLIENTS changed and are in use')
  }
  function refuse(error: unknown): void {
    if (ending.signal.aborted) return
    const reason = sentenceOf(error)
    if (reason === refused) return
    refused = reason
    log.error(
      { source, reason },
      'the client profiles are wrong or out of reach; the old ones stay in use',
    )
  }
  startLoop(reread, { everyMs: everyMs ?? usualMs, signal: ending.signal, onError: refuse })
  return () => ending.abort()
}

/** Reads the settings. Throws one sentence that names the setting where routes or client profiles are wrong. */
export async function readPlatformSettings(config: Config): Promise<PlatformSettings> {
  const feed = feedIn(config)
  return {
    routes: routesOf(config.EGRESS_ROUTES),
    // No start waits for a feed: the watch asks it at once.
    clients:
      feed === null
        ? await readClients(config, new AbortController().signal)
        : await readKeptFeed(feed),
  }
}

/** The names of the routes in use. */
export function routeNames({ PLATFORM_ORIGIN: origin, EGRESS_ROUTES }: Config): string[] {
  return routesInUse({ origin, routes: routesOf(EGRESS_ROUTES) }).map(({ name }) => name)
}

/** Returns the platform's options from the settings, with this budget for its routes. */
export function platformOptions(
  { config, budget, now }: { config: Config; budget: RouteBudget; now: () => Date },
  settings: PlatformSettings,
): PlatformOptions {
  return {
    ...settings,
    origin: config.PLATFORM_ORIGIN,
    budget,
    now,
    useFieldMasks: config.PLATFORM_FIELD_MASKS,
    tokenProvider: config.PO_TOKEN_URL,
  }
}

/** Returns the configured routes. An error names the setting and never its text, which may hold a password. */
function routesOf(text: string | null): EgressRoute[] {
  if (text === null) return []
  try {
    return readRoutes(text)
  } catch (error) {
    throw new ConfigError(messageOf(error))
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

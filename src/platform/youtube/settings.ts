/** The settings of the platform: its routes and its client profiles, whose file is read again whenever it changes. */
import fs from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { ConfigError, sentenceOf } from '../../kit/settings.ts'
import type { RouteBudget } from '../../model/platform/route-budget.ts'
import { type EgressRoute, readRoutes } from '../egress/route.ts'
import { startLoop } from '../../kit/loop.ts'
import type { ClientProfile } from './clients.ts'
import { readClientProfiles } from './read-clients.ts'
import { type PlatformOptions, type PlatformSettings, routesInUse } from './open-platform.ts'

/** How often the file is checked for changes, and how large it may be. */
const CLIENTS_READ_EVERY_MS = 2_000
const CLIENTS_FILE_BYTES = 256 * 1024

/** Reads the profiles. Throws one sentence that names the setting where the file is missing or wrong. */
export async function readClientsFile(file: string): Promise<ClientProfile[]> {
  const text = await fs.readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`PLATFORM_CLIENTS names a file that cannot be read: ${error.message}`)
  })
  if (text.length > CLIENTS_FILE_BYTES)
    throw new ConfigError('PLATFORM_CLIENTS names a file that is too large to be client profiles')
  try {
    return readClientProfiles(text)
  } catch (error) {
    throw new ConfigError(`PLATFORM_CLIENTS: ${messageOf(error)}`)
  }
}

type FileWatch = {
  /** The profiles that were read at the start. */
  inUse: readonly ClientProfile[]
  log: Logger
  use: (profiles: ClientProfile[]) => void
  everyMs?: number
}

/**
 * Reads the file every few seconds, which notices every way in which editors and mounts replace it. A wrong text is
 * logged once and changes nothing. Returns a function that ends the watch.
 */
export function watchClientsFile(
  file: string,
  { inUse, log, use, everyMs = CLIENTS_READ_EVERY_MS }: FileWatch,
): () => void {
  let known = JSON.stringify(inUse)
  let refused = ''
  async function reread(): Promise<void> {
    const profiles = await readClientsFile(file)
    refused = ''
    const found = JSON.stringify(profiles)
    if (found === known) return
    known = found
    use(profiles)
    const clients = profiles.map(({ name, context }) => `${name} ${context.clientVersion}`)
    log.info({ file, clients }, 'the client profiles in PLATFORM_CLIENTS changed and are in use')
  }
  function refuse(error: unknown): void {
    const reason = sentenceOf(error)
    if (reason === refused) return
    refused = reason
    log.error(
      { file, reason },
      'the client profiles changed and are wrong; the old ones stay in use',
    )
  }
  const ending = new AbortController()
  startLoop(reread, { everyMs, signal: ending.signal, onError: refuse })
  return () => ending.abort()
}

/** Reads the settings. Throws one sentence that names the setting where routes or client profiles are wrong. */
export async function readPlatformSettings(config: Config): Promise<PlatformSettings> {
  const { EGRESS_ROUTES, PLATFORM_CLIENTS } = config
  return {
    routes: routesOf(EGRESS_ROUTES),
    clients: PLATFORM_CLIENTS === null ? null : await readClientsFile(PLATFORM_CLIENTS),
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

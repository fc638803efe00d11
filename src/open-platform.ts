/** Opens the platform as the configuration names it, with the budget that all processes share. */
import type { Logger } from 'pino'
import { readClientsFile, watchClientsFile } from './platform/youtube/client-profiles-file.ts'
import type { Config } from './kit/config/config.ts'
import type { Context, DatabaseContext } from './context.ts'
import { countRequests } from './metrics/count-requests.ts'
import { type EgressRoute, readRoutes } from './platform/egress/route.ts'
import {
  openParts,
  platformOf,
  type PlatformOptions,
  routesInUse,
} from './platform/youtube/open-platform.ts'
import type { Platform } from './platform/platform.ts'
import { versionOf } from './platform/youtube/clients.ts'
import type { Db } from './kit/postgres/database.ts'
import { ConfigError } from './kit/config/settings.ts'
import { egressBudget } from './store/egress-routes.ts'
import { forgetRetired, keepRetired } from './store/retired-clients.ts'

/** What the settings say of the platform, so that a wrong one is refused before a database is started. */
export type PlatformSettings = Pick<PlatformOptions, 'routes' | 'clients'>

/** Throws one sentence that names the setting where routes or client profiles are wrong. */
export async function readPlatformSettings(config: Config): Promise<PlatformSettings> {
  const { EGRESS_ROUTES, PLATFORM_CLIENTS } = config
  return {
    routes: routesOf(EGRESS_ROUTES),
    clients: PLATFORM_CLIENTS === null ? null : await readClientsFile(PLATFORM_CLIENTS),
  }
}

/** The names of the routes in use. */
export function routeNames({ config }: Pick<Context, 'config'>): string[] {
  const { PLATFORM_ORIGIN: origin, EGRESS_ROUTES } = config
  return routesInUse({ origin, routes: routesOf(EGRESS_ROUTES) }).map(({ name }) => name)
}

export function openServicePlatform(context: Context, settings: PlatformSettings): Platform {
  const { config, db, log, metrics, usage, watch } = context
  const options = platformOptions(context, settings)
  const count = countRequests(
    metrics,
    routesInUse(options).map(({ name }) => name),
  )
  const notes = openNotes(db, log)
  const parts = openParts({
    ...options,
    watch,
    onRequest(report) {
      count(report)
      usage.countRequest(report.bytes)
    },
    onMasksOff(fault) {
      metrics.fieldMasksOff.set(1)
      const what =
        fault === 'refused' ? 'refuses field masks' : 'hides captions or dates behind field masks'
      log.error(
        `the platform ${what}; this process asks without them, set PLATFORM_FIELD_MASKS=false`,
      )
    },
    ...notes.hooks,
  })
  const file = config.PLATFORM_CLIENTS
  const use = parts.context.clients.replace
  const endWatch =
    file === null ? null : watchClientsFile(file, { inUse: settings.clients ?? [], log, use })
  const platform = platformOf(parts)
  return {
    ...platform,
    async close() {
      endWatch?.()
      await platform.close()
      await notes.written()
    },
  }
}

/** Keeps in the database which versions are retired, for `admin clients`; a note that is lost is no harm. */
function openNotes(db: Db, log: Logger) {
  let writing = Promise.resolve()
  const write = (work: () => Promise<void>): void => {
    writing = writing.then(work).catch((error: unknown) => {
      log.warn({ err: error }, 'which client versions are retired could not be noted')
    })
  }
  const hooks: Pick<PlatformOptions, 'onClientRetired' | 'onClientAccepted'> = {
    onClientRetired(client) {
      const version = versionOf(client)
      log.error(
        version,
        'the platform no longer accepts this version of a client; set a newer one in PLATFORM_CLIENTS',
      )
      write(() => keepRetired(db, version))
    },
    onClientAccepted(client, { wasRetired }) {
      const version = versionOf(client)
      if (wasRetired) log.info(version, 'the platform accepts this version of a client again')
      write(() => forgetRetired(db, version))
    },
  }
  return { hooks, written: () => writing }
}

export function platformOptions(
  { config, db, now }: DatabaseContext,
  settings: PlatformSettings,
): PlatformOptions {
  return {
    ...settings,
    origin: config.PLATFORM_ORIGIN,
    budget: egressBudget(db),
    now,
    useFieldMasks: config.PLATFORM_FIELD_MASKS,
  }
}

/** The reader of routes names the setting itself, and never its text: it may hold a password. */
function routesOf(text: string | null): EgressRoute[] {
  if (text === null) return []
  try {
    return readRoutes(text)
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

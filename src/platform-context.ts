/** Opens the platform as the configuration names it, with the budget that all processes share. */
import fs from 'node:fs/promises'
import type { Config } from './config.ts'
import type { Context, DatabaseContext } from './context.ts'
import { type EgressRoute, readRoutes } from './platform/egress/route.ts'
import { openPlatform, type PlatformOptions } from './platform/open-platform.ts'
import type { Platform } from './platform/platform.ts'
import { type ClientProfile, readClientProfiles } from './platform/youtube/clients.ts'
import { ConfigError } from './settings.ts'
import { egressBudget } from './store/egress-routes.ts'

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

export function openServicePlatform(context: Context, settings: PlatformSettings): Platform {
  const { metrics, usage } = context
  return openPlatform({
    ...platformOptions(context, settings),
    onRequest({ call, client, route, outcome, ms, bytes }) {
      metrics.platformRequests.inc({ client, route, outcome })
      metrics.platformSeconds.observe({ call }, ms / 1000)
      metrics.platformBytes.inc({ route }, bytes)
      usage.countRequest(bytes)
    },
  })
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

async function readClientsFile(file: string): Promise<ClientProfile[]> {
  const text = await fs.readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`PLATFORM_CLIENTS names a file that cannot be read: ${error.message}`)
  })
  try {
    return readClientProfiles(text)
  } catch (error) {
    throw new ConfigError(
      `PLATFORM_CLIENTS: ${error instanceof Error ? error.message : String(error)}`,
    )
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

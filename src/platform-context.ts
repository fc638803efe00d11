/** Opens the platform as the configuration names it, with the budget that all processes share. */
import fs from 'node:fs/promises'
import type { Context, DatabaseContext } from './context.ts'
import { type EgressRoute, readRoutes } from './platform/egress/route.ts'
import { openPlatform, type PlatformOptions } from './platform/open-platform.ts'
import type { Platform } from './platform/platform.ts'
import { type ClientProfile, readClientProfiles } from './platform/youtube/clients.ts'
import { ConfigError } from './settings.ts'
import { egressBudget } from './store/egress-routes.ts'

export async function openServicePlatform(context: Context): Promise<Platform> {
  const { metrics, usage } = context
  return openPlatform({
    ...(await platformOptions(context)),
    onRequest({ call, client, route, outcome, ms, bytes }) {
      metrics.platformRequests.inc({ client, route, outcome })
      metrics.platformSeconds.observe({ call }, ms / 1000)
      metrics.platformBytes.inc({ route }, bytes)
      usage.countRequest(bytes)
    },
  })
}

/** Throws one sentence that names the setting where routes or client profiles are wrong. */
export async function platformOptions({
  config,
  db,
  now,
}: DatabaseContext): Promise<PlatformOptions> {
  return {
    origin: config.PLATFORM_ORIGIN,
    routes: routesOf(config.EGRESS_ROUTES),
    budget: egressBudget(db),
    clients:
      config.PLATFORM_CLIENTS === null ? null : await readClientsFile(config.PLATFORM_CLIENTS),
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

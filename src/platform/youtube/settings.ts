/** The settings of the platform: its routes and its client profiles. */
import type { Config } from '../../kit/config/config.ts'
import { ConfigError } from '../../kit/config/settings.ts'
import type { RouteBudget } from '../../model/platform/route-budget.ts'
import { type EgressRoute, readRoutes } from '../egress/route.ts'
import { readClientsFile } from './client-profiles-file.ts'
import { type PlatformOptions, routesInUse } from './open-platform.ts'

/** The settings of the platform, read early so that a wrong one is refused before a database is started. */
export type PlatformSettings = Pick<PlatformOptions, 'routes' | 'clients'>

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
  }
}

/** Returns the configured routes. An error names the setting and never its text, which may hold a password. */
function routesOf(text: string | null): EgressRoute[] {
  if (text === null) return []
  try {
    return readRoutes(text)
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

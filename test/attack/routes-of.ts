/** The routes of an attacked service. */
import { startService } from '../../src/serve.ts'
import { testConfig } from '../support/settings.ts'
import type { Target } from './attack.ts'
import { collectRoutes, type DeclaredRoute } from './declared-fields.ts'

/** Builds the service in this process, with the settings of the one that is attacked, to see its routes. */
export async function routesOf(
  { fleet }: Pick<Target, 'fleet'>,
  settings: Record<string, string>,
): Promise<DeclaredRoute[]> {
  const routes = collectRoutes()
  const service = await startService(
    testConfig({
      ...settings,
      DATABASE_URL: fleet.database.url,
      PLATFORM_ORIGIN: fleet.platform.origin,
      ROLES: 'api',
    }),
  )
  await service.close()
  return [...routes.values()].filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS')
}

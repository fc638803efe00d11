/**
 * One service for all files in a process that need no settings of their own, with its database and the platform's
 * stand-in. Each file acts as customers of its own, and does only what other customers cannot notice: it asks nothing
 * about all accounts at once, counts no requests to the platform, and starts no second process of the service.
 */
import type { ROLES } from '../../src/config/config.ts'
import type { TestScope } from './database.ts'
import { checkLeftOvers } from './left-overs.ts'
import { isProcessOver, outsideOfTests, PROCESS } from './process-scope.ts'
import { testService, type TestService } from './service.ts'

export type SharedService = Omit<TestService, 'another'>

type Role = (typeof ROLES)[number]

const started = new Map<string, Promise<TestService>>()

/**
 * Returns the shared service. At the end of `scope` the platform is reset, and the test fails where the file left open
 * jobs or money held.
 */
export async function sharedService(
  scope: TestScope,
  roles: readonly Role[] = ['api', 'worker'],
): Promise<SharedService> {
  const settings = roles.join(',')
  const starting =
    started.get(settings) ??
    outsideOfTests(() => testService(PROCESS, { env: { ROLES: settings } }))
  started.set(settings, starting)
  // The end is registered before the wait: after it, the end would belong to the process, in which `starting` began.
  scope.after(async () => {
    if (isProcessOver()) return // the service was checked when it ended
    const { platform, database } = await starting
    platform.clear()
    try {
      await checkLeftOvers(database, { areJobsOpen: false })
    } catch (error) {
      started.delete(settings) // one file's left-overs are not the next file's fault
      throw error
    }
  })
  return starting
}

/**
 * The service for files that need no settings of their own: one for all of them in a process, with its database and the
 * platform's stand-in. Each file acts as customers of its own, and may do what no other customer can tell: it asks
 * nothing of all accounts at once, counts no requests to the platform, and starts no second process of the service.
 */
import type { ROLES } from '../../src/kit/config/config.ts'
import type { TestScope } from './database.ts'
import { checkLeftOvers } from './left-overs.ts'
import { isProcessOver, outsideOfTests, PROCESS } from './process-scope.ts'
import { testService, type TestService } from './service.ts'

export type SharedService = Omit<TestService, 'another'>

type Role = (typeof ROLES)[number]

const started = new Map<string, Promise<TestService>>()

/** At the end of `scope` the platform is as it was, and it fails where the file left open jobs or money held. */
export async function sharedService(
  scope: TestScope,
  roles: readonly Role[] = ['api', 'worker'],
): Promise<SharedService> {
  const settings = roles.join(',')
  const starting =
    started.get(settings) ??
    outsideOfTests(() => testService(PROCESS, { env: { ROLES: settings } }))
  started.set(settings, starting)
  // Said before the wait: what follows it would be at the end of the process, in which `starting` began.
  scope.after(async () => {
    if (isProcessOver()) return // and the service was looked at when it ended
    const { platform, database } = await starting
    platform.clear()
    try {
      await checkLeftOvers(database, { areJobsOpen: false })
    } catch (error) {
      started.delete(settings) // what one file left is not the next one's fault
      throw error
    }
  })
  return starting
}

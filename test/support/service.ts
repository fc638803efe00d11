/**
 * The real service on a database of its own and the platform's stand-in, for tests that act over
 * HTTP as customers do.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { parseUsd } from '../../src/model/money/money.ts'
import { startService, type Service } from '../../src/serve.ts'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../emulator/server.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import { testDatabase, type TestDatabase, type TestScope } from './database.ts'
import { checkLeftOvers } from './left-overs.ts'
import { liftLimits } from './rate-limits.ts'
import { testConfig } from './settings.ts'

/** Cost of a password's hash; the usual cost would exceed that of all else in a sign-up. */
const PASSWORD_COST = 1_024

export type TestService = {
  service: Service
  database: TestDatabase
  platform: Emulator
  /** Address of the API: `http://127.0.0.1:PORT`. */
  address: string
  /** Opens a new account with this much credit and one key, which may ask without a limit unless `isLimited`. */
  customer(creditUsd?: string, options?: { isLimited?: boolean }): Promise<Customer>
  /** Starts another service, as in a second process, on the same database; closed at the end of the test. */
  another(env?: Record<string, string>): Promise<Service>
}

export type ServiceOptions = {
  env?: Record<string, string>
  emulator?: EmulatorOptions
  /** True for tests of jobs without a worker: open jobs are allowed when the service closes. */
  leavesOpenJobs?: boolean
}

/**
 * Starts everything in this process. When `scope` ends, it is stopped and its database dropped, and the test fails
 * where work is left.
 */
export async function testService(
  scope: TestScope,
  { env = {}, emulator = {}, leavesOpenJobs = false }: ServiceOptions = {},
): Promise<TestService> {
  // The database is dropped below, after the services have closed: the first work registered would run first.
  const database = await testDatabase({ after: () => undefined })
  const platform = await startEmulator(emulator)
  const dataDir = path.join(os.tmpdir(), `service-data-${randomUUID()}`)
  const start = (more: Record<string, string> = {}): Promise<Service> =>
    startService({
      ...testConfig({
        DATABASE_URL: database.url,
        PLATFORM_ORIGIN: platform.origin,
        DATA_DIR: dataDir,
        ...env,
        ...more,
      }),
      passwordCost: PASSWORD_COST,
    })
  const service = await start()
  const others: Service[] = []
  scope.after(async () => {
    const services = [service, ...others]
    try {
      await Promise.all(services.map((one) => one.close()))
      await checkLeftOvers(database, { areJobsOpen: leavesOpenJobs })
    } finally {
      await platform.close()
      await database.drop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    }
  })

  let made = 0
  return {
    service,
    database,
    platform,
    address: service.address ?? '',
    async customer(creditUsd = '10', { isLimited = false } = {}) {
      const email = `customer-${(made += 1)}@example.org`
      const { accountId, apiKey } = await createAccountWithKey(database.db, {
        email,
        micros: parseUsd(creditUsd) ?? 0n,
      })
      if (!isLimited) await liftLimits(database.pool, accountId)
      return new Customer({ address: service.address ?? '', accountId, apiKey })
    },
    async another(more = {}) {
      const one = await start(more)
      others.push(one)
      return one
    },
  }
}

/** Real processes of the service on one database, which a test kills, pauses and asks. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { until } from '../support/until.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../emulator/server.ts'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { testDatabase, type TestDatabase, type TestScope } from '../support/database.ts'
import { liftLimits } from '../support/rate-limits.ts'
import { launch, type ServiceProcess, untilReady } from '../support/service-process.ts'

const STALL_PROBE = path.resolve(import.meta.dirname, '../attack/stall-probe.ts')

export type LaunchOptions = {
  /** True makes the process watch its event loop, for `worstStallMs`. */
  isProbed?: boolean
  /** Module that is loaded into the process before the service. */
  preload?: string
  /** Path of another release's program. */
  main?: string
}

export type Fleet = {
  database: TestDatabase
  platform: Emulator
  start(env: Record<string, string>, options?: LaunchOptions): Promise<ServiceProcess>
  customer(
    at: ServiceProcess,
    creditUsd?: number,
    options?: { isLimited?: boolean },
  ): Promise<Customer>
  /** Ends by force every process that still runs, except `kept`. */
  killOthers(kept?: ServiceProcess): Promise<void>
  /** Returns the customer at another process. */
  moved(customer: Customer, to: ServiceProcess): Customer
}

/** Processes that still live at the end of `scope` are killed. */
export async function openFleet(scope: TestScope, emulator: EmulatorOptions = {}): Promise<Fleet> {
  const database = await testDatabase({ after: () => undefined }) // dropped below, after the processes
  const platform = await startEmulator(emulator)
  const fleet: ServiceProcess[] = []
  let made = 0
  async function killOthers(kept?: ServiceProcess): Promise<void> {
    await Promise.all(
      fleet.filter((one) => one !== kept && one.isAlive()).map((one) => one.ends('SIGKILL')),
    )
  }
  scope.after(async () => {
    await killOthers()
    await platform.close()
    await database.drop()
  })
  return {
    database,
    platform,
    async start(env, { isProbed = false, preload, main } = {}) {
      const given = {
        DATABASE_URL: database.url,
        PLATFORM_ORIGIN: platform.origin,
        ...env,
      }
      const file = isProbed ? STALL_PROBE : preload
      const one = launch(given, {
        ...(file === undefined ? {} : { preload: file }),
        ...(main === undefined ? {} : { main }),
      })
      fleet.push(one)
      await untilReady(one)
      return one
    },
    async customer({ address }, creditUsd = 10, { isLimited = false } = {}) {
      const email = `customer-${(made += 1)}@example.org`
      const account = await createAccountWithKey(database.db, {
        email,
        micros: BigInt(creditUsd) * 1_000_000n,
      })
      if (!isLimited) await liftLimits(database.pool, account.accountId)
      return new Customer({ address, ...account })
    },
    killOthers,
    moved: ({ accountId, apiKey }, { address }) => new Customer({ address, accountId, apiKey }),
  }
}

/** Returns the longest time in ms that a probed process's event loop stood still since the last call. */
export async function worstStallMs(one: ServiceProcess): Promise<number> {
  return (await one.asks<{ stallMs: number }>('worst stall?')).stallMs
}

/** Returns one column of the job's row in the database. */
export async function ofJob<T>(
  { pool }: TestDatabase,
  jobId: string,
  expression: string,
): Promise<T> {
  const { rows } = await pool.query<{ value: T }>(
    `select ${expression} as value from job where id = $1`,
    [jobId],
  )
  assert.ok(rows[0] !== undefined)
  return rows[0].value
}

/** Checks what must hold whenever nothing is under way: money, counters and rows agree. */
export async function checkBooks({ pool, db }: TestDatabase): Promise<void> {
  const { differences, listed } = await verifyLedger(db)
  assert.equal(differences, 0, JSON.stringify(listed.slice(0, 5)))
  const { rows } = await pool.query(`
    select j.id from job j join balance b using (account_id) left join lateral (
      select count(*) filter (where status = 'success')::int as delivered, count(status)::int as done
      from video_row where job_id = j.id) r on true
    where j.charged_micros is null or j.charged_micros <> r.delivered * 8000 or j.processed <> r.done
      or b.held_micros <> 0`)
  assert.deepEqual(rows, [], 'jobs that are not settled with what they delivered')
}

/** Waits until the job has delivered this many, so that it is at work and not over. */
export async function untilDelivered(
  database: TestDatabase,
  job: Record<string, unknown>,
  count: number,
): Promise<void> {
  const id = String(job['id'])
  await until('some rows are there', async () => {
    return (await ofJob<number>(database, id, 'success')) >= count
  })
}

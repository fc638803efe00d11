/** A service whose accounts have forty free calls a day, and counts of the requests to its platform. */
import { beforeEach } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import type { TestScope } from '../support/database.ts'
import { testService, type TestService } from '../support/service.ts'

export type FreeWork = {
  service: TestService
  /** Returns the number of calls of a kind since the log was last reset. */
  asked(kind: string): number
  /** Lets a day pass. */
  midnight(): Promise<unknown>
  /** Forgets everything that accounts share. */
  forget(): Promise<unknown>
}

/** Starts the service; each test of the file begins with nothing shared and an empty log. */
export async function startFreeWork(scope: TestScope): Promise<FreeWork> {
  const env = { FREE_CALLS_PER_DAY: '40', FREE_CALLS_PER_USD: '0' }
  const service = await testService(scope, { env })
  const { log } = service.platform
  const { pool } = service.database
  const forget = () => pool.query('truncate list_copy, list_page, channel_name, publish_date')
  beforeEach(async () => {
    await forget()
    log.reset()
  })
  return {
    service,
    asked: (kind) => log.counts().byKind[kind] ?? 0,
    // The allowance follows the database's clock: a day passes when what it counted becomes yesterday's.
    midnight: () =>
      pool.query(`
        delete from free_calls where day < (now() at time zone 'utc')::date;
        update free_calls set day = day - 1`),
    forget,
  }
}

/** Returns the rows that stand for a list, not for a video. */
export function sourceRows(rows: Json[]): Json[] {
  return rows.filter(({ videoId }) => videoId === null)
}

/** Simulated time for tests of following: the platform's clock runs ahead, and instants in the database grow older. */
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const OF_SUBSCRIPTION = ['created_at', 'since', 'last_looked_at', 'next_look_at', 'leased_until']
const OF_VIDEO = ['found_at', 'due_at', 'young_until']

/** Returns a platform's clock that a test moves. */
export function movableClock(): { now: () => number; aheadMs: number } {
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs }
  return clock
}

/** Lets time pass for every subscription and its videos: their instants move into the past. */
export async function passHours(
  { database: { pool } }: Pick<TestService, 'database'>,
  clock: { aheadMs: number },
  ms: number,
): Promise<void> {
  clock.aheadMs += ms
  const seconds = ms / 1000
  const earlier = (column: string): string => `${column} = ${column} - make_interval(secs => $1)`
  await pool.query(
    `update subscription set ${OF_SUBSCRIPTION.map(earlier).join(', ')},
      found_at = array(select f - make_interval(secs => $1) from unnest(found_at) as f)`,
    [seconds],
  )
  await pool.query(`update subscription_video set ${OF_VIDEO.map(earlier).join(', ')}`, [seconds])
  await pool.query('notify scriptorium_look')
}

/** Lets the month end: purchases so far become those of an earlier month. */
export async function passMonth({ database: { pool } }: TestService): Promise<void> {
  await pool.query(`update subscription_job set month = '2001-01'`)
  await pool.query(`update subscription set next_look_at = now() where next_look_at is not null`)
  await pool.query('notify scriptorium_look')
}

/** Waits until no look is due or under way, and no job is open. */
export async function untilQuiet({
  database: { pool },
}: Pick<TestService, 'database'>): Promise<void> {
  await until('every look is made and every job is over', async () => {
    const { rows } = await pool.query<{ busy: boolean }>(
      `select exists (select from subscription where next_look_at <= now() or leased_until is not null)
        or exists (select from job where state in ('queued', 'running', 'cancelling')) as busy`,
    )
    return rows[0]?.busy === false
  })
}

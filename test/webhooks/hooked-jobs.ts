/** Jobs that end by hand, webhooks made over HTTP, and time that passes at once, for the tests of webhooks. */
import assert from 'node:assert/strict'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { finishJob } from '../../src/features/jobs/attempt.ts'
import type { JobEnding } from '../../src/model/jobs/job.ts'
import type { TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { claimAndBegin } from '../support/claims.ts'

let jobs = 0

/** Makes a job of one video that ends at once. Where a worker runs and finished the job first, that is its end. */
export async function endsJob(
  { db }: TestDatabase,
  customer: Customer,
  event: Exclude<JobEnding, 'stop'> | 'cancel' = 'finish',
): Promise<Json> {
  const job = await customer.startsJob({
    urls: [`video-${String((jobs += 1)).padStart(5, '0')}`],
    maxVideos: 1,
  })
  if (event === 'cancel') await customer.asks('POST', `/jobs/${job['id']}/cancel`)
  else {
    const budget = { lostMax: 5, timeLimitMs: 60_000 }
    const { accountId } = customer
    const begun = await claimAndBegin(db, { jobId: job['id'], accountId }, budget)
    assert.ok(begun !== null || event === 'finish')
    const error = event === 'finish' ? null : 'A fault.'
    if (begun !== null) await finishJob(db, begun.attempt, { event, error })
  }
  return customer.gets(`/jobs/${job['id']}`)
}

export async function makesWebhook(
  customer: Customer,
  url: string,
  more: Json = {},
): Promise<Json> {
  const { status, body } = await customer.asks('POST', '/webhooks', { body: { url, ...more } })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

export async function deliveriesOf(customer: Customer, webhook: Json): Promise<Json[]> {
  return (await customer.gets(`/webhooks/${webhook['id']}/deliveries?limit=50`))['deliveries']
}

/** Waits until the newest delivery has this many attempts and none is under way; returns it. */
export async function untilTried(
  customer: Customer,
  webhook: Json,
  attempts: number,
): Promise<Json> {
  let newest: Json = {}
  await until(`${attempts} attempts`, async () => {
    newest = (await deliveriesOf(customer, webhook))[0] ?? {}
    return newest['attempts']?.length >= attempts
  })
  assert.equal(newest['attempts'].length, attempts)
  return newest
}

/** Lets seconds pass for every webhook and delivery; workers look at once. */
export async function passTime({ pool }: TestDatabase, seconds: number): Promise<void> {
  const earlier = (column: string): string => `${column} = ${column} - make_interval(secs => $1)`
  await pool.query(
    `update webhook set ${['created_at', 'failing_since', 'old_secret_until', 'disabled_at'].map(earlier).join(', ')}`,
    [seconds],
  )
  await pool.query(
    `update webhook_delivery set ${['created_at', 'due_at', 'leased_until'].map(earlier).join(', ')}`,
    [seconds],
  )
  await pool.query(`notify scriptorium_delivery`)
}

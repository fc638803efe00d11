/**
 * Meetings: two ways to a charge on one account that want the same text, or two ends of one job. The platform holds the
 * texts until both are planned; then the jobs are locked, and let go when each has come with its text to record it.
 */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import type { Way } from './ways-to-a-charge.ts'

type Service = TestService

export type Party = Way & { urls: string[] }

/** Two ways that meet. Where they name the same lines, at most one job of theirs is open. */
export type Meeting = { name: string; parties: readonly [Party, Party] }
export type Met = Meeting & { customer: Customer }

const PRICE_MICROS = 8_000
const CREDIT_MICROS = 1_000_000
const TEXTS_HELD = { faults: [{ do: 'hold', on: 'timedtext' }] } as const

/** Holds meetings all at once, each with a customer of its own, until all that they ordered is over. */
export async function hold(
  service: Service,
  meetings: readonly Meeting[],
  withoutText: readonly string[],
): Promise<Met[]> {
  const { platform } = service
  const open = async (meeting: Meeting): Promise<Met> => ({
    ...meeting,
    customer: await service.customer('1'),
  })
  const met = await Promise.all(meetings.map(open))
  platform.apply({ faults: [{ do: 'hide_captions', on: 'player', video: withoutText }] })
  await Promise.all(met.map(orderEarlier))
  platform.apply(TEXTS_HELD)
  const lost: string[] = []
  const begin = async (one: Met, { urls, ...way }: Party): Promise<void> => {
    const { customer } = one
    const jobId = await way.begins({ service, customer, urls, isShared: isShared(one) })
    if (way.isLost && jobId !== null) lost.push(jobId)
  }
  await Promise.all(met.flatMap((one) => one.parties.map((party) => begin(one, party))))
  const jobs = met.reduce((sum, one) => sum + (isShared(one) ? 1 : 2), 0)
  const accountIds = accountsOf(met)
  await letRecordTogether(service, accountIds, { jobs, lost })
  await untilOver(service, accountIds)
  return met
}

export function accountsOf(met: readonly { customer: Customer }[]): string[] {
  return met.map(({ customer }) => customer.accountId)
}

function isShared({ parties: [one, two] }: Meeting): boolean {
  return one.urls.join() === two.urls.join()
}

/** Has the lines that are come back to delivered once, or refused, one order after the other. */
async function orderEarlier({ parties, customer }: Met): Promise<void> {
  const orders = parties.flatMap(({ urls, earlier }) =>
    earlier === undefined ? [] : [{ urls, earlier }],
  )
  // What has no text comes first: the next order of the same lines then delivers another one.
  orders.sort((one, two) => one.earlier.localeCompare(two.earlier))
  const seen = new Set<string>()
  for (const { urls, earlier } of orders) {
    const name = [earlier, ...urls].join()
    if (seen.has(name)) continue
    seen.add(name)
    const { job } = await customer.orders({ urls, maxVideos: 1 })
    const { delivered } = job['progress']
    assert.equal(delivered, earlier === 'one is delivered' ? 1 : 0, name)
  }
}

/**
 * Waits until so many jobs have planned, and each comes with its text to record it; then lets all go at the same time,
 * so that one waits for the other only where a lock makes it. `meanwhile` is called when all have come.
 */
export async function letRecordTogether(
  { database: { pool }, platform }: Service,
  accountIds: string[],
  given: { jobs: number; lost?: string[]; before?(): Promise<void>; meanwhile?(): Promise<void> },
): Promise<void> {
  const { jobs, lost = [], before, meanwhile } = given
  const client = await pool.connect()
  try {
    const planned = `select id from job j where account_id = any($1) and charged_micros is null
      and exists (select from video_row r where r.job_id = j.id and r.status is null)`
    await until('all are planned', async () => {
      const { rowCount } = await pool.query(planned, [accountIds])
      return rowCount === jobs
    })
    await client.query('begin')
    await client.query(`${planned} for no key update`, [accountIds])
    await before?.()
    platform.clear()
    await until('all come to record', async () => (await waitingFor(pool, RECORDING)) === jobs)
    await meanwhile?.()
    // Another worker has claimed the job and handed it back: what the first one records is of an outdated attempt.
    const isLost = 'attempt = attempt + 1, is_held = false, is_lost = true'
    await client.query(`update job set ${isLost} where id = any($1)`, [lost])
    await client.query('commit')
    await client.query('notify scriptorium_waiting')
  } finally {
    client.release(true) // where the test failed, the locks go with the connection
  }
}

/** Words of the statements that record, the first of which waits for the job, and the others for its text. */
const RECORDING = ['with held as materialized', 'pg_advisory_xact_lock']

/** Returns how many sessions wait for a lock with a statement that has one of the words; all where none are given. */
export async function waitingFor(
  pool: Service['database']['pool'],
  words: readonly string[] = [''],
): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like any($1)`,
    [words.map((word) => `%${word}%`)],
  )
  return rows[0]?.waiting ?? 0
}

/** Waits until nothing is under way, with what waited for another order of its lines: that comes now. */
export async function untilOver(
  { database: { pool } }: Service,
  accountIds: string[],
): Promise<void> {
  const isOver = async (busy: string, hasten: string, channel: string): Promise<boolean> => {
    const { rows } = await pool.query<{ isBusy: boolean }>(
      `select exists (select from job where account_id = any($1) and charged_micros is null) or exists (${busy}) as "isBusy"`,
      [accountIds],
    )
    if (rows[0]?.isBusy !== false) {
      await pool.query(hasten, [accountIds])
      await pool.query(`notify ${channel}`)
    }
    return rows[0]?.isBusy === false
  }
  const running = `select from batch where account_id = any($1) and state = 'running'`
  const waits = `update batch set due_at = now() where account_id = any($1) and state = 'running' and notice is not null`
  await until('jobs and batches are over', () => isOver(running, waits, 'scriptorium_batch'))
  const due = 'update subscription set next_look_at = now() where account_id = any($1)'
  await pool.query(due, [accountIds])
  const looking = `select from subscription where account_id = any($1) and (next_look_at <= now() or leased_until is not null)`
  await until('looks are over', () => isOver(looking, `${due} and false`, 'scriptorium_look'))
}

type Text = { videoId: string; set: string; skipsOwned: boolean }

/** Returns what is wrong with what an account bought and paid; `wanted` is a video that one of the ways has to buy. */
export async function faultsOf(
  { database: { pool } }: Service,
  { name, parties, customer: { accountId } }: Met,
  wanted: string | null,
): Promise<string[]> {
  const { rows } = await pool.query<Text>(
    `select r.video_id as "videoId", j.url_set_hash as set, j.skips_owned as "skipsOwned"
     from video_row r join job j on j.id = r.job_id where j.account_id = $1 and r.status = 'success'`,
    [accountId],
  )
  const isTwice = (texts: Text[], key: (text: Text) => string): boolean =>
    new Set(texts.map(key)).size < texts.length
  const left = parties.every(({ skipsOwned }) => skipsOwned)
    ? rows
    : rows.filter(({ skipsOwned }) => skipsOwned)
  const { rows: money } = await pool.query<{ paid: number; held: number; charged: number }>(
    `select ${CREDIT_MICROS} - b.posted_micros::int as paid, b.held_micros::int as held,
      (select sum(charged_micros)::int from job j where j.account_id = b.account_id) as charged
     from balance b where account_id = $1`,
    [accountId],
  )
  const due = { paid: rows.length * PRICE_MICROS, held: 0, charged: rows.length * PRICE_MICROS }
  const faults = {
    'the same lines bought a text twice': isTwice(rows, ({ videoId, set }) => `${videoId} ${set}`),
    'a text that is left out was bought twice': isTwice(left, ({ videoId }) => videoId),
    'nobody bought the text': wanted !== null && !rows.some(({ videoId }) => videoId === wanted),
    'what was paid is not what was delivered': !isDeepStrictEqual(money, [due]),
  }
  return Object.entries(faults).flatMap(([fault, isSo]) => (isSo ? [`${name}: ${fault}`] : []))
}

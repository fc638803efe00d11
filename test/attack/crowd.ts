/**
 * A crowd of accounts that ask for much and pay nothing, beside one that orders a video: how long does that one wait?
 */
import assert from 'node:assert/strict'
import type { Emulator } from '../../emulator/server.ts'
import { until } from '../support/until.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import type { TestDatabase } from '../support/database.ts'

/** Bounds that match nothing in a channel of 100,000 videos: each job reads 1,000 pages for free. */
const NOTHING_FITS = { publishedAfter: '2005-01-01', publishedBefore: '2005-02-01', maxVideos: 1 }
const PAGE_VIDEOS = 100
const ORDERS = 9
const TIMES_MAX = 3

export type Crowd = { attackers: Customer[]; jobsEach: number }
type World = { database: TestDatabase; platform: Emulator }
export type Waits = {
  aloneMs: number
  besideMs: number
  times: number
  admitted: number
  refused: number
}

/**
 * Returns the median times of one-video jobs, alone and then beside the crowd at work, in one run. Fails where one of
 * these jobs is refused or delivers nothing.
 */
export async function waitsBeside(
  world: World,
  honest: Customer,
  { attackers, jobsEach }: Crowd,
): Promise<Waits> {
  const videos = captionedVideos(world.platform)
  const order = (): Promise<number> => tookMs(honest, videos.pop() ?? '')
  await order() // the first session identity, connections, compiled code
  const aloneMs = await medianOf(order)
  const answers = (await Promise.all(attackers.map((one) => postAll(one, jobsEach)))).flat()
  const admitted = answers.filter((status) => status === 201).length
  const refused = answers.filter((status) => status === 503).length
  assert.equal(
    admitted + refused,
    answers.length,
    `other answers than 201 and 503: ${answers.join(' ')}`,
  )
  await until(
    'the crowd is at work',
    async () => (await listed(world.database)) >= attackers.length * PAGE_VIDEOS,
  )
  const besideMs = await medianOf(order)
  const { rows } = await world.database.pool.query<{ open: number }>(
    'select count(*)::int as open from job where charged_micros is null',
  )
  assert.ok((rows[0]?.open ?? 0) >= attackers.length, 'the crowd was still at work')
  return { aloneMs, besideMs, times: besideMs / aloneMs, admitted, refused }
}

/** Throws where the honest account waited too long. */
export function judgeWaits({ aloneMs, besideMs, times, admitted, refused }: Waits): string {
  const seen = `${Math.round(aloneMs)} ms alone, ${Math.round(besideMs)} ms beside ${admitted} jobs (${refused} refused)`
  assert.ok(times <= TIMES_MAX, `a one-video job took ${times.toFixed(1)} times as long: ${seen}`)
  return seen
}

/** Ends the crowd's jobs, so that the next test finds the service idle. */
export async function sendHome({ pool }: TestDatabase, attackers: Customer[]): Promise<void> {
  const ids = attackers.map(({ accountId }) => accountId)
  const { rows } = await pool.query<{ id: string; accountId: string }>(
    'select id, account_id as "accountId" from job where charged_micros is null and account_id = any($1)',
    [ids],
  )
  await pool.query('delete from rate_bucket')
  await Promise.all(
    rows.map(({ id, accountId }) => {
      return attackers
        .find((one) => one.accountId === accountId)
        ?.asks('POST', `/jobs/${id}/cancel`)
    }),
  )
  await until('all of the crowd is settled', async () => {
    const open = await pool.query(
      'select from job where charged_micros is null and account_id = any($1)',
      [ids],
    )
    return open.rowCount === 0
  })
}

async function postAll(one: Customer, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1) {
    const urls = [`https://www.youtube.com/@vastlibrary?spelling=${one.accountId}-${n}`]
    const { status } = await one.asks('POST', '/jobs', { body: { urls, ...NOTHING_FITS } })
    statuses.push(status)
  }
  return statuses
}

async function tookMs(honest: Customer, videoId: string): Promise<number> {
  const startedAt = performance.now()
  const job = await honest.startsJob({ urls: [videoId], maxVideos: 1 }, { Prefer: 'wait=60' })
  let ended: Json = job
  while (ended['finishedAt'] === null) ended = await honest.gets(`/jobs/${job['id']}?wait=60`)
  const ms = performance.now() - startedAt
  assert.deepEqual([ended['state'], ended['progress'].delivered], ['finished', 1], videoId)
  return ms
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const taken: number[] = []
  for (let n = 0; n < ORDERS; n += 1) taken.push(await measure())
  return taken.sort((a, b) => a - b)[Math.floor(ORDERS / 2)] ?? Infinity
}

async function listed({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select sum(discovered)::int as n from job')
  return rows[0]?.n ?? 0
}

/** Returns videos with captions. Each is ordered once: a second time it would be delivered already. */
function captionedVideos({ world }: Emulator): string[] {
  const list = world.uploads(world.channel('spanish'), null)
  const all = Array.from({ length: 40 }, (_, at) => list.at(at))
  return all
    .filter(({ state, tracks }) => state === 'ok' && tracks.length > 0)
    .map(({ videoId }) => videoId)
}

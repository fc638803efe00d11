/** Attacks by what an account can make grow: jobs that deliver nothing, and indexes of nothing. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Customer } from '../../../tools/conformance/customer.ts'
import { liftLimits } from '../../support/rate-limits.ts'
import type { Attack, Target } from '../attack.ts'
import { CALLS_OF_DAY, DEPOSIT_USD, keptBytes } from './free-work.ts'
import { OF_PAYMENTS } from './stripe-stories.ts'

/** Kilobytes that an account with this deposit may leave for ever in one day by jobs that deliver nothing. */
const KEPT_KB_MAX = 12 * CALLS_OF_DAY
/** Jobs that were being cancelled when the allowance ended. */
const IN_FLIGHT = 5
/** The shortest wait that is no limit of requests per minute. */
const DAY_WAIT_SECONDS = 61
/** Bytes that the indexes may take; one without a text takes about 100 KB. */
const INDEXES_BYTES = 1_000_000
const SEARCHERS = 30

export const GROWTH: readonly Attack[] = [
  {
    name: 'a job started and cancelled in a circle, 1,000 times for $0.40',
    class: 'free work',
    run: (target) => circle(target, { cycles: 1_000, lines: (at) => [noVideo(at)] }),
  },
  {
    name: 'jobs of 60 KB of URLs started and cancelled in a circle, 200 times for $0.40',
    class: 'free work',
    run: (target) => circle(target, { cycles: 200, lines: longLines }),
  },
  {
    name: 'searches of 30 accounts that own nothing, in a folder for the indexes of ten',
    class: 'free work',
    isInGate: true,
    settings: OF_PAYMENTS, // settings shared with the attacks on money; a process of its own has the folder
    run: searchForNothing,
  },
]

/**
 * Starts jobs and cancels them, as an attacker with patience would: without the limits of a minute. Returns how many
 * were started before the service refused, and what they left.
 */
async function circle(
  target: Target,
  { cycles, lines }: { cycles: number; lines: (at: number) => string[] },
): Promise<string> {
  const { pool } = target.fleet.database
  const customer = await target.customer(DEPOSIT_USD)
  await liftLimits(pool, customer.accountId)
  const before = await keptBytes(target)
  for (let at = 0; at < cycles; at += 1) {
    const body = { urls: lines(at), maxVideos: 1 }
    const { status, body: job, headers } = await customer.asks('POST', '/jobs', { body })
    if (status === 429 && Number(headers.get('retry-after')) >= DAY_WAIT_SECONDS) break
    assert.equal(status, 201, JSON.stringify(job))
    await customer.asks('POST', `/jobs/${job['id']}/cancel`)
  }
  const { rows } = await pool.query('select from job where account_id = $1', [customer.accountId])
  const kilobytes = Math.round(((await keptBytes(target)) - before) / 1024)
  const seen = `${rows.length} jobs of ${cycles} were started, which leave ${kilobytes} KB`
  assert.ok(rows.length <= CALLS_OF_DAY + IN_FLIGHT && kilobytes <= KEPT_KB_MAX, seen)
  return seen
}

function noVideo(at: number): string {
  return `none${String(at).padStart(7, '0')}`
}

function longLines(at: number): string[] {
  const more = 'y'.repeat(1_150)
  return Array.from(
    { length: 50 },
    (_, line) => `https://youtu.be/${noVideo(at * 50 + line)}?x=${more}`,
  )
}

/** Lets accounts search that own nothing; returns what their indexes take. */
async function searchForNothing(target: Target): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-indexes-'))
  const settings = { DATA_DIR: folder, SEARCH_INDEX_MB: String(INDEXES_BYTES / 1_000_000) }
  const { address, ends } = await target.fleet.start(settings)
  try {
    for (let at = 0; at < SEARCHERS; at += 1) {
      const { accountId, apiKey } = await target.customer('0')
      const searcher = new Customer({ address, accountId, apiKey })
      const { total, owned } = await searcher.gets('/search?q=anything')
      assert.deepEqual([total, owned], [0, 0])
    }
    const found = await fs.readdir(folder, { recursive: true })
    const stats = await Promise.all(found.map((name) => fs.stat(path.join(folder, name))))
    const files = stats.filter((stat) => stat.isFile())
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    const seen = `${files.length} files of ${bytes} bytes`
    assert.ok(bytes <= INDEXES_BYTES, seen)
    return seen
  } finally {
    await ends('SIGTERM')
    await fs.rm(folder, { recursive: true })
  }
}

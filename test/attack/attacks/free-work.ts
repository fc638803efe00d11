/** Attacks by free work: lists without end, repeats, names and videos that do not exist. */
import assert from 'node:assert/strict'
import { issueKey } from '../../../src/features/accounts/keys.ts'
import { transact } from '../../../src/kit/postgres/database.ts'
import { Customer } from '../../../tools/conformance/customer.ts'
import type { Json } from '../../../tools/conformance/http.ts'
import { until } from '../../support/until.ts'
import type { Attack, Target } from '../attack.ts'
import { cpuSeconds } from '../cpu-seconds.ts'
import { BEHIND_PROXY } from './sign-in-visits.ts'
import { OF_PAYMENTS } from './stripe-stories.ts'

export const DEPOSIT_USD = '0.4'
/**
 * Calls that an account with this deposit may cause in one day: 500 + 250 × 0.4, in
 * docs/decisions/0013-what-free-work-costs.md.
 */
export const CALLS_OF_DAY = 600
/** Requests that are no calls of a job (session identities), or were under way when the allowance ended. */
const IN_FLIGHT = 60
/** Videos that visitors without an account may have read within an hour, together: TRIALS_PER_HOUR. */
const TRIALS_OF_HOUR = 30
/** Bounds before the platform existed, in which nothing was published. */
const NOTHING = { publishedBefore: '2005-01-01', maxVideos: 1 }

export const FREE_WORK: readonly Attack[] = [
  {
    name: 'bounds that match nothing in a channel of 100,000 videos, for $0.40, four times',
    class: 'free work',
    run: (target) =>
      cost(target, async (attacker) => {
        const urls = [channelUrl(target, 'vast')]
        for (let turn = 0; turn < 4; turn += 1) await attacker.orders({ urls, ...NOTHING })
      }),
  },
  {
    name: '50 spellings of a huge channel at once, for $0.40',
    class: 'floods',
    run: (target) =>
      cost(target, async (attacker) => {
        const url = channelUrl(target, 'vast')
        await Promise.all(
          Array.from({ length: 50 }, (_, at) =>
            attacker.orders({ urls: [`${url}?x=${at}`], ...NOTHING }),
          ),
        )
      }),
  },
  {
    name: 'nothing new asked for 100 times',
    class: 'free work',
    run: (target) =>
      cost(target, async (attacker) => {
        for (let turn = 0; turn < 100; turn += 1)
          await attacker.orders({ urls: [channelUrl(target, 'medium')], ...NOTHING })
      }),
  },
  {
    name: '1,000 handles that do not exist, then one of them 1,000 times',
    class: 'free work',
    run: (target) =>
      cost(target, async (attacker) => {
        const handles = Array.from({ length: 1_000 }, (_, at) => `@nobody${at}isthere`)
        for (let from = 0; from < handles.length; from += 50)
          await attacker.orders({ urls: handles.slice(from, from + 50), maxVideos: 1 })
        const before = asked(target)
        for (let turn = 0; turn < 20; turn += 1) {
          const urls = Array.from(
            { length: 50 },
            (_, at) => `https://www.youtube.com/@nobody0isthere?turn=${turn}&at=${at}`,
          )
          await attacker.orders({ urls, maxVideos: 1 })
        }
        assert.ok(
          asked(target) - before <= 1,
          `one name was asked for ${asked(target) - before} times`,
        )
      }),
  },
  {
    name: 'a playlist that leads back into itself',
    class: 'free work',
    isInGate: true,
    settings: OF_PAYMENTS, // settings shared with the attacks on money; nothing is paid here
    run: (target) =>
      cost(target, async (attacker) => {
        const { playlistId } = target.fleet.platform.world.playlist('huge')
        target.fleet.platform.apply({
          faults: [
            { do: 'repeated_page', on: 'browse', list: `VL${playlistId}`, after: 3, per: 'all' },
          ],
        })
        const urls = [`https://www.youtube.com/playlist?list=${playlistId}`]
        for (let turn = 0; turn < 10; turn += 1) await attacker.orders({ urls, ...NOTHING })
        target.fleet.platform.clear()
      }),
  },
  {
    name: '2,000 videos that do not exist, fifty in each job',
    class: 'free work',
    run: (target) =>
      cost(
        target,
        async (attacker) => {
          for (let turn = 0; turn < 40; turn += 1) {
            await attacker.orders({
              urls: Array.from(
                { length: 50 },
                (_, at) => `none${String(turn * 50 + at).padStart(7, '0')}`,
              ),
            })
          }
        },
        { callsOfVideo: 8 },
      ),
  },
  {
    name: '60 videos read without an account by 120 addresses at once, then by one',
    class: 'trials',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const { world, log } = target.fleet.platform
      const list = world.uploads(world.channel('medium'), 'video')
      const players = (): number => log.counts().byKind['player'] ?? 0
      const before = players()
      const tries = (at: number, ip: string): Promise<number> =>
        triesVideo(target, { videoId: list.at(at % 60).videoId, ip })
      const many = Array.from({ length: 120 }, (_, at) => tries(at, `2001:db8:${at}::1`))
      const one = []
      for (let at = 0; at < 60; at += 1) one.push(await tries(at, '192.0.2.7'))
      const accepted = (await Promise.all(many)).filter((status) => status === 303).length
      await until('all of them are read', async () => {
        const { rows } = await target.fleet.database.pool.query(
          "select from preview where state = 'listing'",
        )
        return rows.length === 0
      })
      const read = players() - before
      // A video without captions is asked for as three clients, and a witness with it; few of these are.
      assert.ok(read <= TRIALS_OF_HOUR * 2, `${read} videos were asked for`)
      const { rows } = await target.fleet.database.pool.query(
        'select from preview where account_id is null',
      )
      assert.equal(rows.length, TRIALS_OF_HOUR)
      assert.ok(one.includes(429))
      return `${rows.length} trials, ${read} players asked, ${accepted} of 120 addresses answered`
    },
  },
]

/** Returns the status that a visitor's form is answered with. */
async function triesVideo(
  { address }: Target,
  { videoId, ip }: { videoId: string; ip: string },
): Promise<number> {
  const response = await fetch(`${address}/trial`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'X-Forwarded-For': ip },
    body: new URLSearchParams({ video: videoId }),
  })
  await response.arrayBuffer()
  return response.status
}

type Attacker = { orders(body: Json): Promise<void> }

/** Acts as an account of $0.40, with a new key whenever one is used up; returns what it cost us. */
async function cost(
  target: Target,
  act: (attacker: Attacker) => Promise<void>,
  { callsOfVideo = 1 }: { callsOfVideo?: number } = {},
): Promise<string> {
  const { database } = target.fleet
  const { accountId } = await target.customer(DEPOSIT_USD)
  let requests = 0
  let key: Promise<Customer> | null = null
  const nextKey = (): Promise<Customer> => {
    if (requests++ % 25 === 0 || key === null) {
      key = transact(database.db, (tx) => issueKey(tx, { accountId, name: 'again' })).then(
        ({ apiKey }) => new Customer({ address: target.address, accountId, apiKey }),
      )
    }
    return key
  }
  const attacker: Attacker = {
    async orders(body) {
      const { status, body: job } = await (
        await nextKey()
      ).asks('POST', '/jobs', { body, headers: { Prefer: 'wait=60' } })
      assert.equal(status, 201, JSON.stringify(job))
      for (let now = job; now['finishedAt'] === null;)
        now = await (await nextKey()).gets(`/jobs/${job['id']}?wait=60`)
    },
  }
  const before = {
    calls: asked(target),
    bytes: await keptBytes(target),
    cpu: await cpuSeconds(target),
  }
  await act(attacker)
  const calls = asked(target) - before.calls
  const bytes = (await keptBytes(target)) - before.bytes
  const cpu = (await cpuSeconds(target)) - before.cpu
  const perUsd = (value: number): string =>
    Math.round(value / Number(DEPOSIT_USD)).toLocaleString('en')
  const seen =
    `${calls} calls, ${Math.round(bytes / 1024)} KB, ${cpu.toFixed(1)} s CPU; per dollar ` +
    `${perUsd(calls)} calls, ${perUsd(bytes / 1024)} KB, ${perUsd(cpu)} s`
  const most = CALLS_OF_DAY * callsOfVideo + IN_FLIGHT
  assert.ok(calls <= most, `the platform was asked ${calls} times, more than ${most}: ${seen}`)
  return seen
}

function channelUrl({ fleet }: Target, key: string): string {
  return `https://www.youtube.com/channel/${fleet.platform.world.channel(key).channelId}`
}

function asked({ fleet }: Target): number {
  return fleet.platform.log.counts().total
}

/** Returns the bytes of everything that is kept for longer than a day, rows and their indexes without free space. */
export async function keptBytes({ fleet }: Target): Promise<number> {
  const { pool } = fleet.database
  const tables = ['job', 'job_source', 'video_row', 'history', 'ledger_entry']
  for (const table of tables) await pool.query(`vacuum full ${table}`)
  const { rows } = await pool.query<{ bytes: string }>(
    'select sum(pg_total_relation_size(name::regclass)) as bytes from unnest($1::text[]) as name',
    [tables],
  )
  return Number(rows[0]?.bytes ?? 0)
}

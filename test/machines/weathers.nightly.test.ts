/**
 * Bad weathers: two customers order 24 videos each, all with captions, over three routes, on one of which the platform
 * misbehaves in one way after another. Prints the outcome of each.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Customer } from '../../tools/conformance/customer.ts'
import type { FaultRule } from '../../emulator/faults.ts'
import { type Emulator, startEmulator } from '../../emulator/server.ts'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { startService } from '../../src/serve.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { testConfig } from '../support/settings.ts'

const BAD_EXIT = '127.0.0.2'
const ORDERED = 48
const CUSTOMERS = 2

type Weather = {
  rule: Omit<FaultRule, 'identity'>
  /** Least deliveries of 48; all of them where another route brings what this one does not. */
  deliveredMin: number
  /** Which routes have to rest. */
  rests: 'bad' | 'none'
}

const on = 'player' as const
const words = 'timedtext' as const
const all: Pick<Weather, 'deliveredMin'> = { deliveredMin: ORDERED }
/** A client version that is too old is so on every route: until an answer says otherwise, no other way is tried. */
const some: Pick<Weather, 'deliveredMin'> = { deliveredMin: ORDERED / 2 }

const WEATHERS: Weather[] = [
  { rule: { do: 'bot_check', on }, ...all, rests: 'bad' },
  { rule: { do: 'new_bot_check', on }, ...all, rests: 'bad' },
  { rule: { do: 'captcha', on }, ...all, rests: 'bad' },
  { rule: { do: 'decoy', on }, ...all, rests: 'bad' },
  { rule: { do: 'unknown_status', on }, ...all, rests: 'bad' },
  { rule: { do: 'forbidden', on }, ...all, rests: 'bad' },
  { rule: { do: 'too_many', on: [on, words] }, ...all, rests: 'bad' },
  { rule: { do: 'sorry_page', on: words }, ...all, rests: 'bad' },
  { rule: { do: 'page_reload', on }, ...all, rests: 'bad' },
  { rule: { do: 'empty', on: words }, ...all, rests: 'bad' },
  { rule: { do: 'reset', on }, ...all, rests: 'bad' },
  { rule: { do: 'hide_captions', on, client: 'VISIONOS' }, ...all, rests: 'none' },
  { rule: { do: 'unavailable', on, client: ['VISIONOS', 'ANDROID'] }, ...all, rests: 'none' },
  { rule: { do: 'forbidden', on: [on, words], client: 'VISIONOS' }, ...all, rests: 'none' },
  { rule: { do: 'cause', on, client: 'VISIONOS' }, ...all, rests: 'none' },
  { rule: { do: 'unavailable', on }, ...all, rests: 'bad' },
  { rule: { do: 'hide_captions', on }, ...all, rests: 'bad' },
  { rule: { do: 'server_error', on }, ...all, rests: 'none' },
  { rule: { do: 'outdated', on }, ...some, rests: 'none' },
]

/** Statuses that a video with captions may get; any other blames the video for what it did not do. */
const BLAMELESS = new Set(['success', 'blocked_suspect', 'failed'])

test(
  'bad weather on one of three routes costs no video its name, and few their transcripts',
  { timeout: 300_000 },
  async (t) => {
    const database = await testDatabase(t)
    const emulator = await startEmulator({ exits: 3 })
    t.after(() => emulator.close())
    const startedAt = performance.now()
    for (const [at, weather] of WEATHERS.entries()) {
      const seen = await under({ database, emulator, at, weather })
      t.diagnostic(`${weather.rule.do}: ${JSON.stringify(seen)}`)
      assert.ok(
        Object.keys(seen.rows).every((status) => BLAMELESS.has(status)),
        weather.rule.do,
      )
      assert.ok((seen.rows['success'] ?? 0) >= weather.deliveredMin, weather.rule.do)
      assert.equal(seen.rests, weather.rests, weather.rule.do)
    }
    t.diagnostic(
      `${WEATHERS.length} weathers in ${Math.round((performance.now() - startedAt) / 1000)} s`,
    )
  },
)

type Scene = { database: TestDatabase; emulator: Emulator; at: number; weather: Weather }

/** Plays a weather on a service of its own, which knows nothing of the one before. */
async function under({ database, emulator, at, weather }: Scene) {
  emulator.clear()
  const names = ['bad', 'good-1', 'good-2'].map((name) => `${name}-${at}`)
  const routes = names.map((name, exit) => {
    return `${emulator.exits[exit]}#name=${name}&ratePerMinute=60000&concurrency=4`
  })
  const service = await startService(
    testConfig({
      DATABASE_URL: database.url,
      PLATFORM_ORIGIN: emulator.origin,
      EGRESS_ROUTES: routes.join(' '),
    }),
  )
  try {
    emulator.apply({ faults: [{ ...weather.rule, identity: BAD_EXIT }] })
    const orders = await Promise.all(
      Array.from({ length: CUSTOMERS }, (_, n) =>
        order(database, service.address ?? '', { at, n, emulator }),
      ),
    )
    const rows: Record<string, number> = {}
    for (const status of orders.flat()) rows[status] = (rows[status] ?? 0) + 1
    return { rows, rests: await restsOf(database, names), asked: emulator.log.counts().byKind }
  } finally {
    await service.close()
    emulator.log.reset()
  }
}

async function order(
  { db }: TestDatabase,
  address: string,
  { at, n, emulator }: { at: number; n: number; emulator: Emulator },
): Promise<string[]> {
  const email = `customer-${at}-${n}@example.org`
  const account = await createAccountWithKey(db, { email, micros: 10_000_000n })
  const customer = new Customer({ address, ...account })
  const job = await customer.startsJob({ urls: idsOf(emulator, n) })
  const ended = await customer.waitsFor(job)
  return (await customer.readsRows(ended)).map(({ status }) => String(status))
}

/** Returns one customer's half of the videos. */
function idsOf({ world }: Emulator, n: number): string[] {
  const list = world.uploads(world.channel('medium'), null)
  const ids = Array.from({ length: 120 }, (_, place) => list.at(place))
    .filter((video) => video.state === 'ok' && video.tracks.length > 0)
    .map(({ videoId }) => videoId)
  const share = ORDERED / CUSTOMERS
  return ids.slice(n * share, (n + 1) * share)
}

/** Returns the names of the routes that rested for every account. */
async function restsOf({ pool }: TestDatabase, names: string[]): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    'select name from egress_route where name = any($1) and rested_at is not null order by name',
    [names],
  )
  const rested = rows.map(({ name }) => name.replace(/-\d+$/, ''))
  return rested.length === 0 ? 'none' : rested.join(', ')
}

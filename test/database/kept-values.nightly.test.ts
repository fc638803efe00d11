/**
 * What a statement was given is free when it is done: small collections take it, not only that of the whole heap. In a
 * process of its own, whose heap is small: in one that has run other files before, V8 kept all of it, whatever held it.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import v8 from 'node:v8'
import vm from 'node:vm'
import { sql } from 'kysely'
import { prepared } from '../../src/kit/postgres/database.ts'
import { openDatabase } from '../../src/store/database.ts'
import { testDatabase } from '../support/database.ts'

const VALUE_BYTES = 40_000
const STATEMENTS = 200
const KEPT_MAX = STATEMENTS / 10
/** What a collection meets under way may lead it to keep what follows: that is chance, and rare. */
const ROUNDS = 10

v8.setFlagsFromString('--expose-gc')
// What is marked meanwhile lives through small collections: V8 marks by itself where it finds time, and in a large heap.
v8.setFlagsFromString('--no-memory-reducer')
const collect = vm.runInNewContext('gc') as (of: { type: 'minor' | 'major' }) => void

test('values of statements that are done are left to small collections', async (t) => {
  const { url } = await testDatabase(t)
  const kept: number[] = []
  for (let round = 0; round < ROUNDS && Math.min(...kept) > KEPT_MAX; round += 1)
    kept.push(await keptOf(url))
  assert.ok(Math.min(...kept) <= KEPT_MAX, `kept of ${STATEMENTS}: ${kept.join(', ')}`)
})

/** Over a connection of its own: what is old and alive of one may lead small collections to keep what hangs on it. */
async function keptOf(url: string): Promise<number> {
  const { db, close } = openDatabase({ url, connectionsMax: 1, name: 'kept-values' })
  const ask = (): Promise<unknown> =>
    sql`${prepared('kept-values')} select length(${Buffer.allocUnsafeSlow(VALUE_BYTES)}::bytea)`.execute(
      db,
    )
  try {
    await askAll(ask) // the code is warm then
    await settle('major')
    const before = process.memoryUsage().arrayBuffers
    await askAll(ask)
    await settle('minor')
    return Math.round((process.memoryUsage().arrayBuffers - before) / VALUE_BYTES)
  } finally {
    await close()
  }
}

async function askAll(ask: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < STATEMENTS; at += 1) await ask()
}

/** What lives through two small ones counts as old; what was collected is freed beside us. */
async function settle(type: 'minor' | 'major'): Promise<void> {
  for (let time = 0; time < 4; time += 1) {
    collect({ type })
    await new Promise((resolve) => setImmediate(resolve))
  }
}

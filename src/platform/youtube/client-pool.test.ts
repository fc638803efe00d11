/** The client pool: retired clients are left alone, refused ones asked last, each for a while. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClientPool } from './client-pool.ts'
import { CLIENT_PROFILES, type ClientProfile } from './clients.ts'

const [CLIENT_REST_MS, REFUSED_REST_MS] = [1000, 100]

function open() {
  let nowMs = 0
  const pool = openClientPool(CLIENT_PROFILES, {
    clock: () => nowMs,
    clientRestMs: CLIENT_REST_MS,
    refusedRestMs: REFUSED_REST_MS,
  })
  return {
    pool,
    order: () => pool.clientsFor('captions').map(({ name }) => name),
    named(name: string): ClientProfile {
      const found = CLIENT_PROFILES.find((profile) => profile.name === name)
      assert.ok(found !== undefined)
      return found
    },
    passes: (ms: number) => void (nowMs += ms),
  }
}

test('a retired client is left alone for its rest, then tried again', () => {
  const { pool, order, named, passes } = open()
  pool.retire(named('VISIONOS'))
  assert.deepEqual([order(), pool.retired()], [['ANDROID', 'IOS'], ['VISIONOS']])
  passes(CLIENT_REST_MS - 1)
  assert.deepEqual(order(), ['ANDROID', 'IOS'])
  passes(1)
  assert.deepEqual([order(), pool.retired()], [['VISIONOS', 'ANDROID', 'IOS'], []])
})

test('where all clients are retired, all are asked: an old version is better than none', () => {
  const { pool, order, named } = open()
  for (const name of ['VISIONOS', 'ANDROID', 'IOS']) pool.retire(named(name))
  assert.deepEqual(order(), ['VISIONOS', 'ANDROID', 'IOS'])
  pool.retire(pool.forLists())
  assert.equal(pool.forLists().name, 'WEB')
})

test('a client that fails five videos in a row that others delivered is asked last, for a while', () => {
  const { pool, order, named, passes } = open()
  const android = named('ANDROID')
  for (let n = 0; n < 4; n += 1) pool.delivered(android, ['VISIONOS'])
  assert.deepEqual(order(), ['VISIONOS', 'ANDROID', 'IOS'])
  pool.delivered(android, ['VISIONOS'])
  assert.deepEqual(order(), ['ANDROID', 'IOS', 'VISIONOS'])
  passes(REFUSED_REST_MS)
  assert.deepEqual(order(), ['VISIONOS', 'ANDROID', 'IOS'])
})

test('one delivery forgives what came before it', () => {
  const { pool, order, named } = open()
  for (let n = 0; n < 4; n += 1) pool.delivered(named('ANDROID'), ['VISIONOS'])
  pool.delivered(named('VISIONOS'), [])
  for (let n = 0; n < 4; n += 1) pool.delivered(named('ANDROID'), ['VISIONOS'])
  assert.deepEqual(order(), ['VISIONOS', 'ANDROID', 'IOS'])
})

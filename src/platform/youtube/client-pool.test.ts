/** The client pool: retired clients are not asked and refused ones are asked last, each for a while. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClientPool } from './client-pool.ts'
import { CLIENT_PROFILES, type ClientProfile, newerOf } from './clients.ts'
import { RETIRED_AT_WEIGHT } from './retirements.ts'

const [CLIENT_REST_MS, REFUSED_REST_MS, CLOSED_FIRST_MS] = [1000, 100, 10]

const NEWEST = CLIENT_PROFILES.filter((each) => newerOf(CLIENT_PROFILES, each) === null)

function open(profiles = NEWEST) {
  let nowMs = 0
  const restored: string[] = []
  const pool = openClientPool(profiles, {
    clock: () => nowMs,
    clientRestMs: CLIENT_REST_MS,
    refusedRestMs: REFUSED_REST_MS,
    closedFirstMs: CLOSED_FIRST_MS,
    onAccepted: ({ name }, { wasRetired }) => void (wasRetired && restored.push(name)),
  })
  const named = (name: string): ClientProfile => {
    const found = CLIENT_PROFILES.find((profile) => profile.name === name)
    assert.ok(found !== undefined)
    return found
  }
  return {
    pool,
    named,
    restored,
    order: () => pool.clientsFor('captions').map(({ name }) => name),
    retired: () => CLIENT_PROFILES.filter(pool.isRetired).map(({ name }) => name),
    refuses: (name: string, subject: string) =>
      pool.refusedVersion(named(name), { subject, weight: RETIRED_AT_WEIGHT / 2 }),
    passes: (ms: number) => void (nowMs += ms),
  }
}

test('older versions stand behind the newest, and count as the only ones once those are retired', () => {
  const { pool, order, refuses } = open([...CLIENT_PROFILES])
  assert.deepEqual(order(), ['VISIONOS', 'ANDROID', 'IOS', 'ANDROID_20', 'IOS_20'])
  pool.askLast('ANDROID')
  assert.deepEqual(order(), ['VISIONOS', 'IOS', 'ANDROID', 'ANDROID_20', 'IOS_20'])
  for (const subject of ['a', 'b']) refuses('ANDROID', subject)
  assert.deepEqual(order(), ['VISIONOS', 'IOS', 'ANDROID_20', 'IOS_20'])
})

test('a client is retired by two different videos, left alone for its rest, then tried again', () => {
  const { pool, order, named, passes, refuses, retired } = open()
  refuses('VISIONOS', 'a')
  refuses('VISIONOS', 'a')
  assert.deepEqual(retired(), [], 'one video, however often, takes no client from the others')
  refuses('VISIONOS', 'b')
  assert.deepEqual([order(), retired()], [['ANDROID', 'IOS'], ['VISIONOS']])
  passes(CLIENT_REST_MS - 1)
  assert.deepEqual(order(), ['ANDROID', 'IOS'])
  passes(1)
  assert.deepEqual([order(), retired()], [['VISIONOS', 'ANDROID', 'IOS'], []])
  refuses('VISIONOS', 'a')
  assert.deepEqual(retired(), ['VISIONOS'], 'the next refusal is enough')
  passes(CLIENT_REST_MS)
  pool.accepted(named('VISIONOS'))
  refuses('VISIONOS', 'c')
  assert.deepEqual(retired(), [], 'an answer forgives what came before it')
})

test('where all clients are retired none is asked, for a rest that doubles', () => {
  const { pool, order, named, passes, refuses, restored } = open()
  const all = ['VISIONOS', 'ANDROID', 'IOS']
  for (const name of all) for (const video of ['a', 'b']) refuses(name, video)
  assert.deepEqual([order(), pool.closedMs('captions')], [[], CLOSED_FIRST_MS])
  assert.equal(pool.closedMs('date_and_lists'), 0)
  passes(CLOSED_FIRST_MS)
  assert.deepEqual([order(), pool.closedMs('captions')], [all, 0])
  for (const name of all) refuses(name, 'c')
  assert.equal(pool.closedMs('captions'), 2 * CLOSED_FIRST_MS)
  passes(2 * CLOSED_FIRST_MS)
  pool.accepted(named('ANDROID'))
  assert.deepEqual(restored, ['ANDROID'])
  assert.deepEqual(order(), all)
})

test('where WEB is retired, lists and dates are asked for as MWEB', () => {
  const { pool, refuses } = open()
  const forLists = (): string[] => pool.clientsFor('date_and_lists').map(({ name }) => name)
  assert.deepEqual(forLists(), ['WEB', 'MWEB'])
  for (const list of ['a', 'b']) refuses('WEB', list)
  assert.deepEqual([forLists(), pool.closedMs('date_and_lists')], [['MWEB'], 0])
  for (const list of ['a', 'b']) refuses('MWEB', list)
  assert.deepEqual([forLists(), pool.closedMs('date_and_lists')], [[], CLOSED_FIRST_MS])
})

test('what a client fails at is counted by itself: one call that works forgives no other', () => {
  const { pool, named } = open()
  for (let n = 0; n < 5; n += 1) {
    pool.delivered(named('WEB'), [], 'resolve_url')
    pool.delivered(named('MWEB'), ['WEB'], 'browse')
  }
  assert.deepEqual(
    pool.clientsFor('date_and_lists').map(({ name }) => name),
    ['MWEB', 'WEB'],
  )
})

test('other profiles take effect at once, and a new version of a retired client is not retired', () => {
  const { pool, order, refuses } = open()
  for (const name of ['VISIONOS', 'IOS']) for (const video of ['a', 'b']) refuses(name, video)
  const changed = NEWEST.map((profile) =>
    profile.name === 'IOS'
      ? { ...profile, context: { ...profile.context, clientVersion: '99.1' } }
      : profile,
  )
  pool.replace(changed)
  assert.deepEqual(order(), ['ANDROID', 'IOS'])
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

test('a client that answers half of its last twenty videos as nobody has seen before is asked last', () => {
  const { pool, order, named, passes } = open()
  const hears = (from: number, to: number, isUnseen: boolean): void => {
    for (let n = from; n < to; n += 1)
      pool.noteAnswer(named('VISIONOS'), { videoId: `video ${n}`, isUnseen })
  }
  for (let again = 0; again < 30; again += 1) hears(0, 1, true)
  assert.deepEqual(order(), ['VISIONOS', 'ANDROID', 'IOS'], 'one video is one voice')
  hears(1, 9, true)
  hears(20, 40, false)
  hears(50, 59, true)
  assert.deepEqual(order(), ['VISIONOS', 'ANDROID', 'IOS'], 'nine of twenty')
  hears(59, 60, true)
  assert.deepEqual(order(), ['ANDROID', 'IOS', 'VISIONOS'])
  passes(REFUSED_REST_MS)
  assert.deepEqual(order(), ['VISIONOS', 'ANDROID', 'IOS'])
})

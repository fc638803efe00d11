/** List cursors: those of other releases, and the visitor ids in them. */
import assert from 'node:assert/strict'
import test from 'node:test'
import type { RouteLease } from '../egress/route-pool.ts'
import { partOf, readCursor, writeCursor } from './list-cursor.ts'
import { carryVisitors, visitorsToCarry } from './newest-visitor.ts'

const STAGE = { playlistId: 'PLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj', channelId: null, tab: null }

function lease(name: string, epoch: number, isPrivate = false): RouteLease {
  const own = { visitorOf: () => 'own' }
  const parts = { route: { name }, epoch, isPrivate, visitors: new Map<string, string>() }
  return { ...parts, limiter: own } as unknown as RouteLease
}

test('a cursor of 2.0.0 is read, and counts nothing as rounded', () => {
  const read1 = { ...partOf(STAGE), token: 'two', counted: 250, listed: 100 }
  const { isCountRounded: _, videos: __, ...part } = read1
  const text = JSON.stringify({ tab: null, parts: [part], ownerName: null, hasBegun: true })
  const read = readCursor(text)
  assert.deepEqual(read.parts, [{ ...part, isCountRounded: false, videos: 100 }])
  assert.equal(read.visitors, undefined)
})

test('visitor ids go on with a list on the route and epoch of theirs only, and in no private lease', () => {
  const before = lease('direct', 3)
  before.visitors.set('WEB', 'given').set('MWEB', 'own')
  const fresh = { tab: null, parts: [partOf(STAGE)], ownerName: null, hasBegun: true }
  const visitors = visitorsToCarry(before)
  assert.deepEqual(visitors, { route: 'direct', epoch: 3, ids: { WEB: 'given' } })
  const cursor = readCursor(writeCursor({ ...fresh, seenVideos: '', visitors }))
  const carriedBy = (to: RouteLease): string[] => {
    carryVisitors(to, cursor.visitors)
    return [...to.visitors.values()]
  }
  assert.deepEqual(carriedBy(lease('direct', 3)), ['given'])
  for (const other of [lease('direct', 4), lease('home', 3), lease('direct', 3, true)])
    assert.deepEqual(carriedBy(other), [])
  const unsafe = { route: 'direct', epoch: 3, ids: { WEB: 'a\r\nb: c' } }
  const to = lease('direct', 3)
  carryVisitors(to, unsafe)
  assert.equal(to.visitors.size, 0)
})

/** A turn: never over before something was committed, at once after it, and long enough before it may be asked for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTurn, TURN_MS, TURN_PAGES } from './turn.ts'

test('a slot that is wanted is given up with the first commit, or at once after one', () => {
  const early = startTurn(() => 0)
  early.giveUp()
  assert.deepEqual([early.isWanted, early.over.aborted], [true, false])
  early.committed('page')
  assert.ok(early.over.aborted)

  const late = startTurn(() => 0)
  late.committed('row')
  assert.equal(late.over.aborted, false)
  late.giveUp()
  assert.ok(late.over.aborted)
})

test('a job had enough after so many pages, or so long, without a delivery', () => {
  let nowMs = 0
  const turn = startTurn(() => nowMs)
  const pages = (count: number): void => {
    for (let n = 0; n < count; n += 1) turn.committed('page')
  }
  pages(TURN_PAGES - 1)
  assert.equal(turn.hasHadEnough(), false)
  pages(1)
  assert.equal(turn.hasHadEnough(), true)
  turn.committed('delivery')
  pages(TURN_PAGES - 1)
  nowMs = TURN_MS - 1
  turn.committed('row')
  assert.deepEqual([turn.hasHadEnough(), turn.undeliveredMs()], [false, nowMs])
  nowMs += 1
  assert.equal(turn.hasHadEnough(), true)
})

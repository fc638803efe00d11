/** Lines of batches: each is told, whether jobs came to it or not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type LineVisit, outcomesOfLines, titlesOfParts, wordsOfLimit } from './batch-lines.ts'
import type { OrderLine } from './order.ts'

const channel = (name: string): OrderLine => ({
  text: `@${name}`,
  source: { kind: 'channel', name: `/@${name}`, tab: null },
})
const [NOTES, LONG] = [channel('notes'), channel('long')]

function visit(given: Partial<LineVisit>): LineVisit {
  const use = { state: 'finished' as const, maxVideos: 500, slotsUsed: 500, truncated: 0 }
  const counts = { listed: 0, rows: 0, taken: 0, delivered: 0, lineTruncated: 0 }
  return { ...use, ...counts, jobId: 'job', line: '@notes', ...UNKNOWN, ...given }
}
const UNKNOWN = { title: null, videos: null, left: null }

const NOTES_READ = [
  visit({ jobId: 'a', listed: 500, rows: 500, taken: 500, delivered: 453, title: 'Daily Notes' }),
  visit({ jobId: 'a', line: '@long' }),
  visit({
    jobId: 'b',
    listed: 200,
    rows: 200,
    taken: 200,
    delivered: 184,
    videos: 1_200,
    left: 500,
  }),
  visit({ jobId: 'b', line: '@long' }),
]

test('a line that no place was left for is not reached, and the one before it is read in part', () => {
  const outcomes = outcomesOfLines([NOTES, LONG], NOTES_READ, false)
  const notes = { line: '@notes', title: 'Daily Notes', videos: 1_200, left: 500 }
  assert.deepEqual(outcomes, [
    { ...notes, state: 'part', taken: 700, delivered: 637 },
    { line: '@long', ...UNKNOWN, state: 'not_reached', taken: 0, delivered: 0 },
  ])
  assert.equal(
    wordsOfLimit(700, outcomes),
    'Limit of 700 videos reached. Not reached: @long. Read in part: Daily Notes. Order the same lines again to get the rest.',
  )
  const running = outcomesOfLines([NOTES, LONG], NOTES_READ, true)
  assert.deepEqual(
    running.map(({ state }) => state),
    ['reading', 'waiting'],
  )
  assert.deepEqual(
    [...titlesOfParts([NOTES, LONG], NOTES_READ).values()],
    ['Daily Notes, videos 1 to 500', 'Daily Notes, videos 501 to 700'],
  )
})

test('a limit that was just enough leaves nothing, and nothing is said', () => {
  const all = [visit({ listed: 40, rows: 40, taken: 40, left: 0 })]
  const outcomes = outcomesOfLines([NOTES], all, false)
  assert.deepEqual([outcomes[0]?.state, wordsOfLimit(40, outcomes)], ['read', null])
})

test('each line has one outcome, and one that nothing was taken of is never read where its job was cut', () => {
  const visits = fc.array(
    fc.record({
      line: fc.constantFrom('@notes', '@long'),
      state: fc.constantFrom('finished', 'failed', 'cancelled', 'interrupted'),
      slotsUsed: fc.constantFrom(0, 499, 500),
      listed: fc.nat({ max: 3 }),
      rows: fc.nat({ max: 3 }),
      left: fc.constantFrom(null, 0, 7),
    }),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(visits, (given) => {
      const made = given.map((one) => visit(one as Partial<LineVisit>))
      const outcomes = outcomesOfLines([NOTES, LONG], made, false)
      assert.deepEqual(
        outcomes.map(({ line }) => line),
        ['@notes', '@long'],
      )
      for (const { line, state } of outcomes) {
        const ofLine = made.filter((one) => one.line === line)
        const last = ofLine.at(-1)
        const isCut = last === undefined || last.state !== 'finished' || last.slotsUsed === 500
        const isSeen = ofLine.some(({ listed, rows }) => listed + rows > 0)
        if (isCut && !isSeen) assert.equal(state, 'not_reached')
        if (!isCut) assert.equal(state, 'read')
      }
    }),
  )
})

/** Several newest-first lists become one: complete, near enough to the exact order, with few dates asked for. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { ListedVideo } from '../platform.ts'
import { CURSOR_CHARS_MAX, type Dated, partOf, readCursor, writeCursor } from './list-cursor.ts'
import { datePage, needsPage, nearMs, takeNewest } from './list-order.ts'
import { noteSeen } from './seen-videos.ts'
import { isSeedFixed } from '../../../test/support/seed.ts'

const NOW = Date.UTC(2026, 10, 20)
const DAY = 86_400_000

const video = (videoId: string): ListedVideo => ({
  videoId,
  title: `Title of ${videoId}`,
  channelName: null,
  publishedText: null,
  isMembersOnly: false,
})
/** Ages in days, ascending as in a newest-first list. */
const ages = fc
  .array(fc.double({ min: 0, max: 4000, noNaN: true }), { maxLength: 120, size: 'max' })
  .map((list) => list.sort((one, other) => one - other))

test('every estimated date is near its true one, whatever the gaps', async () => {
  let interpolated = 0
  await fc.assert(
    fc.asyncProperty(ages, async (days) => {
      const truth = days.map((age) => NOW - age * DAY)
      let asked = 0
      const dated = await datePage(
        days.map((_, at) => video(String(at))),
        async (id) => {
          asked += 1
          return truth[Number(id)] ?? null
        },
        NOW,
      )
      assert.deepEqual(
        dated.map((each) => each.video.videoId),
        days.map((_, at) => String(at)),
      )
      for (const [at, { atMs }] of dated.entries()) {
        const trueMs = truth[at] ?? 0
        assert.ok(
          Math.abs(atMs - trueMs) <= nearMs(Math.min(atMs, trueMs), NOW) + 1,
          `${at}: ${(atMs - trueMs) / DAY} days`,
        )
      }
      assert.ok(asked <= days.length)
      interpolated += days.length - asked
    }),
  )
  if (isSeedFixed) assert.ok(interpolated > 500, `${interpolated} dates were spared`)
})

test('a long even page needs few dates, one whose dates nobody tells needs none', async () => {
  let asked = 0
  const page = Array.from({ length: 100 }, (_, at) => video(String(at)))
  await datePage(
    page,
    async (id) => {
      asked += 1
      return NOW - (1000 + Number(id)) * DAY
    },
    NOW,
  )
  assert.equal(asked, 2, 'a hundred days at an age of three years')
  const dated = await datePage(page, async () => null, NOW)
  assert.deepEqual(
    dated.map(({ atMs }) => atMs),
    page.map(() => NOW),
  )
})

test('words that say the day are not asked about, others are', async () => {
  const words = ['2 hours ago', '1 day ago', '3 days ago', '6 days ago', '6 days ago']
  const page = words.map((publishedText, at): ListedVideo => ({
    ...video(String(at)),
    publishedText,
  }))
  const dated = await datePage(page, async () => assert.fail('asked'), NOW)
  const inDays = dated.map(({ atMs }) => (NOW - atMs) / DAY)
  for (const [at, least] of [0, 1, 3, 6, 6].entries()) {
    const age = inDays[at] ?? 0
    assert.ok(age >= least && age <= least + 1, `${words[at]}: ${age}`)
  }
  assert.ok((inDays[4] ?? 0) > (inDays[3] ?? 0), 'in their order within the day')
  let asked = 0
  await datePage(
    page.map((each) => ({ ...each, publishedText: '1 year ago' })),
    async (id) => {
      asked += 1
      return NOW - (400 + 60 * Number(id)) * DAY
    },
    NOW,
  )
  assert.ok(asked >= 3, `${asked} were asked about`)
})

test('a video without a date is passed over for its neighbour', async () => {
  const page = ['a', 'b', 'c', 'd'].map(video)
  const dates: Record<string, number> = { b: NOW - 10 * DAY, d: NOW - 12 * DAY }
  const dated = await datePage(page, async (id) => dates[id] ?? null, NOW)
  assert.deepEqual(
    dated.map(({ atMs }) => (NOW - atMs) / DAY),
    [10, 10, 11, 12],
  )
})

const parts = fc
  .array(fc.record({ days: ages, isOver: fc.boolean() }), { minLength: 1, maxLength: 4 })
  .map((list) =>
    list.map(({ days, isOver }, at) => ({
      ...partOf({ playlistId: `list ${at}`, channelId: null, tab: null }),
      isOver,
      waiting: days.map((age, place): Dated => ({
        video: video(`${at}/${place}`),
        atMs: NOW - age * DAY,
      })),
    })),
  )

test('what is given out is newest first, and nothing is lost or given out too early', () => {
  fc.assert(
    fc.property(parts, (given) => {
      const { videos, parts: left } = takeNewest(given)
      const instants = new Map(
        given.flatMap(({ waiting }) =>
          waiting.map(({ video: { videoId }, atMs }) => [videoId, atMs]),
        ),
      )
      const out = videos.map(({ videoId }) => instants.get(videoId) ?? 0)
      assert.deepEqual(
        out,
        [...out].sort((one, other) => other - one),
      )
      const rest = left.flatMap(({ waiting }) => waiting)
      assert.ok(rest.every(({ atMs }) => out.every((each) => each >= atMs)))
      assert.equal(videos.length + rest.length, instants.size)
      assert.ok(
        left.some(needsPage) || rest.length === 0,
        'it stops only where a page is to be read',
      )
    }),
  )
})

test('a cursor with the longest titles fits, and reads back what it can', () => {
  const waiting = Array.from({ length: 250 }, (_, at): Dated => ({
    video: { ...video(`id${at}`), title: '💬'.repeat(150) },
    atMs: NOW,
  }))
  const shown = Array.from({ length: 100_000 }, (_, at) => `id${at}`)
  const { record } = noteSeen('', shown)
  assert.ok(record.length <= 11 * 1024, `${record.length}`)
  const cursor = {
    tab: null,
    ownerName: 'x',
    hasBegun: true,
    seenVideos: record,
    parts: [{ ...partOf({ playlistId: 'l', channelId: null, tab: null }), waiting }],
  }
  const text = writeCursor(cursor)
  assert.ok(text.length <= CURSOR_CHARS_MAX, `${text.length}`)
  assert.deepEqual(
    readCursor(text).parts[0]?.waiting.map((each) => each.video.videoId),
    waiting.map((each) => each.video.videoId),
  )
  const short = { ...cursor, parts: [{ ...cursor.parts[0]!, waiting: waiting.slice(0, 20) }] }
  assert.deepEqual(readCursor(writeCursor(short)), short)
  assert.throws(() => readCursor('{"stages":[]}'), /not made by this program/)
})

test('a cursor of the release before goes on, and has shown nothing yet', () => {
  const stage = { playlistId: 'l', channelId: null, tab: null }
  const part = { stage, token: 't', seen: 'abcdef', empty: 2, isOver: false, waiting: [] }
  const text = JSON.stringify({ tab: null, parts: [part], ownerName: null, hasBegun: true })
  const { parts, seenVideos } = readCursor(text)
  const [{ token, seen, idle, listed, counted, end } = partOf(stage)] = parts
  assert.deepEqual([seenVideos, token, seen], ['', 't', 'abcdef'])
  assert.deepEqual([idle, listed, counted, end], [0, 0, null, null])
})

test('a record of shown videos knows each of them, and takes hardly a new one for one of them', () => {
  const ids = (from: number, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `video${from + at}`)
  const first = noteSeen('', ids(0, 100))
  assert.equal(first.fresh, 100)
  assert.ok(first.record.length < 700, `${first.record.length}`)
  assert.deepEqual(noteSeen(first.record, ids(0, 100)), { record: first.record, fresh: 0 })
  assert.equal(noteSeen(first.record, ids(100, 100)).fresh, 100)
  const many = noteSeen('', ids(0, 100_000)).record
  assert.ok(noteSeen(many, ids(100_000, 100)).fresh > 5)
})

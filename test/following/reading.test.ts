/** Reading a followed list from a platform that keeps it waiting. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pool } from 'pg'
import type { Counted, ListEnd, ListPage, OfferAnswer } from '../../src/platform/platform.ts'
import type { ClaimedLook } from '../../src/store/subscriptions.ts'
import { LOOK_READ_MS, readFollowedList } from '../../src/worker/look-at-subscriptions.ts'
import { openSharedLists } from '../../src/worker/shared-lists.ts'
import { testDatabase } from '../support/database.ts'
import { testWorkerContext } from '../support/worker-context.ts'
import { openAccount } from '../support/money-fixtures.ts'
import { LOOK_LEASE_SECONDS } from '../../src/features/follow/looks.ts'

test('a list that is not read within its time is a failed look, before another one may be made', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await openAccount(db, 80_000n)
  const platform = { onBehalfOf: () => ({ ...NOT_ASKED, listPage: silence }) }
  const parts = { ctx: testWorkerContext(db, { platform }), lists: openSharedLists() }
  const look = { ...LOOK, accountId }
  const { signal } = new AbortController()
  assert.deepEqual(await readFollowedList(parts, look, signal, 20), { kind: 'failed' })
  const stopped = AbortSignal.abort(new Error('the process is to stop'))
  await assert.rejects(readFollowedList(parts, look, stopped), /is to stop/)
  assert.ok(LOOK_READ_MS < LOOK_LEASE_SECONDS * 1000)
})

test('a list that the platform cuts short is not taken for whole', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await openAccount(db, 80_000n)
  const page: ListPage = { ...LISTED, videos: [VIDEO] }
  const end: ListEnd = { kind: 'cut', listed: 100, counted: 350 }
  for (const [answer, isComplete] of [
    [page, true],
    [{ ...page, end }, false],
  ] as const) {
    const platform = {
      onBehalfOf: () => ({ ...NOT_ASKED, listPage: () => Promise.resolve(answer) }),
    }
    const parts = { ctx: testWorkerContext(db, { platform }), lists: openSharedLists() }
    const { signal } = new AbortController()
    const read = await readFollowedList(parts, { ...LOOK, accountId }, signal)
    assert.equal(read.kind === 'list' && read.list.isComplete, isComplete)
  }
})

test('a page that the platform denied is asked for again, though others of its list are read from a copy', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await openAccount(db, 80_000n)
  const end: ListEnd = { kind: 'cut', listed: 1, counted: 2 }
  const rest = [{ ...LISTED, end }, LISTED]
  const asked: (string | null)[] = []
  const listPage = ({ cursor }: { cursor: string | null }): Promise<ListPage> => {
    asked.push(cursor)
    if (cursor === null) return Promise.resolve({ ...LISTED, videos: [VIDEO], next: 'second' })
    if (cursor === 'second') return Promise.resolve({ ...LISTED, next: 'third' })
    return Promise.resolve(rest.shift() ?? LISTED)
  }
  const platform = { onBehalfOf: () => ({ ...NOT_ASKED, listPage }) }
  const parts = { ctx: testWorkerContext(db, { platform }), lists: openSharedLists() }
  const line = `https://www.youtube.com/channel/UC${'0'.repeat(22)}`
  const areComplete: boolean[] = []
  for (let look = 1; look <= 3; look += 1) {
    const { signal } = new AbortController()
    const read = await readFollowedList(parts, { ...LOOK, accountId, line, known: [] }, signal)
    assert.ok(read.kind === 'list', read.kind)
    areComplete.push(read.list.isComplete)
  }
  assert.deepEqual(areComplete, [false, true, true])
  assert.deepEqual(asked, [null, 'second', 'third', null, 'third', null])
})

test('questions about refused videos that find no answer in time lose nothing of the list', async (t) => {
  const { db, pool } = await testDatabase(t)
  const accountId = await openAccount(db, 80_000n)
  const id = await followsRefused(pool, accountId, ['dQw4w9WgXcQ', 'video000001'])
  const listPage = () => Promise.resolve(LISTED)
  const platform = { onBehalfOf: () => ({ ...NOT_ASKED, listPage }) }
  const parts = { ctx: testWorkerContext(db, { platform }), lists: openSharedLists() }
  const look = { ...LOOK, ...REFUSED, id, accountId }
  const read = await readFollowedList(parts, look, new AbortController().signal, 2_000)
  assert.ok(read.kind === 'list', read.kind)
  const { answers, isMore } = read.asked
  assert.deepEqual(
    [...answers],
    [['dQw4w9WgXcQ', { status: 'failed', reason: null, startsAt: null }]],
  )
  assert.ok(isMore, 'the other one is asked for soon')
})

test('questions about refused videos use half of the free calls of a day at most', async (t) => {
  const { db, pool } = await testDatabase(t)
  const accountId = await openAccount(db, 0n)
  const videoIds = Array.from({ length: 30 }, (_, at) => `video${String(at).padStart(6, '0')}`)
  const id = await followsRefused(pool, accountId, videoIds)
  let asked = 0
  const askOffer = ({ onCall }: Counted): Promise<OfferAnswer> => {
    asked += 1
    onCall?.()
    const refusal = { reason: 'private' as const, text: null }
    return Promise.resolve({ kind: 'refused', refusal, startsAt: null })
  }
  const listPage = () => Promise.resolve(LISTED)
  const platform = { onBehalfOf: () => ({ ...NOT_ASKED, listPage, askOffer }) }
  const allowance = { callsPerDay: 20, callsPerUsd: 0 }
  const parts = { ctx: testWorkerContext(db, { platform, allowance }), lists: openSharedLists() }
  const look = { ...LOOK, ...REFUSED, id, accountId }
  const { signal } = new AbortController()
  let isMore = true
  for (let looks = 0; isMore; looks += 1) {
    assert.ok(looks < 5, 'no look comes early that could ask for nothing')
    const read = await readFollowedList(parts, look, signal)
    isMore = read.kind === 'list' && read.asked.isMore
  }
  assert.ok(asked > 0 && asked <= 10, `${asked} questions`)
  assert.equal((await readFollowedList(parts, look, signal)).kind, 'list')
})

/** Follows the list with videos that a job had in vain and that are due; returns the subscription's id. */
async function followsRefused(pool: Pool, accountId: string, videoIds: string[]): Promise<string> {
  const id = 'sub_refused'
  await pool.query(
    `insert into subscription (id, account_id, line, url_set_hash, language, formats, backlog, cap_micros)
    values ($1, $2, $3, 'h', 'original', '{txt}', 0, 80000)`,
    [id, accountId, LOOK.line],
  )
  await pool.query(
    `insert into subscription_video (subscription_id, video_id, number, found_at, due_at, young_until, tries)
    select $1, v, n, now(), now() - interval '1 hour', now(), 1 from unnest($2::text[]) with ordinality as l (v, n)`,
    [id, videoIds],
  )
  return id
}

/** A platform that never answers. */
function silence(_: unknown, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

const VIDEO = {
  videoId: 'dQw4w9WgXcQ',
  title: null,
  channelName: null,
  publishedText: null,
  isMembersOnly: false,
}

const REFUSED = { availableMicros: 80_000n, hasVideos: true }

const LISTED: ListPage = { kind: 'page', videos: [], next: null, isEstimated: false, about: null }

const NOT_ASKED = {
  fetchVideo: silence,
  askOffer: silence,
  fetchPublishedAt: silence,
  findChannel: silence,
}

const LOOK: ClaimedLook = {
  id: 'sub_1',
  look: 1,
  accountId: '',
  state: 'active',
  since: new Date(0),
  backlog: 0,
  known: null,
  foundAt: [],
  everyHours: null,
  failures: 0,
  missing: 0,
  line: 'https://www.youtube.com/playlist?list=PL0123456789abcdef',
  urlSetHash: '',
  skipsOwned: true,
  language: 'original',
  formats: [],
  source: null,
  afterAt: null,
  afterDay: null,
  now: new Date(),
  availableMicros: 0n,
  capMicros: 8_000n,
  chargedMicros: 0n,
  hasVideos: false,
}

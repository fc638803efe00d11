/** Reading a followed list from a platform that keeps it waiting. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListEnd, ListPage } from '../../src/platform/platform.ts'
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
  const video = { title: null, channelName: null, publishedText: null, isMembersOnly: false }
  const page: ListPage = {
    kind: 'page',
    videos: [{ ...video, videoId: 'dQw4w9WgXcQ' }],
    next: null,
    isEstimated: false,
    about: null,
  }
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

/** A platform that never answers. */
function silence(_: unknown, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

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
  now: new Date(),
  availableMicros: 0n,
  capMicros: 8_000n,
  chargedMicros: 0n,
  hasVideos: false,
}

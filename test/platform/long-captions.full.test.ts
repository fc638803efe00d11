/** Captions too long for the main thread: the same words, and a thread that runs out costs only its video. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import { truthOfVideo } from '../../emulator/truth.ts'
import type { PlatformLimits } from '../../src/platform/limits.ts'
import type { VideoAnswer } from '../../src/platform/platform.ts'
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { type StoredTranscript, storeTranscript } from '../../src/model/files/transcript-forms.ts'
import { segmentsOf } from '../support/segments-of.ts'
import { nearPlatform, NEVER } from './near-platform.ts'

const EVENTS = {
  head: '{"wireMagic":"pb3","events":[',
  pump: '{"tStartMs":%n,"segs":[{"utf8":"a"}]},',
  tail: '0]}',
}
const MEGABYTE = 1024 * 1024

function madeUp(bytes: number, rule: Partial<FaultRule> = {}): FaultRule {
  return { do: 'made_up', on: 'timedtext', ...EVENTS, bytes, ...rule }
}

test('long captions come out as short ones do, form by form and byte by byte', async (t) => {
  const [long, short] = [
    await nearPlatform(t),
    await nearPlatform(t, {}, { limits: { captionsHereBytesMax: 16 * MEGABYTE } }),
  ]
  const { videoId } = long.emulator.world.special('eleven-hours')
  const [one, other] = [await long.fetch(videoId), await short.fetch(videoId)]
  assert.ok(one.kind === 'fetched' && other.kind === 'fetched')
  assert.ok(
    'stored' in one.transcript && !('stored' in other.transcript),
    'only the one was read in a thread',
  )
  const [track] = truthOfVideo(
    long.emulator.world,
    long.emulator.world.special('eleven-hours'),
  ).tracks
  assert.deepEqual(segmentsOf(one.transcript), track?.segments)
  const sorted = ({ recorded, ...rest }: StoredTranscript) => ({
    ...rest,
    recorded: recorded.toSorted((a, b) => (a.form < b.form ? -1 : 1)),
  })
  for (const formats of [FORMATS, ['srt'] as const]) {
    const stored: StoredTranscript = await storeTranscript(one.transcript, formats)
    const expected: StoredTranscript = await storeTranscript(other.transcript, formats)
    assert.deepEqual(sorted(stored), sorted(expected))
  }
})

const CASES: [name: string, rule: FaultRule, limits: Partial<PlatformLimits>, said: RegExp][] = [
  [
    'more time than it may',
    madeUp(8 * MEGABYTE),
    { captionThreadMs: 50 },
    /took longer to read than we allow/,
  ],
  [
    'more memory than it may',
    madeUp(8 * MEGABYTE),
    { captionThreadHeapMb: 12 },
    /could not be read with the memory that we allow/,
  ],
  ['more cues than it may', madeUp(MEGABYTE), { cuesMax: 10_000 }, /larger than we accept/],
  [
    'more bytes than it may',
    madeUp(2 * MEGABYTE),
    { captionsBytesMax: MEGABYTE },
    /larger than we accept/,
  ],
]

for (const [name, rule, limits, said] of CASES) {
  test(`a track that takes ${name} fails alone, whatever is read after it`, async (t) => {
    const near = await nearPlatform(t, {}, { limits })
    const { videoId } = near.emulator.world.special('both')
    near.emulator.apply({ faults: [rule] })
    for (const answer of await Promise.all([1, 2, 3].map(() => near.fetch(videoId)))) {
      assert.ok(
        answer.kind === 'obstructed' && answer.obstacle.kind === 'failed',
        JSON.stringify(answer).slice(0, 200),
      )
      assert.match(answer.obstacle.text, said)
    }
    near.emulator.clear()
    assert.equal((await near.fetch(videoId)).kind, 'fetched')
  })
}

test('a page in place of long captions is a block, and no words are withheld words', async (t) => {
  const near = await nearPlatform(t)
  const { videoId } = near.emulator.world.special('both')
  const served: [Partial<FaultRule>, string][] = [
    [{ head: '<!DOCTYPE html><html><div class="g-recaptcha">', pump: '<p>', tail: '' }, 'blocked'],
    [{ head: '', pump: ' ', tail: '' }, 'blocked'],
    [{ head: '{"wireMagic":"pb3","events":[', pump: '{},', tail: '0]}' }, 'blocked'],
    [{ pump: '{"tStartMs":1,"segs":[{"utf8":"\u200e \u2800\u2060"}]},' }, 'blocked'],
    [
      { head: '<timedtext><body>', pump: '<p t="1" d="9">\u200e</p>', tail: '</body></timedtext>' },
      'blocked',
    ],
    [
      { head: '<transcript>', pump: '<text start="1">&amp;#x200e;</text>', tail: '</transcript>' },
      'blocked',
    ],
    [{ head: 'WEBVTT', pump: '\n', tail: '' }, 'failed'],
  ]
  for (const [rule, kind] of served) {
    near.emulator.apply({ faults: [madeUp(400_000, rule)] })
    assert.equal(kindOf(await near.fetch(videoId)), kind, JSON.stringify(rule))
  }
})

test('who waits for a thread, or for what it reads, can be told to stop', async (t) => {
  const near = await nearPlatform(t, {}, { limits: { captionThreadsMax: 1 } })
  near.emulator.apply({ faults: [madeUp(8 * MEGABYTE)] })
  const reason = new Error('the job was cancelled')
  const stop = new AbortController()
  const { videoId } = near.emulator.world.special('both')
  const asked = [1, 2, 3].map(() =>
    near.platform.fetchVideo({ videoId, language: 'original', wantsDate: false }, stop.signal),
  )
  while (near.requests.filter(({ call }) => call === 'timedtext').length < asked.length)
    await new Promise(setImmediate)
  stop.abort(reason)
  await Promise.all(asked.map((each) => assert.rejects(each, reason)))
  near.emulator.clear()
  assert.equal(
    (await near.platform.fetchVideo({ videoId, language: 'original', wantsDate: false }, NEVER))
      .kind,
    'fetched',
  )
})

function kindOf(answer: VideoAnswer): string {
  return answer.kind === 'obstructed' ? answer.obstacle.kind : answer.kind
}

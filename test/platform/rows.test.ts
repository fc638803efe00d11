/** Every row of the Caption Laboratory: what the platform means is what the client says. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { type TruthVideo, truthOf } from '../../emulator/truth.ts'
import type { VideoAnswer } from '../../src/platform/platform.ts'
import type { RefusalReason } from '../../src/model/platform/refusal.ts'
import { nearPlatform } from './near-platform.ts'
import { segmentsOf } from '../support/segments-of.ts'

const ROW_STATUS: Record<RefusalReason, TruthVideo['status']> = {
  no_captions: 'no_captions',
  live_now: 'no_captions',
  processing: 'no_captions',
  language_not_available: 'language_not_available',
  private: 'private',
  not_found: 'unavailable',
  removed: 'unavailable',
  replaced: 'unavailable',
  age_restricted: 'unavailable',
  members_only: 'unavailable',
  paid: 'unavailable',
  region_blocked: 'unavailable',
  upcoming: 'unavailable',
}

function statusOf(answer: VideoAnswer): string {
  switch (answer.kind) {
    case 'fetched':
      return 'success'
    case 'refused':
      return ROW_STATUS[answer.refusal.reason]
    case 'obstructed':
      return answer.obstacle.kind === 'blocked' ? 'blocked_suspect' : 'failed'
    default:
      return answer satisfies never
  }
}

for (const knobs of [
  {},
  { web: 'reload' },
  { geminiJson3: 'empty' },
  { geminiJson3: 'html' },
] as const) {
  test(`every video of the laboratory gets its right row, words and date (${JSON.stringify(knobs)})`, async (t) => {
    const { emulator, fetch } = await nearPlatform(t, { knobs })
    const lab = emulator.world.channel('lab')
    let successes = 0
    for (let upload = 0; upload < emulator.world.total(lab); upload += 1) {
      const { videoId } = emulator.world.upload(lab, upload)
      const [truth] = truthOf(emulator.world, { video: videoId }).videos
      assert.ok(truth !== undefined)
      const answer = await fetch(videoId, 'original', true)
      const label = `${truth.note}: ${JSON.stringify(answer).slice(0, 300)}`
      assert.equal(statusOf(answer), truth.status, label)
      if (answer.kind !== 'fetched') continue
      successes += 1
      const { languageCode, trackKind } = answer.transcript
      const track = truth.tracks.find((each) => {
        return each.languageCode === languageCode && each.kind === trackKind && each.original
      })
      assert.ok(track !== undefined, label)
      assert.deepEqual(segmentsOf(answer.transcript), track.segments, truth.note ?? '')
      // The title lacks a zero character alone, which no database text can hold.
      assert.equal(answer.facts.title, truth.title.replaceAll('\0', ''))
      assert.equal(answer.facts.channelName, truth.channelName)
      assert.equal(Date.parse(answer.facts.publishedAt ?? ''), Date.parse(truth.publishedAt ?? ''))
      assert.equal(answer.isFallback, videoId === emulator.world.special('untold').videoId, label)
    }
    assert.ok(successes > 40, `${successes} successes`)
  })
}

const REASONS: [string, RefusalReason][] = [
  ['private', 'private'],
  ['deleted', 'not_found'],
  ['removed', 'removed'],
  ['violating', 'removed'],
  ['terminated', 'removed'],
  ['age', 'age_restricted'],
  ['age-confirm', 'age_restricted'],
  ['age-check', 'age_restricted'],
  ['age-verification', 'age_restricted'],
  ['members', 'members_only'],
  ['members-join', 'members_only'],
  ['premium', 'paid'],
  ['paid', 'paid'],
  ['region', 'region_blocked'],
  ['upcoming-live', 'upcoming'],
  ['upcoming-premiere', 'upcoming'],
  ['live-now', 'live_now'],
  ['just-ended', 'processing'],
  ['no-captions', 'no_captions'],
  ['no-original', 'language_not_available'],
]

test('a refused video is refused for the reason that the platform named, with its words', async (t) => {
  const { emulator, fetch } = await nearPlatform(t)
  for (const [key, reason] of REASONS) {
    const answer = await fetch(emulator.world.special(key).videoId)
    assert.equal(answer.kind, 'refused', key)
    if (answer.kind === 'refused') assert.equal(answer.refusal.reason, reason, key)
  }
})

test('a sentence that nobody knows is an obstacle that keeps it, never a verdict', async (t) => {
  const { emulator, fetch } = await nearPlatform(t)
  const answer = await fetch(emulator.world.special('odd-reason').videoId)
  assert.equal(answer.kind, 'obstructed')
  if (answer.kind !== 'obstructed') return
  assert.equal(answer.obstacle.kind, 'failed')
  assert.match(answer.obstacle.text, /“.+”/)
})

const WISHES: [string, string, string, 'manual' | 'asr', boolean][] = [
  // each line: video, wish, delivered language, kind, fallback
  ['both', 'en', 'en', 'manual', false],
  ['both', 'en-GB', 'en', 'manual', false],
  ['both', 'fr', 'en', 'manual', true],
  ['regions', 'en-GB', 'en-GB', 'manual', false],
  ['regions', 'en', 'en-GB', 'manual', false],
  ['dubs', 'original', 'ja', 'asr', false],
  ['dubs', 'es', 'es', 'manual', false],
  ['translated', 'original', 'de', 'manual', false],
  ['translated', 'fr', 'fr', 'manual', false],
  ['one-region', 'pt', 'pt-BR', 'manual', false],
  ['hebrew', 'he', 'iw', 'manual', false],
  ['no-original', 'fr', 'fr', 'manual', false],
  ['two-regions', 'original', 'en', 'manual', false],
  ['recognised-regions', 'original', 'en', 'asr', false],
  ['recognised-regions', 'de', 'en', 'asr', true],
  ['no-speech', 'original', 'en', 'asr', false],
  ['foreign-sound', 'original', 'en', 'asr', false],
  ['untold', 'original', 'de', 'manual', true],
  ['mandarin-sound', 'original', 'zh-Hans', 'manual', false],
  ['no-language', 'original', 'en', 'manual', false],
  ['other-script', 'zh-TW', 'zh-Hans', 'manual', true],
  ['hidden-original', 'original', 'ja', 'manual', false],
  ['other-script', 'original', 'en', 'asr', false],
]

test('the wished language is delivered, else the original one, and the transcript says which', async (t) => {
  const { emulator, fetch } = await nearPlatform(t)
  for (const [key, language, languageCode, trackKind, isFallback] of WISHES) {
    const answer = await fetch(emulator.world.special(key).videoId, language)
    assert.equal(answer.kind, 'fetched', `${key} in ${language}`)
    if (answer.kind !== 'fetched') continue
    const { transcript } = answer
    const got = [transcript.languageCode, transcript.trackKind, answer.isFallback]
    assert.deepEqual(got, [languageCode, trackKind, isFallback], `${key} in ${language}`)
  }
})

/** Tracks that are hardly captions, told apart from all usual ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oddityOf, type TrackOddity } from './odd-track.ts'

const cues = (...lengths: number[]) => lengths.map((length) => ({ text: 'x'.repeat(length) }))
const usual = cues(...Array.from({ length: 40 }, () => 42))

/** What it is about, name of the track, its cues, oddity. */
const TABLE: [string, string | null, { text: string }[], TrackOddity | null][] = [
  ['usual cues', 'English', usual, null],
  ['a talk in one cue', null, cues(9_000), 'one_cue'],
  ['a talk in three cues', null, cues(4_000, 30, 5_000), 'long_cues'],
  ['one short cue, as a Short has', null, cues(80), null],
  ['no cue', null, [], null],
  ['usual cues and credits in one', 'English', [...usual, ...cues(700)], null],
  ['paragraphs of half a minute', 'English', cues(400, 450, 420), null],
  ['a chat', 'English - Twitch Chat', usual, 'chat'],
  ['in small letters', 'English - twitch chat', usual, 'chat'],
  ['another chat', 'Deutsch - Live-Chat', usual, 'chat'],
  ['a chat in one cue', 'English (Live chat replay)', cues(9_000), 'chat'],
  ['a chat alone', 'English - Chat', usual, 'chat'],
  ['a French cat', 'French - Le chat noir', usual, null],
  ['a talk about chats', 'English - Chatting with chatbots', usual, null],
  ['a château', 'French - Chateau', usual, null],
]

test('a creator’s track is odd by its cues or its name, and an automatic one never', () => {
  for (const [about, name, segments, oddity] of TABLE) {
    assert.equal(oddityOf({ kind: 'manual', name }, segments), oddity, about)
    assert.equal(oddityOf({ kind: 'asr', name }, segments), null, about)
  }
})

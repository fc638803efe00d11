/** Tracks that are hardly captions: their rows say so, no usual track is among them, and `track=asr` is a way out. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linesOf } from '../../emulator/captions.ts'
import { SPECIALS } from '../../emulator/special-videos.ts'
import { segmentsOf } from '../../emulator/truth.ts'
import { oddityOf } from '../../src/model/transcripts/odd-track.ts'
import { sharedService } from '../support/shared-service.ts'

const { platform, customer } = await sharedService({ after })
const { world } = platform
const LABELS = {
  'one-cue': /one single cue/,
  paragraphs: /very long cues/,
  chat: /named a chat/,
}
type Key = keyof typeof LABELS
const KEYS = Object.keys(LABELS) as Key[]
const ID_OF = new Map(KEYS.map((key) => [key, world.special(key).videoId]))

test('of the tracks of all kinds of videos no other one is odd', () => {
  const uploads = world.uploads(world.channel('medium'), null)
  const usual = Array.from({ length: 100 }, (_, at) => uploads.at(at))
  const special = SPECIALS.filter(({ key }) => key !== 'eleven-hours').map(({ key }) =>
    world.special(key),
  )
  const odd = [...special, ...usual].flatMap((video) =>
    video.tracks.flatMap((track) => {
      const segments = segmentsOf(linesOf(world.seed, video, track), track.kind)
      return oddityOf(track, segments) === null ? [] : [video.videoId]
    }),
  )
  assert.deepEqual(odd.sort(), [...ID_OF.values()].sort())
})

test('a row says how its track is odd, and track=asr brings the automatic one where there is one', async () => {
  const urls = [...ID_OF.values(), world.special('manual').videoId]
  const { rows } = await (await customer('1')).orders({ urls })
  const labelOf = (id: string | undefined): string =>
    rows.find(({ videoId }) => videoId === id)?.['label'] ?? ''
  for (const key of KEYS) assert.match(labelOf(ID_OF.get(key)), LABELS[key])
  assert.equal(labelOf(urls.at(-1)), 'Delivered')

  const buyer = await customer('1')
  const body = { urls: [ID_OF.get('one-cue'), ID_OF.get('chat')] }
  const { body: job } = await buyer.asks('POST', '/jobs?track=asr', { body })
  const instead = await buyer.readsRows(await buyer.waitsFor(job))
  assert.deepEqual(
    instead.map(({ label, trackKind }) => [label, trackKind]),
    [
      ['Delivered', 'asr'],
      ['Delivered', 'asr'],
    ],
  )
})

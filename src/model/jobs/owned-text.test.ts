/** Texts that an account owns, and the one among them that meets an order's wish. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRACK_KINDS } from '../transcripts/transcript.ts'
import { findMeeting, type OwnedText } from './owned-text.ts'

const text = (languageCode: string, day: number, wishedLanguage = 'original'): OwnedText => ({
  jobId: `${languageCode}-${day}`,
  index: 1,
  languageCode,
  trackKind: 'manual',
  wishedLanguage,
  wishedTrack: null,
  deliveredAt: new Date(Date.UTC(2026, 0, day)),
})
const jobFor = (wish: string, ...texts: OwnedText[]): string | undefined =>
  findMeeting(texts, { language: wish, wishedTrack: null })?.jobId

test('any language is the original one, and of several texts the first delivered counts', () => {
  assert.equal(jobFor('original', text('en', 3), text('fr', 2), text('de', 4)), 'fr-2')
  assert.equal(jobFor('ORIGINAL', text('en', 3)), 'en-3')
  assert.equal(jobFor('original'), undefined)
})

test('a code is met by itself and by its regions in the same script, as captions are chosen', () => {
  const meets = (wish: string, own: string): boolean => jobFor(wish, text(own, 1)) !== undefined
  assert.deepEqual(
    [
      ['en', 'en'],
      ['en', 'en-US'],
      ['pt-BR', 'pt'],
      ['he', 'iw'],
      ['zh-TW', 'zh-Hant'],
    ].map(([wish = '', own = '']) => meets(wish, own)),
    [true, true, true, true, true],
  )
  assert.deepEqual(
    [
      ['en', 'fr'],
      ['zh-TW', 'zh-Hans'],
      ['fr', 'original'],
    ].map(([wish = '', own = '']) => meets(wish, own)),
    [false, false, false],
  )
})

test('what the same wish was given in another language is all that there was', () => {
  assert.equal(jobFor('fr', text('en', 1, 'fr')), 'en-1')
  assert.equal(jobFor('fr', text('en', 1, 'de')), undefined)
  assert.equal(jobFor('zh-HK', text('zh-Hans', 1, 'zh-TW')), 'zh-Hans-1')
  assert.equal(jobFor('zh-CN', text('zh-Hant', 1, 'zh-TW')), undefined)
  assert.equal(jobFor('he', text('en', 1, 'iw')), 'en-1')
})

const KINDS = [null, ...TRACK_KINDS]

test('a text meets a wish of a kind by its own kind, by the same wish, or as the one that came', () => {
  for (const trackKind of TRACK_KINDS)
    for (const wishedTrack of KINDS)
      for (const wish of KINDS)
        for (const code of ['en', 'fr', null]) {
          const own = { ...text('en', 1), trackKind, wishedTrack }
          const ofKind = wish === null || [trackKind, wishedTrack].includes(wish)
          for (const language of ['en', 'original', 'de']) {
            const wished = { language, wishedTrack: wish }
            const about = JSON.stringify({ own, wished, code })
            const meets = ofKind && language !== 'de'
            assert.equal(findMeeting([own], wished) !== null, meets, about)
            for (const kind of TRACK_KINDS) {
              const isIt = wish !== null && code === 'en' && kind === trackKind
              const came = { languageCode: code, trackKind: kind }
              assert.equal(findMeeting([own], wished, came) !== null, meets || isIt, about)
            }
          }
        }
})

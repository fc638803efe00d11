/** The track that answers a wish: every case of the language rules, as a table. */
import assert from 'node:assert/strict'
import test from 'node:test'
import {
  type CaptionTrack,
  chooseTrack,
  originalLanguage,
  type TrackList,
} from './caption-track.ts'
import { TRACK_KINDS } from './transcript.ts'

/** Returns a list of tracks: `en` is manual, `a.en` automatic, `en/x` a manual track with a name of its own. */
function list(
  codes: string,
  {
    original = null,
    shown = null,
    standard = null,
  }: { original?: string | null; shown?: string | null; standard?: string | null } = {},
): TrackList {
  const tracks = codes
    .split(' ')
    .filter((code) => code !== '')
    .map(track)
  const defaultTrack =
    standard === null ? null : (tracks.find((each) => each.baseUrl === standard) ?? null)
  return { tracks, originalAudio: original, shownAudio: shown, defaultTrack }
}

function track(code: string): CaptionTrack {
  const [language = '', name] = code.replace(/^a\./, '').split('/')
  return {
    languageCode: language,
    kind: code.startsWith('a.') ? 'asr' : 'manual',
    baseUrl: code,
    name: null,
    isTranslatable: true,
    isPlain: name === undefined,
  }
}

const TABLE: [string, TrackList, string, string][] = [
  // what it is about, tracks, wish, track chosen (? = fallback, - = none)
  ['exact manual before its automatic twin', list('a.en en'), 'en', 'en'],
  ['manual of another region before the automatic one', list('a.en en-GB'), 'en', 'en-GB'],
  ['exact region before the base', list('en en-GB en-US a.en'), 'en-GB', 'en-GB'],
  ['the base before another region', list('en-US en a.en'), 'en-AU', 'en'],
  ['another region where nothing else is', list('pt-PT'), 'pt-BR', 'pt-PT'],
  ['automatic where there is no manual one', list('de a.en'), 'en', 'a.en'],
  ['automatic of another region last', list('a.en-GB de'), 'en', 'a.en-GB'],
  ['codes in any case', list('zh-Hant a.ja'), 'ZH-hant', 'zh-Hant'],
  ['Hebrew by its new code', list('iw a.en'), 'he', 'iw'],
  ['Indonesian by its old code', list('id'), 'in', 'id'],
  ['Filipino by its old code', list('fil a.en'), 'tl', 'fil'],
  ['Taiwanese by its script', list('zh zh-CN zh-Hans zh-Hant'), 'zh-TW', 'zh-Hant'],
  ['Hong Kong by its script', list('zh-Hans zh-TW'), 'zh-HK', 'zh-TW'],
  ['the mainland by its script', list('zh-TW zh-Hant zh-Hans'), 'zh-CN', 'zh-Hans'],
  ['Serbian by its script', list('sr-Cyrl sr-Latn'), 'sr-Latn-RS', 'sr-Latn'],
  ['the other script where nothing else is', list('zh-Hans a.en'), 'zh-TW', '?zh-Hans'],
  ['a code that no locale has', list('en-GB a.de'), 'en-abcdefgh-12', 'en-GB'],
  ['the plain one of several', list('en/commentary en en/sdh'), 'en', 'en'],
  ['the first of several named ones', list('en/commentary en/sdh'), 'en', 'en/commentary'],
  ['the original where the wish has no track', list('en a.de de'), 'fr', '?de'],
  ['the original by its automatic track', list('en a.de'), 'fr', '?a.de'],
  ['original asked: manual before automatic', list('a.en en fr'), 'original', 'en'],
  [
    'original asked: the original sound decides',
    list('en fr a.fr', { original: 'en' }),
    'original',
    'en',
  ],
  [
    'an automatic track of a foreign song does not',
    list('en en-GB a.ja', { original: 'en' }),
    'original',
    'en',
  ],
  ['original by the default track', list('en fr', { standard: 'fr' }), 'original', 'fr'],
  [
    'the automatic track before the default one',
    list('en a.fr', { standard: 'en' }),
    'original',
    'a.fr',
  ],
  ['the automatic track before a dub', list('ar en a.en', { shown: 'ar' }), 'original', 'en'],
  [
    'the automatic track before a dub without a track',
    list('fr en a.en', { shown: 'ar', standard: 'fr' }),
    'original',
    'en',
  ],
  ['the sound where no automatic track tells', list('ar en', { shown: 'en' }), 'original', 'en'],
  [
    'the sound where several automatic tracks tell nothing',
    list('a.ar a.en', { shown: 'en', standard: 'a.ar' }),
    'original',
    'a.en',
  ],
  [
    'the default track before a dub without a track',
    list('fr en', { shown: 'ar', standard: 'fr' }),
    'original',
    'fr',
  ],
  ['original by the only manual language', list('pt-BR'), 'original', 'pt-BR'],
  ['British and plain English are one language', list('en en-GB'), 'original', 'en'],
  ['and so are two regions', list('en-US en-GB'), 'original', 'en-US'],
  ['two scripts are one language', list('zh-Hans zh-Hant'), 'original', 'zh-Hans'],
  ['old and new codes are one language', list('iw he'), 'original', 'iw'],
  ['automatic regions beside another language', list('fr a.en a.en-US'), 'original', 'a.en'],
  ['automatic regions without a plain one', list('fr a.en-GB a.en-US'), 'original', 'a.en-GB'],
  [
    'automatic regions, and a region of the creator',
    list('fr en-AU a.en a.en-US'),
    'original',
    'en-AU',
  ],
  ['a sound without speech tells nothing', list('a.en', { original: 'zxx' }), 'original', 'a.en'],
  [
    'nor does it rule out the creator’s',
    list('en', { original: 'zxx', shown: 'zxx' }),
    'original',
    'en',
  ],
  ['an undetermined sound', list('fr a.en', { original: 'und' }), 'original', 'a.en'],
  [
    'a sound without a track, and the automatic one',
    list('a.en', { original: 'ja' }),
    'original',
    'a.en',
  ],
  ['also beside the creator’s', list('fr a.en', { original: 'ja' }), 'original', 'a.en'],
  [
    'several automatic ones beside it tell nothing',
    list('a.en a.fr', { original: 'ja' }),
    'original',
    '-',
  ],
  ['the first where nothing tells the original', list('de en fr'), 'original', '?de'],
  ['the first of the creator’s, plain', list('a.en a.ja fr/x fr de'), 'original', '?fr'],
  ['the first automatic one', list('a.en a.ja'), 'original', '?a.en'],
  ['no guess where a language was asked for', list('en fr'), 'de', '-'],
  ['none where neither has a track', list('en fr', { original: 'ja' }), 'de', '-'],
  ['none, though captions exist', list('en fr', { original: 'ja' }), 'original', '-'],
  [
    'several automatic ones tell nothing',
    list('a.en a.fr', { standard: 'a.fr' }),
    'original',
    'a.fr',
  ],
  [
    'a wish in the original language is no fallback',
    list('a.de', { original: 'de' }),
    'de',
    'a.de',
  ],
  ['without tracks', list(''), 'en', '-'],
]

test('the track chosen is the one that the rules name', () => {
  for (const [about, tracks, wish, expected] of TABLE) {
    const choice = chooseTrack(tracks, wish)
    const found =
      choice.kind === 'none' ? '-' : `${choice.isFallback ? '?' : ''}${choice.track.baseUrl}`
    assert.equal(found, expected, about)
  }
})

test('a wished kind is taken of the language that the rules choose, where it has both', () => {
  for (const [about, tracks, wish] of TABLE) {
    const usual = chooseTrack(tracks, wish)
    assert.deepEqual(chooseTrack(tracks, wish, null), usual, about)
    for (const kind of TRACK_KINDS) {
      const choice = chooseTrack(tracks, wish, kind)
      if (usual.kind === 'none' || choice.kind === 'none') {
        assert.deepEqual(choice, usual, about)
        continue
      }
      const base = ({ languageCode }: CaptionTrack): string => languageCode.split('-', 1)[0] ?? ''
      const isThere = tracks.tracks.some(
        (each) => each.kind === kind && base(each) === base(usual.track),
      )
      assert.deepEqual(
        [choice.track.kind === kind, base(choice.track), choice.isFallback],
        [isThere, base(usual.track), usual.isFallback],
        `${about}, ${kind}`,
      )
    }
  }
})

test('where no track answers, the languages that exist are named once each', () => {
  const choice = chooseTrack(list('en en/sdh fr', { original: 'ja' }), 'de')
  assert.deepEqual(choice, { kind: 'none', languageCodes: ['en', 'fr'] })
})

test('the original language is that of the sound, then of the only automatic track', () => {
  assert.equal(originalLanguage(list('de a.fr', { original: 'de' })), 'de')
  assert.equal(originalLanguage(list('en a.fr', { original: 'de' })), 'fr')
  assert.equal(originalLanguage(list('en fr', { original: 'de' })), 'de')
  assert.equal(originalLanguage(list('en a.fr')), 'fr')
  assert.equal(originalLanguage(list('')), null)
})

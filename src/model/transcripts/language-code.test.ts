/** One rule for languages: whole families and all codes that name none, as tracks, as sounds and as wishes alike. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findMeeting } from '../jobs/owned-text.ts'
import { wordedStatus } from '../jobs/video-row.ts'
import { type CaptionTrack, chooseTrack, meetsWish, type TrackList } from './caption-track.ts'
import { nearnessOf } from './language-code.ts'
import { MACRO_LANGUAGES, NO_LANGUAGES } from './language-registry.ts'

type Sound = Partial<Omit<TrackList, 'tracks'>>

/** Returns a list of creator's tracks; `a.en` is an automatic one. */
function list(codes: readonly string[], sound: Sound = {}): TrackList {
  const tracks = codes.map((code): CaptionTrack => {
    const kind = code.startsWith('a.') ? 'asr' : 'manual'
    const plain = { name: null, isTranslatable: true, isPlain: true }
    return { languageCode: code.replace('a.', ''), kind, baseUrl: code, ...plain }
  })
  return { tracks, originalAudio: null, shownAudio: null, defaultTrack: null, ...sound }
}

/** Returns the address of the chosen track, with ? in front of a fallback; - where none is chosen. */
function chosen(codes: readonly string[], wish: string, sound: Sound = {}): string {
  const choice = chooseTrack(list(codes, sound), wish)
  return choice.kind === 'none' ? '-' : `${choice.isFallback ? '?' : ''}${choice.track.baseUrl}`
}

const FAMILIES = MACRO_LANGUAGES.trim()
  .split('\n')
  .map((line) => line.split(/: | /))
  .flatMap(([macro = '', ...members]) => members.map((member) => ({ macro, member })))

/** Serbo-Croatian is a code of Serbian (CLDR), so that it encompasses nothing. */
const LIVING = FAMILIES.filter(({ macro }) => macro !== 'sh')

const isAlias = (one: string, other: string): boolean =>
  new Intl.Locale(one).maximize().language === new Intl.Locale(other).maximize().language

test('a sound tells the original track by any language that encompasses it, or that it encompasses', () => {
  assert.ok(LIVING.length > 400)
  for (const { macro, member } of LIVING) {
    assert.equal(chosen(['qu', 'ar', macro], 'original', { originalAudio: member }), macro, member)
    assert.equal(chosen([member, 'fy'], 'original', { originalAudio: macro }), member, macro)
  }
})

test('who asks for a member gets its macro language with a label, unless both are one language', () => {
  for (const { macro, member } of LIVING) {
    const isOne = isAlias(macro, member) || member === 'nb'
    for (const [asked, track] of [
      [macro, member],
      [member, macro],
    ] as const) {
      assert.equal(nearnessOf(track, asked), isOne ? 'same' : 'family', `${asked} ${track}`)
      assert.equal(chosen([track, 'a.fy'], asked), isOne ? track : `?${track}`, asked)
    }
  }
})

test('members of a family are not each other', () => {
  const all = Map.groupBy(FAMILIES, ({ macro }) => macro)
  for (const [macro, family] of all) {
    const others = family.filter(({ member }) => !isAlias(macro, member) && member !== 'nb')
    for (const [at, { member }] of others.entries())
      for (const { member: other } of others.slice(at + 1))
        if (!isAlias(member, other)) assert.equal(nearnessOf(member, other), null, member + other)
  }
  const apart = ['id ms', 'hr sr', 'bs hr', 'hr sh', 'da no', 'da nb', 'nn da', 'yue wuu']
  for (const pair of apart) {
    const [one = '', other = ''] = pair.split(' ')
    assert.deepEqual([nearnessOf(one, other), nearnessOf(other, one)], [null, null], pair)
    assert.equal(chosen(['a.fy', other], one), '?a.fy', pair)
  }
})

test('a language is one by all of its codes, old and new, of two and of three letters', () => {
  const spellings =
    `iw he, in id, ji yi, jw jv, mo ro, tl fil, no nb, sh sr-Latn, eng en, deu de, ger de, fre fr, chi zh,
    zho zh, cmn zh, zh-cmn zh, zh-yue yue, arb ar, zsm ms, swh sw, ekk et, lvs lv, pes fa, prs fa, per fa, tw ak, fat tw,
    cmn-Hant zh-TW, zh_TW zh-Hant, ZH-hk zh-Hant, iw-IL he, eng-GB en, ger-AT de`.split(/,\s+/)
  for (const pair of spellings) {
    const [one = '', other = ''] = pair.split(' ')
    assert.ok(meetsWish(one, other) && meetsWish(other, one), pair)
    assert.equal(chosen(['fy', one], other), one, pair)
    assert.equal(chosen(['fy', one], 'original', { originalAudio: other }), one, pair)
  }
})

const SILENT = NO_LANGUAGES.split(' ').flatMap((range) => {
  const [from = '', to = from] = range.split('..')
  if (from === to) return [from]
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  return letters
    .flatMap((second) => letters.map((third) => `q${second}${third}`))
    .filter((code) => code <= to)
})

test('a code that names no language is the original one neither as a track nor as a sound', () => {
  assert.equal(SILENT.length, 4 + 20 * 26)
  for (const code of SILENT.flatMap((each) => [each, each.toUpperCase(), `${each}-Latn-US`])) {
    assert.equal(chosen([code, 'en'], 'original'), 'en', code)
    assert.equal(chosen([code, 'a.en', 'fr'], 'original'), 'a.en', code)
    assert.equal(chosen([`a.${code}`, 'en'], 'original'), 'en', code)
    assert.equal(chosen([code, 'en', 'fr'], 'original'), '?en', code)
    assert.equal(chosen([code, 'en'], 'original', { originalAudio: code }), 'en', code)
    assert.equal(chosen([code, 'en'], 'original', { shownAudio: code }), 'en', code)
    const [defaultTrack = null] = list([code]).tracks
    assert.equal(chosen([code, 'en'], 'original', { defaultTrack }), 'en', code)
    // Alone it is all that there is, whatever the sound, and no answer to a language.
    assert.equal(chosen([code], 'original'), `?${code}`, code)
    assert.equal(chosen([code], 'original', { originalAudio: 'ja' }), `?${code}`, code)
    assert.equal(chosen([code], 'en'), '-', code)
    assert.equal(chosen([code, 'en'], code), code, code)
  }
})

test('another script is told, before the original language and after all tracks in the wished one', () => {
  const cases: [string[], string, string][] = [
    [['zh-Hans', 'a.en'], 'zh-TW', '?zh-Hans'],
    [['zh-Hans', 'a.zh-Hant'], 'zh-TW', 'a.zh-Hant'],
    [['a.zh-Hans', 'zh', 'a.en'], 'zh-HK', '?zh'],
    [['zh-TW', 'zh-Hans'], 'zh-SG', 'zh-Hans'],
    [['sr-Latn', 'a.en'], 'sr', '?sr-Latn'],
    [['sr-Latn', 'a.sr'], 'sr', 'a.sr'],
    [['sr', 'a.en'], 'sr-Latn-RS', '?sr'],
    [['hr', 'sr', 'a.en'], 'sh', '?sr'],
    [['az-Cyrl', 'a.en'], 'az', '?az-Cyrl'],
    [['uz-Cyrl', 'uz'], 'uz-Latn', 'uz'],
    [['pa', 'a.en'], 'pa-PK', '?pa'],
    [['pa-Arab', 'a.en'], 'pa-PK', 'pa-Arab'],
    [['zh-Latn', 'a.zh-Hans'], 'zh', 'a.zh-Hans'],
    [['zh-Hans', 'zh-Hant', 'a.en'], 'yue', '?zh-Hant'],
    [['yue', 'zh-Hans'], 'zh-TW', '?zh-Hans'],
  ]
  for (const [codes, wish, expected] of cases)
    assert.equal(chosen(codes, wish), expected, `${wish} of ${codes.join(' ')}`)
})

const CODES =
  `en en-GB zh zh-Hans zh-Hant zh-TW cmn yue zh-yue sr sr-Latn sh hr no nb nn da ms id in iw he ar arz pa
  pa-PK uz-Cyrl uz zxx und und-Latn mul qaa art ger de_CH en-abcdefgh-12 a live_chat`.split(/\s+/)
const code = fc.constantFrom('', ...CODES)
const sound = fc.option(code)
const rank = (near: ReturnType<typeof nearnessOf>): number =>
  near === null ? 3 : ['same', 'otherScript', 'family'].indexOf(near)

test('choosing, telling and owning are one: what is not told as another answer is owned, and only that', () => {
  const track = fc.tuple(fc.constantFrom('', 'a.'), code).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(track), code, sound, sound, (codes, wish, originalAudio, shownAudio) => {
      const tracks = list(codes, { originalAudio, shownAudio })
      const choice = chooseTrack(tracks, wish)
      const nearest = Math.min(
        3,
        ...tracks.tracks.map((each) => rank(nearnessOf(each.languageCode, wish))),
      )
      if (choice.kind === 'none') return assert.equal(nearest, 3)
      const { languageCode } = choice.track
      const isMet = meetsWish(languageCode, wish)
      assert.equal(choice.isFallback, !isMet)
      assert.equal(rank(nearnessOf(languageCode, wish)), nearest)

      const missedLanguage = choice.isFallback ? wish : null
      const { label } = wordedStatus({ status: 'success', missedLanguage, languageCode })
      const told = ['Delivered', 'in another script', 'of the same family', 'the original language']
      assert.ok(label.includes(told[nearest] ?? '-') && isMet === (label === 'Delivered'), label)

      const tracksOfText = { languageCode, trackKind: choice.track.kind, wishedTrack: null }
      const text = { jobId: 'job', index: 1, ...tracksOfText, deliveredAt: new Date(0) }
      const owned = (wishedLanguage: string): boolean =>
        findMeeting([{ ...text, wishedLanguage }], { language: wish, wishedTrack: null }) !== null
      assert.deepEqual([owned('original'), owned(wish)], [isMet, true])
    }),
  )
})

test('nearness is the same from both sides, and none where a code is no code', () => {
  fc.assert(
    fc.property(fc.oneof(code, fc.string()), fc.oneof(code, fc.string()), (one, other) => {
      assert.equal(nearnessOf(one, other), nearnessOf(other, one))
      assert.equal(nearnessOf(one, one), 'same')
    }),
  )
})

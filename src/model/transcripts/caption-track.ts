/** Caption tracks: what the platform offers for a video, and which one to take for a requested language. */
import { TRACK_KINDS, type TrackKind } from './transcript.ts'

export type CaptionTrack = {
  /** The code as the platform spells it: `en`, `pt-BR`, `zh-Hant`, also the old `iw`. */
  languageCode: string
  kind: TrackKind
  /** The address of its words; signed, short-lived, never stored. */
  baseUrl: string
  /** Name that the platform or the track's author gave it; null where it has none. */
  name: string | null
  /** Whether the platform would translate it by machine; such a translation is never fetched. */
  isTranslatable: boolean
  /** False for one of several tracks of a language that its creator added beside the plain one. */
  isPlain: boolean
}

export type TrackList = {
  tracks: CaptionTrack[]
  /** Language of the sound track that is marked as the original; null where none is. */
  originalAudio: string | null
  /** Language of the sound track that is played by default, perhaps a dub; null where none is named. */
  shownAudio: string | null
  defaultTrack: CaptionTrack | null
}

export type TrackChoice =
  /**
   * `isFallback` is true where the requested language has no track and this is the original one, or where `original`
   * was asked for, nothing tells which language that is, and this is the first that the platform lists.
   */
  | { kind: 'chosen'; track: CaptionTrack; isFallback: boolean }
  | { kind: 'none'; languageCodes: string[] }

export const ORIGINAL = 'original'

/** `original` or a language code, and the kind of track that is wished where that language has both; null: any. */
export type TextWish = { language: string; wishedTrack: TrackKind | null }

/** Codes of sounds that are no language: no speech, undetermined, several, uncoded (ISO 639-2). */
const NO_LANGUAGES = new Set(['zxx', 'und', 'mul', 'mis'])

/** Codes that ISO 639 replaced and the platform still uses, with what callers write. */
const RENAMED: Readonly<Record<string, string>> = {
  iw: 'he',
  in: 'id',
  ji: 'yi',
  jw: 'jv',
  mo: 'ro',
  no: 'nb',
  tl: 'fil',
}

/**
 * Returns the track for `language` (`original` or a code): the creator's own before the automatic one, the exact code
 * before another region of it; else the original language. Never a translated track. A wished kind goes before the
 * other one within the language that is chosen.
 */
export function chooseTrack(
  list: TrackList,
  language: string,
  wished: TrackKind | null = null,
): TrackChoice {
  const isOriginalAsked = language.toLowerCase() === ORIGINAL
  const asked = isOriginalAsked ? null : findTrack(list.tracks, language, wished)
  if (asked !== null) return { kind: 'chosen', track: asked, isFallback: false }

  const original = originalLanguage(list)
  const track = original === null ? null : findTrack(list.tracks, original, wished)
  if (track !== null) return { kind: 'chosen', track, isFallback: !isOriginalAsked }
  // A sound that tells the language, and has no track, is no reason to deliver another one.
  const first = original === null && isOriginalAsked ? firstListed(list.tracks, wished) : null
  if (first !== null) return { kind: 'chosen', track: first, isFallback: true }
  return { kind: 'none', languageCodes: [...new Set(list.tracks.map((each) => each.languageCode))] }
}

/**
 * Returns the video's own language: that of the sound marked as the original, else of the only automatic tracks, else
 * of the sound played by default where it has a track, else of the default track, else of the only manual tracks; null
 * where none of these tells. Regions of a language count as one. The sound marked as the original may have no speech,
 * or speech that has no track beside the automatic one. The sound played by default may be a dub (recorded in 2023).
 */
export function originalLanguage(list: TrackList): string | null {
  const { tracks, defaultTrack } = list
  const marked = spokenIn(list.originalAudio)
  if (marked !== null && findTrack(tracks, marked) !== null) return marked
  const recognised = onlyLanguage(tracks, 'asr')
  if (recognised !== null) return recognised
  if (marked !== null) return marked
  const shown = spokenIn(list.shownAudio)
  if (shown !== null && findTrack(tracks, shown) !== null) return shown
  return defaultTrack?.languageCode ?? onlyLanguage(tracks, 'manual')
}

/**
 * Returns whether a text in this language is what an order with the wish asks for: any is the `original` one; of a
 * code, the language itself or a region of it in the same script, since `chooseTrack` delivers these, too.
 */
export function meetsWish(languageCode: string, wish: string): boolean {
  if (wish.toLowerCase() === ORIGINAL) return true
  const [own, wanted] = [canonical(languageCode), canonical(wish)]
  return own === wanted || (baseOf(own) === baseOf(wanted) && scriptOf(own) === scriptOf(wanted))
}

/** Returns the language of a sound; null where there is no sound, or no speech in it. */
function spokenIn(audio: string | null): string | null {
  return audio === null || NO_LANGUAGES.has(baseOf(canonical(audio))) ? null : audio
}

/** Returns the language of all tracks of a kind: their code, or the base of several regions; null where they differ. */
function onlyLanguage(tracks: readonly CaptionTrack[], kind: TrackKind): string | null {
  const codes = new Set(tracks.filter((track) => track.kind === kind).map(codeOf))
  const [base, ...others] = new Set(Array.from(codes, (code) => baseOf(canonical(code))))
  const [code] = codes
  if (base === undefined || code === undefined || others.length > 0) return null
  return codes.size === 1 ? code : base
}

/**
 * Returns the first language that the platform lists, the creator's own before automatic ones. In every player recorded
 * with a default track or a source of translations, that is the first one, too (2026).
 */
function firstListed(tracks: CaptionTrack[], wished: TrackKind | null): CaptionTrack | null {
  const first = tracks.find(({ kind }) => kind === 'manual') ?? tracks[0]
  return first === undefined ? null : findTrack(tracks, first.languageCode, wished)
}

function findTrack(
  tracks: CaptionTrack[],
  language: string,
  wished: TrackKind | null = null,
): CaptionTrack | null {
  const kinds = TRACK_KINDS.toSorted((a, b) => Number(b === wished) - Number(a === wished))
  for (const kind of kinds) {
    const track = findOfKind(tracks, language, kind)
    if (track !== null) return track
  }
  return null
}

function findOfKind(
  tracks: CaptionTrack[],
  language: string,
  kind: TrackKind,
): CaptionTrack | null {
  const ofKind = tracks.filter((track) => track.kind === kind)
  const wanted = canonical(language)
  const exact = ofKind.filter((track) => canonical(track.languageCode) === wanted)
  if (exact.length > 0) return plainest(exact)
  const base = ofKind.filter((track) => baseOf(canonical(track.languageCode)) === baseOf(wanted))
  const script = scriptOf(wanted)
  const readable = base.filter((track) => scriptOf(canonical(track.languageCode)) === script)
  const nearest = readable.length > 0 ? readable : base
  const unregional = nearest.filter((track) => !track.languageCode.includes('-'))
  return plainest(unregional.length > 0 ? unregional : nearest)
}

/** Returns the script of the language in its region, `Hant` for `zh-TW`; null where the code is none. */
function scriptOf(code: string): string | null {
  try {
    return new Intl.Locale(code).maximize().script ?? null
  } catch {
    return null
  }
}

function plainest(tracks: CaptionTrack[]): CaptionTrack | null {
  return tracks.find((track) => track.isPlain) ?? tracks[0] ?? null
}

function codeOf({ languageCode }: CaptionTrack): string {
  return languageCode
}

function canonical(code: string): string {
  const [base = '', ...rest] = code.toLowerCase().replaceAll('_', '-').split('-')
  return [RENAMED[base] ?? base, ...rest].join('-')
}

function baseOf(code: string): string {
  return code.split('-')[0] ?? code
}

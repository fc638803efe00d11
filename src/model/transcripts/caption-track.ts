/** Caption tracks: what the platform offers for a video, and which one to take for a requested language. */
import { isOneScript, nearnessOf, readLanguageCode } from './language-code.ts'
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
   * `isFallback` is true where no track is in the requested language and its script, and this is the nearest one, or
   * the original one, or where `original` was asked for, nothing tells which language that is, and this is the first
   * that the platform lists.
   */
  | { kind: 'chosen'; track: CaptionTrack; isFallback: boolean }
  | { kind: 'none'; languageCodes: string[] }

export const ORIGINAL = 'original'

/** `original` or a language code, and the kind of track that is wished where that language has both; null: any. */
export type TextWish = { language: string; wishedTrack: TrackKind | null }

const NEARNESSES = ['same', 'otherScript', 'family'] as const

/**
 * Returns the track for `language` (`original` or a code): one in it and its script, then in another script, then in
 * one of its family, each the creator's own before the automatic one, and the exact code before another region of it;
 * else the original language. Never a translated track. A wished kind goes before the other one within each of these.
 */
export function chooseTrack(
  list: TrackList,
  language: string,
  wished: TrackKind | null = null,
): TrackChoice {
  const isOriginalAsked = language.toLowerCase() === ORIGINAL
  const asked = isOriginalAsked ? null : findTrack(list.tracks, language, wished)
  if (asked !== null)
    return { kind: 'chosen', track: asked, isFallback: !meetsWish(asked.languageCode, language) }

  const original = originalLanguage(list)
  const track = original === null ? null : findTrack(list.tracks, original, wished)
  if (track !== null) return { kind: 'chosen', track, isFallback: !isOriginalAsked }
  // A sound that tells the language, and has no track, is no reason to deliver one in another language.
  const isUntold = original === null || list.tracks.every((each) => languageOf(each) === null)
  const first = isUntold && isOriginalAsked ? firstListed(list.tracks, wished) : null
  if (first !== null) return { kind: 'chosen', track: first, isFallback: true }
  return { kind: 'none', languageCodes: [...new Set(list.tracks.map((each) => each.languageCode))] }
}

/**
 * Returns the video's own language: that of the sound marked as the original, else of the only automatic tracks, else
 * of the sound played by default where it has a track, else of the default track, else of the only manual tracks; null
 * where none of these tells. Regions of a language count as one, and codes that name no language tell nothing. The
 * sound marked as the original may have no speech, or speech that has no track beside the automatic one. The sound
 * played by default may be a dub (recorded in 2023).
 */
export function originalLanguage(list: TrackList): string | null {
  const tracks = list.tracks.filter((track) => languageOf(track) !== null)
  const { defaultTrack } = list
  const marked = spokenIn(list.originalAudio)
  if (marked !== null && findTrack(tracks, marked) !== null) return marked
  const recognised = onlyLanguage(tracks, 'asr')
  if (recognised !== null) return recognised
  if (marked !== null) return marked
  const shown = spokenIn(list.shownAudio)
  if (shown !== null && findTrack(tracks, shown) !== null) return shown
  const isTelling = defaultTrack !== null && languageOf(defaultTrack) !== null
  return isTelling ? defaultTrack.languageCode : onlyLanguage(tracks, 'manual')
}

/**
 * Returns whether a text in this language is what an order with the wish asks for: any is the `original` one; of a
 * code, the language itself or a region of it in the same script. What `chooseTrack` delivers beyond is a fallback.
 */
export function meetsWish(languageCode: string, wish: string): boolean {
  return wish.toLowerCase() === ORIGINAL || nearnessOf(languageCode, wish) === 'same'
}

/** Returns the language of a sound; null where there is no sound, or no speech in it. */
function spokenIn(audio: string | null): string | null {
  return audio === null || readLanguageCode(audio).language === null ? null : audio
}

/** Returns the language of all tracks of a kind: their code, or the base of several regions; null where they differ. */
function onlyLanguage(tracks: readonly CaptionTrack[], kind: TrackKind): string | null {
  const ofKind = tracks.filter((track) => track.kind === kind)
  const [language, ...others] = new Set(ofKind.map(languageOf))
  const [code, ...regions] = new Set(ofKind.map((track) => track.languageCode))
  if (language === undefined || code === undefined || others.length > 0) return null
  return regions.length === 0 ? code : language
}

/**
 * Returns the first language that the platform lists, the creator's own before automatic ones. In every player recorded
 * with a default track or a source of translations, that is the first one, too (2026).
 */
function firstListed(tracks: CaptionTrack[], wished: TrackKind | null): CaptionTrack | null {
  const told = prefer(tracks, (track) => languageOf(track) !== null)
  const [first] = prefer(told, ({ kind }) => kind === 'manual')
  return first === undefined ? null : findTrack(tracks, first.languageCode, wished)
}

function findTrack(
  tracks: CaptionTrack[],
  language: string,
  wished: TrackKind | null = null,
): CaptionTrack | null {
  const kinds = TRACK_KINDS.toSorted((a, b) => Number(b === wished) - Number(a === wished))
  const near = tracks.map((track) => ({ track, by: nearnessOf(track.languageCode, language) }))
  const wanted = NEARNESSES.flatMap((nearness) => kinds.map((kind) => ({ nearness, kind })))
  for (const { nearness, kind } of wanted) {
    const answering = near.filter(({ track, by }) => by === nearness && track.kind === kind)
    if (answering.length > 0)
      return plainest(
        answering.map(({ track }) => track),
        language,
      )
  }
  return null
}

/** Returns the track that is nearest to the wish in its spelling, and has no name of its own. */
function plainest(tracks: CaptionTrack[], language: string): CaptionTrack | null {
  const wished = readLanguageCode(language)
  const read = tracks.map((track) => ({ track, code: readLanguageCode(track.languageCode) }))
  const readable = prefer(read, ({ code }) => isOneScript(code, wished))
  const unregional = prefer(readable, ({ code }) => code.region === null)
  const exact = read.filter(({ code }) => code.spelling === wished.spelling)
  const nearest = exact.length > 0 ? exact : unregional
  return prefer(nearest, ({ track }) => track.isPlain)[0]?.track ?? null
}

/** Returns those that fit, or all where none does. */
function prefer<Each>(all: readonly Each[], fits: (each: Each) => boolean): readonly Each[] {
  const fitting = all.filter(fits)
  return fitting.length > 0 ? fitting : all
}

function languageOf({ languageCode }: CaptionTrack): string | null {
  return readLanguageCode(languageCode).language
}

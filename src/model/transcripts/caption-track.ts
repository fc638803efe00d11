/** Caption tracks: what the platform offers for a video, and which one to take for a requested language. */
import type { TrackKind } from './transcript.ts'

export type CaptionTrack = {
  /** The code as the platform spells it: `en`, `pt-BR`, `zh-Hant`, also the old `iw`. */
  languageCode: string
  kind: TrackKind
  /** The address of its words; signed, short-lived, never stored. */
  baseUrl: string
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
  /** `isFallback` is true where the requested language has no track and this is the original one. */
  | { kind: 'chosen'; track: CaptionTrack; isFallback: boolean }
  | { kind: 'none'; languageCodes: string[] }

export const ORIGINAL = 'original'

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
 * before another region of it; else the original language. Never a translated track.
 */
export function chooseTrack(list: TrackList, language: string): TrackChoice {
  const isOriginalAsked = language.toLowerCase() === ORIGINAL
  const asked = isOriginalAsked ? null : findTrack(list.tracks, language)
  if (asked !== null) return { kind: 'chosen', track: asked, isFallback: false }

  const original = originalLanguage(list)
  const track = original === null ? null : findTrack(list.tracks, original)
  if (track !== null) return { kind: 'chosen', track, isFallback: !isOriginalAsked }
  return { kind: 'none', languageCodes: [...new Set(list.tracks.map((each) => each.languageCode))] }
}

/**
 * Returns the video's own language: that of the sound marked as the original, else of the only automatic track, else of
 * the sound played by default where it has a track, else of the default track, else of the only manual track; null
 * where none of these tells. The sound played by default may be a dub (recorded in 2023).
 */
export function originalLanguage(list: TrackList): string | null {
  const { tracks, originalAudio, shownAudio, defaultTrack } = list
  if (originalAudio !== null) return originalAudio
  const [spoken, ...otherSpoken] = languagesOf(tracks, 'asr')
  if (spoken !== undefined && otherSpoken.length === 0) return spoken
  if (shownAudio !== null && findTrack(tracks, shownAudio) !== null) return shownAudio
  if (defaultTrack !== null) return defaultTrack.languageCode
  const [written, ...otherWritten] = languagesOf(tracks, 'manual')
  return written !== undefined && otherWritten.length === 0 ? written : null
}

function findTrack(tracks: CaptionTrack[], language: string): CaptionTrack | null {
  return findOfKind(tracks, language, 'manual') ?? findOfKind(tracks, language, 'asr')
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

function languagesOf(tracks: CaptionTrack[], kind: TrackKind): string[] {
  const codes = tracks.filter((track) => track.kind === kind).map((track) => track.languageCode)
  return [...new Set(codes)]
}

function canonical(code: string): string {
  const [base = '', ...rest] = code.toLowerCase().replaceAll('_', '-').split('-')
  return [RENAMED[base] ?? base, ...rest].join('-')
}

function baseOf(code: string): string {
  return code.split('-')[0] ?? code
}

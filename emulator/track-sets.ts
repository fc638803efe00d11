/** Caption tracks: how special videos name theirs, and the draw for ordinary videos. */
import { hexOf } from './random.ts'
import type { Track } from './model.ts'

type Extra = Partial<
  Pick<Track, 'name' | 'style' | 'script' | 'variant' | 'hiddenFrom' | 'guardedAt'>
>

export function manual(languageCode: string, extra: Extra = {}): Track {
  return { ...PLAIN, languageCode, kind: 'manual', ...extra }
}

export function asr(languageCode: string, extra: Extra = {}): Track {
  return { ...PLAIN, languageCode, kind: 'asr', ...extra }
}

const PLAIN = {
  name: '',
  style: 'plain',
  variant: null,
  hiddenFrom: [] as string[],
  guardedAt: [] as string[],
} as const

/** Returns the platform's id of a track: `.en`, `a.en`, or `.en.<hash>` where a language has several. */
export function vssIdOf(track: Track): string {
  if (track.kind === 'asr') return `a.${track.languageCode}`
  if (track.name === '') return `.${track.languageCode}`
  return `.${track.languageCode}.${hexOf(track.name.length * 31 + track.name.charCodeAt(0), 8)}`
}

export type CaptionSet = { tracks: Track[]; audio: string[] }

const WITH_CAPTIONS = 12
const DUBS = ['en', 'es', 'pt']

/**
 * Draws an ordinary video's tracks. One video in twelve has none; most have only automatic ones, as on the real
 * platform.
 */
export function drawCaptions(draw: number, language: string): CaptionSet {
  if (draw % WITH_CAPTIONS === 5) return { tracks: [], audio: [] }
  const other = language === 'en' ? 'es' : 'en'
  const share = Math.floor(draw / WITH_CAPTIONS) % 100
  if (share < 50) return { tracks: [asr(language)], audio: [] }
  if (share < 68) return { tracks: [manual(language), asr(language)], audio: [] }
  if (share < 76) return { tracks: [manual(language)], audio: [] }
  if (share < 84) return { tracks: [manual(other), manual(language), asr(language)], audio: [] }
  if (share < 88) return { tracks: [manual(language, { style: 'two_lines' })], audio: [] }
  if (share < 91) return { tracks: [asr(language, { style: 'sounds' })], audio: [] }
  if (share < 94) return regional(language)
  if (share < 97) return named(language)
  const dubs = DUBS.filter((dub) => dub !== language)
  return { tracks: [...dubs.map((dub) => manual(dub)), asr(language)], audio: [language, ...dubs] }
}

function regional(language: string): CaptionSet {
  const regions = language === 'en' ? ['en-GB', 'en-US'] : [`${language}-419`]
  return { tracks: [...regions.map((code) => manual(code)), asr(language)], audio: [] }
}

function named(language: string): CaptionSet {
  const names = ['', 'With sound descriptions']
  return { tracks: names.map((name) => manual(language, { name })), audio: [] }
}

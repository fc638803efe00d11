/** Sources as people paste them, and what is read in a text of them. */
import { readUrlSet } from './orders.ts'
import { subjectOf } from '../../src/model/platform/source.ts'

const [A, B, C] = ['dQw4w9WgXcQ', '9bZkp7q19f0', '-_aBcDeFg12']
const UC = 'UCTwECeGqMZee77BjdoYtI2Q'
const PL = 'PLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj'
export const IDS = { A, B, C, UC, PL }

export const ADDRESSES = [
  `https://youtu.be/${A}`,
  `https://www.youtube.com/watch?v=${B}&t=42s`,
  'youtu.be/9bZkp7q19f0?si=abc',
  'https://www.youtube.com/shorts/9bZkp7q19f0',
  'https://m.youtube.com/watch?v=-_aBcDeFg12&feature=share',
  `https://www.youtube.com/playlist?list=${PL}`,
  'https://www.youtube.com/@x1y/videos',
  `https://www.youtube.com/channel/${UC}`,
]
export const NAMES = [...ADDRESSES, B, C, UC, PL, '@x1y']

type Told = { sources: string[]; complaints: string[] }

/** Returns what the lines of a text name, and those that name nothing. */
export function readTold(text: string | string[]): Told {
  const told: Told = { sources: [], complaints: [] }
  for (const { text: line, reading } of readUrlSet(text).lines) {
    if (reading.kind === 'rejected') told.complaints.push(line)
    else told.sources.push(subjectOf(reading.source))
  }
  return told
}

/** Two spellings of one source are two lines of a list. */
export function distinct({ sources, complaints }: Told): Told {
  return { sources: [...new Set(sources)], complaints }
}

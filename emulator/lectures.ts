/** Lectures: a few minutes each that somebody could have said, for pictures of the website and whoever tries it out. */
import LECTURES from './lectures.json' with { type: 'json' }
import type { Script, Talk, Track } from './model.ts'
import type { Speaker } from './speech.ts'
import { asr, manual } from './track-sets.ts'

export const LECTURES_COUNT = LECTURES.length

/** A cue ends with its sentence, or at a comma after so many words. */
const CUE_WORDS = 8
/** Milliseconds that a word takes when it is read to an audience, and with the pauses between the cues. */
export const READ_WORD_MS = 320
const PACED_WORD_MS = 450
/** Seconds of silence around the words. */
const SILENCE_S = 15
const ENDS_SENTENCE = /[.?!]$/
const ENDS_CLAUSE = /[.?!,]$/
const MARKS = /[.?!,]/g

/** Returns the lecture of an upload, the newest first; the last one has no words, and no captions. */
export function lectureOf(upload: number): Talk & { title: string } {
  const { title, text } = LECTURES[upload % LECTURES.length] ?? { title: '', text: '' }
  const words = text.split(' ').filter((word) => word !== '')
  const script = cuesOf(words)
  const durationS = Math.ceil((words.length * PACED_WORD_MS) / 1_000) + SILENCE_S
  return { title, durationS, language: 'en', tracks: tracksOf(upload, script) }
}

/** Returns the creator's track of every second lecture, and the recogniser's of all that are spoken. */
function tracksOf(upload: number, script: Script): Track[] {
  if (script.length === 0) return []
  const said = { style: 'read', script } as const
  return upload % 2 === 0 ? [manual('en', said), asr('en', said)] : [asr('en', said)]
}

function cuesOf(words: readonly string[]): Script {
  const cues: string[][] = [[]]
  for (const word of words) {
    const cue = cues.at(-1) ?? []
    cue.push(word)
    const isEnd = cue.length < CUE_WORDS ? ENDS_SENTENCE : ENDS_CLAUSE
    if (isEnd.test(word)) cues.push([])
  }
  return cues.filter((cue) => cue.length > 0)
}

/** Returns the speaker who reads a script once: as it is written, or as a recogniser hears it. */
export function readerOf({ script, kind }: Track): Speaker {
  const cues = (script ?? []).values()
  return () => {
    const { value, done } = cues.next()
    if (done === true) return null
    const words = kind === 'manual' ? [...value] : value.map(heard)
    return { words, space: ' ', stop: '' }
  }
}

function heard(word: string): string {
  const plain = word.replaceAll(MARKS, '').toLowerCase()
  return plain === 'i' ? 'I' : plain
}

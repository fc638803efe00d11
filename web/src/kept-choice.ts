/** What the reader chose for every page, kept in this browser. */
import { useSyncExternalStore } from 'react'
import { CITATION_FORMATS, type CitationFormat } from '../../src/model/files/citations.ts'

type Kept<Value> = {
  now(): Value
  /** Keeps a text, on every page and in each tab; without storage it lasts as long as this page. */
  keep(text: NonNullable<Value>): void
}

/** `read` makes of what is kept, null for nothing, what holds: the same for the same text. */
export function kept<Value extends string | null>(
  name: string,
  read: (text: string | null) => Value,
): Kept<Value> {
  let unstored: Value | null = null
  const stored = () => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  return {
    now: () => unstored ?? read(stored()),
    keep: (text) => {
      try {
        localStorage.setItem(name, text)
        unstored = null
      } catch {
        unstored = text
      }
      dispatchEvent(new Event('storage'))
    },
  }
}

/** `choices` begins with the one that holds until another is made. */
const keptChoice = <const Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
) => kept(name, (text) => choices.find((choice) => choice === text) ?? choices[0])

export function useKept<Value>({ now }: Kept<Value>): Value {
  return useSyncExternalStore(follow, now)
}

/** The browser tells the other tabs of what was kept, and this one is told by `keep`. */
function follow(follower: () => void): () => void {
  addEventListener('storage', follower)
  return () => removeEventListener('storage', follower)
}

/** The form in which quotes are copied. */
export const QUOTE_FORMAT = keptChoice(
  'quote-format',
  Object.keys(CITATION_FORMATS) as [CitationFormat, ...CitationFormat[]],
)

/** Whether lists show stills of videos, which the browser asks the platform for. */
export const PICTURES = keptChoice('pictures', ['off', 'on'])

/** Whether words of which the speech recognition was not sure are underlined. */
export const UNSURE_WORDS = keptChoice('unsure-words', ['off', 'on'])

/** The colours, which theme.js sets before a page is drawn. */
export const THEME = keptChoice('theme', ['system', 'light', 'dark'])

/** Whether shortcuts of single keys work: who speaks to the computer may press them unawares (WCAG 2.1.4). */
export const KEYS = keptChoice('keys', ['on', 'off'])

/** The language of programs to copy. */
export const CODE_LANGUAGE = keptChoice('code-language', ['curl', 'js', 'python'])

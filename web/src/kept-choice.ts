/** Choices that the reader made for every page, kept in this browser. */
import { useSyncExternalStore } from 'react'
import { CITATION_FORMATS, type CitationFormat } from '../../src/model/files/citations.ts'

/** `choices` begins with the one that holds until another is made. */
function keptChoice<const Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
) {
  const followers = new Set<() => void>()
  const kept = storedText(name)
  let chosen = choices.find((choice) => choice === kept) ?? choices[0]
  return {
    now: () => chosen,
    /** Makes the choice on every page; without storage it lasts as long as this one. */
    keep: (choice: Choice) => {
      chosen = choice
      for (const follower of followers) follower()
      try {
        localStorage.setItem(name, choice)
      } catch {
        return
      }
    },
    follow: (follower: () => void) => {
      followers.add(follower)
      return () => followers.delete(follower)
    },
  }
}

export function storedText(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

type KeptChoice<Choice extends string> = ReturnType<typeof keptChoice<Choice>>

export function useKept<Choice extends string>({ now, follow }: KeptChoice<Choice>): Choice {
  return useSyncExternalStore(follow, now)
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

/** The form in which quotes are copied: the last one that was chosen, kept in this browser. */
import { useSyncExternalStore } from 'react'
import { CITATION_FORMATS, type CitationFormat } from './citations.ts'

const NAME = 'quote-format'
const followers = new Set<() => void>()
let chosen: CitationFormat = readFormat()

function readFormat(): CitationFormat {
  try {
    const kept = localStorage.getItem(NAME) ?? ''
    return Object.hasOwn(CITATION_FORMATS, kept) ? (kept as CitationFormat) : 'plain'
  } catch {
    return 'plain'
  }
}

/** Chooses the form for every quote of the page. Without storage the choice lasts as long as the page. */
export function keepQuoteFormat(format: CitationFormat): void {
  chosen = format
  for (const follower of followers) follower()
  try {
    localStorage.setItem(NAME, format)
  } catch {
    return
  }
}

export function useQuoteFormat(): CitationFormat {
  return useSyncExternalStore(
    (follower) => {
      followers.add(follower)
      return () => followers.delete(follower)
    },
    () => chosen,
  )
}

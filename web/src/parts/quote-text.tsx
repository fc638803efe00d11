/** The words at a hit of a search, with matches marked. */
import type { Mention, SearchHit } from '../api/search.ts'
import { queryOfHit } from '../matches.ts'

type Quoted = SearchHit | Mention

export function QuoteText({ hit, className = '' }: { hit: Quoted; className?: string }) {
  return (
    <span dir="auto" lang={hit.languageCode} className={`wrap-anywhere ${className}`}>
      {hit.snippet.map(({ text, isMatch }, at) =>
        isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
      )}
    </span>
  )
}

/** Returns where the reader opens: the transcript at this second, with the words of the search marked. */
export function placeOf({ jobId, index, startMs, snippet }: Quoted, { q }: { q: string }) {
  return {
    to: '/jobs/$id/$index',
    params: { id: jobId, index: String(index) },
    search: { find: queryOfHit(q, snippet) },
    hash: `t=${Math.floor(startMs / 1000)}`,
  } as const
}

/** The words at a hit of a search, with matches marked. */
import type { Mention, SearchHit } from '../api/search.ts'

export type Quoted = SearchHit | Mention

export function QuoteText({ hit, className = '' }: { hit: Quoted; className?: string }) {
  return (
    <span dir="auto" lang={hit.languageCode} className={`wrap-anywhere ${className}`}>
      {hit.snippet.map(({ text, isMatch }, at) =>
        isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
      )}
    </span>
  )
}

/** The place of a search's hit in the reader. */
import { queryOfHit } from './matches.ts'
import type { Quoted } from './parts/quote-text.tsx'

/** Returns where the reader opens: the transcript at this second, with the words of the search marked. */
export function placeOf({ jobId, index, startMs, snippet }: Quoted, { q }: { q: string }) {
  return {
    to: '/jobs/$id/$index',
    params: { id: jobId, index: String(index) },
    search: { find: queryOfHit(q, snippet) },
    hash: `t=${Math.floor(startMs / 1000)}`,
  } as const
}

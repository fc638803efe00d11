/** What a query that cannot be searched for is answered with: one sentence each. */
import { QUERY_LIMITS, type QueryFault } from './search-query.ts'

const { termsMax, prefixesMax, prefixCharsMin } = QUERY_LIMITS

export const FAULT_SENTENCES: Record<QueryFault, string> = {
  nothing_to_find:
    'q has no word to look for; write at least one that is not excluded with a minus.',
  too_many_terms: `q has more than ${termsMax} words and phrases; leave some out.`,
  too_many_prefixes: `q has more than ${prefixesMax} beginnings of words with an asterisk; leave some out.`,
  prefix_too_short: `A beginning of a word in q needs at least ${prefixCharsMin} letters before the asterisk.`,
}

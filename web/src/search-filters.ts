/** What can narrow a search, and how that is said. */
import type { CollectionList } from './api/client.ts'
import { libraryQuery } from './api/queries.ts'
import type { Mentions } from './api/search.ts'
import { namedDay } from './format.ts'

/** The account's channels, as far as one page of the library has them. */
export const CHANNELS = libraryQuery({ kind: 'channel', sort: 'title', limit: 100 })

/** Returns the names of channels by their ids: of the library, and of those in which something was found. */
export function channelsOf(
  library: CollectionList | undefined,
  found: Mentions['channels'] = [],
): Map<string, string> {
  const named = found.map(({ channelId, channelName }) => ({ channelId, title: channelName }))
  const all = [...named, ...(library?.collections ?? [])]
  return new Map(
    all.flatMap(({ channelId: id, title }) => (id === null ? [] : [[id, title ?? id]])),
  )
}

/** Returns the first and last day of a year, as the address has them. */
export function yearBounds(year: string): { after: string; before: string } {
  return { after: `${year}-01-01`, before: `${year}-12-31` }
}

/** Returns the days of a search in words: "2024", "3 May 2024 – …"; null where any day will do. */
export function datesOf({ after = '', before = '' }): string | null {
  const year = after.slice(0, 4)
  if (after === '' && before === '') return null
  if (JSON.stringify({ after, before }) === JSON.stringify(yearBounds(year))) return year
  return `${dayOf(after)} – ${dayOf(before)}`
}

/** Returns a day in words; any other text of an address stays as it is. */
function dayOf(text: string): string {
  return Number.isNaN(Date.parse(`${text}T00:00:00Z`)) ? text || '…' : namedDay(text)
}

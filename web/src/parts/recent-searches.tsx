/** The latest searches of this browser, each of which is one click away. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { visitQuery } from '../api/queries.ts'
import { dotted, languageName } from '../format.ts'
import { forgetSearch, forgetSearches, useKeptSearches } from '../kept-searches.ts'
import { CHANNELS, channelsOf, datesOf } from '../search-filters.ts'
import { Button } from './controls.tsx'

export function RecentSearches() {
  const { data: visit } = useQuery(visitQuery)
  const { data: library } = useQuery(CHANNELS)
  const accountId = visit?.accountId ?? ''
  const searches = useKeptSearches(accountId)
  const channels = channelsOf(library)
  if (searches.length === 0) return null
  return (
    <section aria-labelledby="recent">
      <div className="flex items-center justify-between gap-4">
        <h2 id="recent" className="font-sans text-sm font-semibold">
          Recent searches
        </h2>
        <Button kind="quiet" size="small" className="-mr-3" onClick={() => forgetSearches()}>
          Clear all
        </Button>
      </div>
      <ul className="text-[0.9375rem]">
        {searches.map((search) => {
          const { q, channel, language } = search
          const name = channel === undefined ? null : (channels.get(channel) ?? 'one channel')
          const spoken = language === undefined ? null : languageName(language)
          return (
            <li key={JSON.stringify(search)} className="-mx-2 flex rounded-lg hover:bg-sunken">
              <Link
                to="/search"
                search={search}
                className="min-w-0 flex-1 truncate px-2 py-1.5 no-underline"
              >
                <bdi>{q}</bdi>{' '}
                <span className="ml-2 text-sm text-muted">
                  {dotted([name, spoken, datesOf(search)])}
                </span>
              </Link>
              <button
                type="button"
                aria-label={`Remove ${q}`}
                onClick={() => forgetSearch(accountId, search)}
                className="w-9 shrink-0 text-muted hover:text-ink"
              >
                ×
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

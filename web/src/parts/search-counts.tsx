/** How often something is said, by channel and by year, as numbers that narrow the search. */
import { Link } from '@tanstack/react-router'
import type { AskedSearch, Mentions } from '../api/search.ts'
import { count, counted } from '../format.ts'

const CHANNELS_SHOWN = 12

type Counted = { transcripts: number; mentions: number }

export function SearchCounts({ asked, found }: { asked: AskedSearch; found: Mentions }) {
  const years = yearsOf(found.months)
  const { channels } = found
  if (years.length < 2 && channels.length < 2) return null
  return (
    <div className="mb-6 grid gap-x-10 gap-y-4 sm:grid-cols-2">
      {channels.length > 1 && (
        <nav aria-label="Mentions by channel">
          <h2 className="mb-1 text-sm font-medium">By channel</h2>
          <ul>
            {channels.slice(0, CHANNELS_SHOWN).map(({ channelName, channelId, ...counts }) => (
              <Line
                key={channelId ?? channelName ?? ''}
                name={channelName ?? 'Unknown'}
                counts={counts}
                search={
                  channelId === null && channelName === null
                    ? null
                    : { ...asked, channel: channelId ?? channelName ?? '' }
                }
              />
            ))}
          </ul>
        </nav>
      )}
      {years.length > 1 && (
        <nav aria-label="Mentions by year">
          <h2 className="mb-1 text-sm font-medium">By year</h2>
          <ul>
            {years.map(({ year, ...counts }) => (
              <Line
                key={year ?? ''}
                name={year ?? 'Unknown'}
                counts={counts}
                search={
                  year === null
                    ? null
                    : { ...asked, after: `${year}-01-01`, before: `${year}-12-31` }
                }
              />
            ))}
          </ul>
        </nav>
      )}
    </div>
  )
}

/** `search` is null where nothing can be opened. */
function Line({
  name,
  counts: { mentions, transcripts },
  search,
}: {
  name: string
  counts: Counted
  search: AskedSearch | null
}) {
  return (
    <li className="flex items-baseline justify-between gap-4 border-b border-line py-1 text-sm">
      {search === null ? (
        <span className="py-0.5 text-muted">{name}</span>
      ) : (
        <Link to="/search" search={search} className="link min-w-0 truncate py-0.5">
          <bdi>{name}</bdi>
        </Link>
      )}
      <span className="numbers shrink-0 text-muted">
        <strong className="font-medium text-ink">{count(mentions)}</strong> in{' '}
        {counted(transcripts, 'transcript')}
      </span>
    </li>
  )
}

/** Returns the years, the latest first; `year` is null for what has no known date, and last. */
function yearsOf(months: Mentions['months']): (Counted & { year: string | null })[] {
  const years = new Map<string | null, Counted & { year: string | null }>()
  for (const { month, transcripts, mentions } of months) {
    const year = month?.slice(0, 4) ?? null
    const known = years.get(year) ?? { year, transcripts: 0, mentions: 0 }
    years.set(year, {
      year,
      transcripts: known.transcripts + transcripts,
      mentions: known.mentions + mentions,
    })
  }
  return [...years.values()].toReversed()
}

/** How often something is said, by channel and by year, as numbers that narrow the search. */
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { AskedSearch, Mentions } from '../api/search.ts'
import { count, counted } from '../format.ts'

const CHANNELS_SHOWN = 12

type Counted = { transcripts: number; mentions: number }

export function SearchCounts({ asked, found }: { asked: AskedSearch; found: Mentions }) {
  const years = yearsOf(found.months)
  const { channels } = found
  if (years.length < 2 && channels.length < 2) return null
  return (
    <div className="mb-4 space-y-3">
      <Chips label="Mentions by channel">
        {channels.slice(0, CHANNELS_SHOWN).map(({ channelName, channelId, ...counts }) => {
          const channel = channelId ?? channelName
          return (
            <Line
              key={channel ?? ''}
              name={channelName ?? 'Unknown'}
              counts={counts}
              search={channel === null ? null : { ...asked, channel }}
            />
          )
        })}
      </Chips>
      <Chips label="Mentions by year">
        {years.map(({ year, ...counts }) => (
          <Line
            key={year ?? ''}
            name={year ?? 'Unknown'}
            counts={counts}
            search={
              year === null ? null : { ...asked, after: `${year}-01-01`, before: `${year}-12-31` }
            }
          />
        ))}
      </Chips>
    </div>
  )
}

/** A line of numbers, unless there is only one; on a phone it is a row that scrolls, so that the quotes come soon. */
function Chips({ label, children }: { label: string; children: ReactElement[] }) {
  if (children.length < 2) return null
  return (
    <nav aria-label={label}>
      <ul className="flex gap-2 max-sm:-mx-1 max-sm:overflow-x-auto max-sm:p-1 sm:flex-wrap">
        {children}
      </ul>
    </nav>
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
  const said = `${counted(mentions, 'mention')} in ${counted(transcripts, 'transcript')}`
  const look =
    'inline-flex gap-1.5 whitespace-nowrap rounded-full border border-line px-3 py-1 text-sm no-underline'
  const words = (
    <>
      <bdi>{name}</bdi> <span className="numbers text-muted">{count(mentions)}</span>
    </>
  )
  return (
    <li title={said}>
      {search === null ? (
        <span className={`${look} text-muted`}>{words}</span>
      ) : (
        <Link to="/search" search={search} className={`${look} hover:border-control`}>
          {words}
        </Link>
      )}
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

/** How often something is said, by channel and by year, as numbers that narrow it; the chosen one leads back. */
import { Link } from '@tanstack/react-router'
import type { Mentions, SearchAddress } from '../api/search.ts'
import { count, counted } from '../format.ts'
import { yearBounds } from '../search-filters.ts'

const CHANNELS_SHOWN = 12

/** `part` is what narrows the search to it; null where nothing can. */
type Row = {
  name: string | null
  part: SearchAddress | null
  transcripts: number
  mentions: number
}

type Props = { asked: SearchAddress } & { [By in 'byChannel' | 'byMonth']: Mentions | undefined }

/**
 * Both are of the search without what they narrow, so that the others stay in sight beside the chosen one. On a narrow
 * screen each is a row that scrolls, so that the quotes come soon; a single number is left out.
 */
export function SearchCounts({ asked, byChannel, byMonth }: Props) {
  const { channel: _channel, ...everywhere } = asked
  const { after: _after, before: _before, month: _month, ...always } = asked
  const groups = [
    { by: 'channel', rows: channelsIn(byChannel?.channels ?? []), rest: everywhere },
    { by: 'year', rows: yearsIn(byMonth?.months ?? []), rest: always },
  ]
  return groups.map(
    ({ by, rows, rest }) =>
      rows.length > 1 && (
        <nav key={by} aria-label={`Mentions by ${by}`}>
          <p aria-hidden="true" className="mb-2 text-sm font-semibold max-lg:hidden">
            Mentions by {by}
          </p>
          <ul
            className={`flex gap-2 max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 max-lg:py-1 ${by === 'channel' ? 'lg:-mx-3 lg:flex-col lg:gap-0 lg:[&>li>a]:justify-between lg:[&>li>a:not([aria-current=true],:hover)]:border-transparent' : 'lg:flex-wrap'}`}
          >
            {rows.map(({ name, part, mentions, transcripts }) => {
              const chosen = { ...asked, ...part }
              const isChosen = part !== null && JSON.stringify(chosen) === JSON.stringify(asked)
              return (
                <li
                  key={name ?? ''}
                  title={`${counted(mentions, 'mention')} in ${counted(transcripts, 'transcript')}`}
                >
                  <Link
                    to="/search"
                    search={isChosen ? rest : { ...rest, ...part }}
                    disabled={part === null}
                    aria-current={isChosen}
                    activeOptions={{ exact: true }}
                    className="flex gap-1.5 rounded-full border border-line px-3 py-1 text-sm whitespace-nowrap no-underline hover:border-control aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft aria-[current=true]:font-medium"
                  >
                    <bdi className="max-w-52 truncate">{name ?? 'Unknown'}</bdi>{' '}
                    <span className="numbers text-muted">
                      {count(mentions)}
                      {isChosen && ' ×'}
                    </span>
                  </Link>
                </li>
              )
            })}
          </ul>
        </nav>
      ),
  )
}

function channelsIn(channels: Mentions['channels']): Row[] {
  return channels.slice(0, CHANNELS_SHOWN).map(({ channelName: name, channelId, ...counts }) => {
    const channel = channelId ?? name
    return { ...counts, name, part: channel === null ? null : { channel } }
  })
}

/** Returns the years, the latest first, and last what has no known date. */
function yearsIn(months: Mentions['months']): Row[] {
  const years = new Map<string | null, Row>()
  for (const { month, ...counts } of months) {
    const name = month?.slice(0, 4) ?? null
    const known = years.get(name) ?? { transcripts: 0, mentions: 0 }
    const transcripts = known.transcripts + counts.transcripts
    const mentions = known.mentions + counts.mentions
    const part = name === null ? null : yearBounds(name)
    years.set(name, { name, part, transcripts, mentions })
  }
  return [...years.values()].toReversed()
}

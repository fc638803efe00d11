/** How often something is said, month by month: each bar opens its quotes. */
import { Link } from '@tanstack/react-router'
import { counted, daysOfMonth, monthName } from '../format.ts'
import type { SearchAddress } from '../api/search.ts'
import { TextLink } from './text-link.tsx'

type Month = { month: string | null; count: number }

/** Most bars; older months are left out, since bars would be too narrow to hit. */
const BARS_MAX = 96
/** Most bars without scrolling: they fit on a phone. With more, the strip scrolls, and years are below it. */
const UNSCROLLED_MAX = 12

/** Returns the first and the last day of a month. */
export function monthBounds(month: string): { after: string; before: string } {
  const days = daysOfMonth(month)
  return { after: days[0] ?? month, before: days.at(-1) ?? month }
}

export function MonthBars({
  months,
  chosen,
  addressOf,
}: {
  months: Month[]
  chosen: string | null
  addressOf: (month: string | null) => SearchAddress
}) {
  const bars = withEmptyMonths(months)
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const isScrolled = bars.length > UNSCROLLED_MAX
  if (bars.length === 0) return null
  return (
    <figure className="mb-6">
      <ol
        ref={toLatest}
        className="flex h-32 items-end overflow-x-auto"
        aria-label="Transcripts by month"
      >
        {bars.map(({ month, count }) => (
          <li key={month} className="flex h-full max-w-10 min-w-6 flex-1 flex-col justify-end">
            {count > 0 && (
              <Link
                to="/search"
                search={addressOf(month === chosen ? null : month)}
                aria-label={`${monthName(month)}: ${counted(count, 'transcript')}`}
                aria-current={month === chosen}
                title={`${monthName(month)}: ${count}`}
                className="group flex min-h-0 w-full flex-1 items-end px-px"
              >
                <span
                  style={{ height: `${Math.max(4, (100 * count) / most)}%` }}
                  className="w-full rounded-t bg-accent opacity-60 group-hover:opacity-100 group-aria-[current=true]:opacity-100"
                />
              </Link>
            )}
            {isScrolled && (
              <span
                aria-hidden="true"
                className="numbers h-6 w-0 shrink-0 pt-1 text-xs whitespace-nowrap text-muted"
              >
                {month.endsWith('-01') ? month.slice(0, 4) : ''}
              </span>
            )}
          </li>
        ))}
      </ol>
      <figcaption className="mt-1.5 flex justify-between border-t border-line pt-1.5 text-sm text-muted">
        <span>{isScrolled ? '' : monthName(bars[0]?.month ?? '')}</span>
        {chosen !== null && (
          <TextLink to="/search" search={addressOf(null)}>
            Only {monthName(chosen)} – show all
          </TextLink>
        )}
        {bars.length > 1 && !isScrolled && <span>{monthName(bars.at(-1)?.month ?? '')}</span>}
      </figcaption>
    </figure>
  )
}

/** Scrolls to the latest months where not all fit. */
function toLatest(list: HTMLElement | null): void {
  list?.scrollTo({ left: list.scrollWidth })
}

/** Returns every month from the first to the last, or the latest ones where they are too many. */
function withEmptyMonths(months: Month[]): { month: string; count: number }[] {
  const known = new Map(
    months.flatMap(({ month, count }) => (month === null ? [] : [[month, count] as const])),
  )
  const [first = ''] = known.keys()
  const bars: { month: string; count: number }[] = []
  let month = [...known.keys()].at(-1) ?? ''
  while (month !== '' && month >= first && bars.length < BARS_MAX) {
    bars.unshift({ month, count: known.get(month) ?? 0 })
    month = monthBefore(month)
  }
  return bars
}

/** Returns the month before "2026-01": "2025-12". */
export function monthBefore(month: string): string {
  const [year = 1970, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7)
}

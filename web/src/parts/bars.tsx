/** The one chart of the site: bars, each with its words, stacked or not, that may open something. */
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SearchAddress } from '../api/search.ts'
import { count, counted, dayOfYear, daysOfMonth, microsOf, monthName, usd } from '../format.ts'
import { TextLink } from './text-link.tsx'

type Bar = {
  key: string
  /** A name, such as "November 2026", and its value in words. */
  label: string
  words: string
  /** More about it, for the pointer. */
  title?: string
  /** The value's parts from the foot upwards, each in a look of its own. */
  parts: readonly { look: string; size: number }[]
  link?: LinkProps
  isChosen?: boolean
  /** Words below the bar, in lines. */
  under?: readonly string[]
}

const LOOK = 'bg-accent'
/** Widest bar: two are no slabs, and stand beside each other, while the hours of a day fill their page. */
const BAR_REM_MAX = 3
/** Most bars that can be pressed on a phone without scrolling. */
const UNSCROLLED_MAX = 12
/** Height of the lowest bar that is not nothing, in percent of the highest. */
const SEEN_MIN = 4

const sumOf = ({ parts }: Bar): number => parts.reduce((sum, { size }) => sum + size, 0)

/**
 * Shows bars beside the highest one. With `said` they are one picture, which says that; else a list. A `small` chart
 * stands in a line of a table.
 */
export function Bars({
  name,
  said,
  bars,
  isSmall = false,
  children,
}: {
  name: string
  said?: string
  bars: readonly Bar[]
  isSmall?: boolean
  children?: ReactNode
}) {
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined || last === undefined) return null
  const most = Math.max(...bars.map(sumOf)) || 1
  const isAnyChosen = bars.some(({ isChosen }) => isChosen)
  const isScrolled = bars.length > UNSCROLLED_MAX && bars.some(({ link }) => link !== undefined)
  const [List, Item] = said === undefined ? (['ol', 'li'] as const) : (['div', 'div'] as const)
  const told =
    said === undefined ? { 'aria-label': name } : { role: 'img', 'aria-label': `${name}: ${said}` }
  return (
    <figure
      style={{ maxWidth: `${Math.max(bars.length, isSmall ? 0 : 6) * BAR_REM_MAX}rem` }}
      className={isSmall ? 'w-36' : 'mb-6'}
    >
      <List
        {...told}
        // Other months are another list, which begins at its latest, too.
        key={`${first.key} ${last.key}`}
        ref={isScrolled ? toLatest : null}
        className={`relative flex items-end ${isSmall ? 'h-7' : 'h-32'} ${isScrolled ? 'overflow-x-auto' : ''} ${first.under === undefined ? 'border-b border-line' : ''}`}
      >
        {bars.map((bar) => (
          <Item
            key={bar.key}
            title={bar.link === undefined ? (bar.title ?? wordsOf(bar)) : undefined}
            style={{ maxWidth: `${BAR_REM_MAX}rem` }}
            className={`flex h-full flex-1 flex-col justify-end ${isScrolled ? 'min-w-6' : 'min-w-0'}`}
          >
            <Pressed bar={bar} isRead={said === undefined}>
              <Stack bar={bar} most={most} isFaint={isAnyChosen && bar.isChosen !== true} />
            </Pressed>
            {bar.under !== undefined && <Under lines={bar.under} />}
          </Item>
        ))}
      </List>
      {!isSmall && (
        <figcaption className="mt-1.5 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
          {first.under === undefined && (
            <>
              <span>{first.label}</span>
              <span>{last.label}</span>
            </>
          )}
          {children}
        </figcaption>
      )}
    </figure>
  )
}

const wordsOf = ({ label, words }: Bar): string => `${label}: ${words}`

/** The whole height of a bar is pressed; where there is nothing, nothing is. */
function Pressed({ bar, isRead, children }: { bar: Bar; isRead: boolean; children: ReactNode }) {
  const place = 'flex min-h-0 w-full flex-1 items-end px-px'
  if (bar.link === undefined)
    return (
      <span className={place}>
        {isRead && <span className="sr-only">{wordsOf(bar)}</span>}
        {children}
      </span>
    )
  return (
    <Link
      {...bar.link}
      aria-current={bar.isChosen === true}
      aria-label={wordsOf(bar)}
      title={bar.title ?? wordsOf(bar)}
      className={`group ${place}`}
    >
      {children}
    </Link>
  )
}

function Stack({ bar, most, isFaint }: { bar: Bar; most: number; isFaint: boolean }) {
  const sum = sumOf(bar)
  if (sum === 0) return null
  return (
    <span
      aria-hidden
      style={{ height: `${Math.max(SEEN_MIN, (100 * sum) / most)}%` }}
      className={`flex w-full flex-col-reverse overflow-hidden rounded-t-sm group-hover:opacity-100 ${isFaint ? 'opacity-40' : 'opacity-80'}`}
    >
      {bar.parts.map(({ look, size }, at) => (
        <span key={at} style={{ height: `${(100 * size) / sum}%` }} className={look} />
      ))}
    </span>
  )
}

function Under({ lines }: { lines: readonly string[] }) {
  return (
    <span
      aria-hidden
      className={`numbers shrink-0 border-t border-line pt-1 text-xs leading-4 whitespace-pre text-muted ${lines.length > 1 ? 'h-10' : 'h-6'}`}
    >
      <span className="block w-0">{lines.join('\n')}</span>
    </span>
  )
}

/** Scrolls to the latest bars where not all fit. */
function toLatest(list: HTMLElement | null): void {
  list?.scrollTo({ left: list.scrollWidth })
}

const SHORT_MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' })

/** Returns a month's key, its label, and below it its short name and where a year begins the year. */
export function monthBar(month: string, at: number, { length }: { length: number }) {
  const isBegun = at === 0 || month.endsWith('-01')
  const short = length > UNSCROLLED_MAX ? '' : SHORT_MONTH.format(new Date(`${month}-01`))
  const year = isBegun && (length <= UNSCROLLED_MAX || at > 0) ? month.slice(0, 4) : ''
  return { key: month, label: monthName(month), under: short === '' ? [year] : [short, year] }
}

/** Returns every month from the first to the last, or the latest ones where they are too many. */
export function monthsBetween(first: string, last: string, most: number): string[] {
  const months: string[] = []
  for (let at = last; at !== '' && at >= first && months.length < most; at = monthBefore(at))
    months.unshift(at)
  return months
}

/** Returns the month before "2026-01": "2025-12". */
function monthBefore(month: string): string {
  const [year = 1970, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7)
}

/** Returns the first and the last day of a month. */
export function monthBounds(month: string): { after: string; before: string } {
  const days = daysOfMonth(month)
  return { after: days[0] ?? month, before: days.at(-1) ?? month }
}

/** Most months of a search; with more, bars would be too narrow to hit. */
const MONTHS_MAX = 96

/** How often something is said, month by month: each bar opens its quotes. */
export function MonthBars({
  months: known,
  chosen,
  addressOf,
}: {
  /** How many transcripts each month has, the earliest first. */
  months: ReadonlyMap<string, number>
  chosen: string | null
  addressOf: (month: string | null) => SearchAddress
}) {
  const told = [...known.keys()]
  const all = monthsBetween(told[0] ?? '', told.at(-1) ?? '', MONTHS_MAX)
  const bars = all.map((month, at) => {
    const count = known.get(month) ?? 0
    const isChosen = month === chosen
    const link: LinkProps = { to: '/search', search: addressOf(isChosen ? null : month) }
    const words = counted(count, 'transcript')
    const bar = { ...monthBar(month, at, all), words, parts: [{ look: LOOK, size: count }] }
    return count === 0 ? bar : { ...bar, isChosen, link }
  })
  return (
    <Bars name="Transcripts by month" bars={bars}>
      {chosen !== null && (
        <TextLink to="/search" search={addressOf(null)}>
          Only {monthName(chosen)} – show all
        </TextLink>
      )}
    </Bars>
  )
}

type Day = { day: string; transcripts: number; charged: string }

/** The cost of each of these days, which have no gaps; `said` and `isSmall` are those of Bars. */
export function DayBars({
  days,
  ...rest
}: {
  days: readonly Day[]
  said?: string
  isSmall?: boolean
}) {
  const bars = days.map(({ day, charged, transcripts }) => ({
    key: day,
    label: dayOfYear(day),
    words: `${usd(charged)}, ${counted(transcripts, 'transcript')}`,
    parts: [{ look: LOOK, size: Number(microsOf(charged)) }],
  }))
  return <Bars name="Charged by day (UTC)" bars={bars} {...rest} />
}

export const OUTCOMES = [
  { of: 'delivered', word: 'delivered', look: LOOK },
  { of: 'answered', word: 'without captions, private or gone', look: 'bg-control' },
  { of: 'blocked', word: 'blocked', look: 'bg-warn' },
  { of: 'failed', word: 'failed', look: 'bg-danger' },
] as const

/** Numbers of several kinds by hour or by day, with the sums in words. */
export function TallyBars<Kind extends string>({
  name,
  kinds,
  bars,
}: {
  name: string
  kinds: readonly { of: Kind; word: string; look: string }[]
  bars: readonly ({ label: string } & Record<Kind, number>)[]
}) {
  const sums = kinds.map((kind) => {
    return { ...kind, sum: bars.reduce((sum, bar) => sum + bar[kind.of], 0) }
  })
  const whole = sums.reduce((sum, kind) => sum + kind.sum, 0) || 1
  return (
    <>
      <Bars
        name={name}
        said={sums.map(({ word, sum }) => `${sum} ${word}`).join(', ')}
        bars={bars.map((bar, at) => ({
          key: String(at),
          label: bar.label,
          words: kinds.map(({ of, word }) => `${bar[of]} ${word}`).join(', '),
          parts: kinds.map(({ of, look }) => ({ look, size: bar[of] })),
        }))}
      />
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {sums.map(({ of, word, look, sum }) => (
          <span key={of} className="numbers flex items-center gap-2">
            <span className={`inline-block size-3 rounded-sm ${look}`} />
            {count(sum)} {word} ({Math.round((100 * sum) / whole)} %)
          </span>
        ))}
      </p>
    </>
  )
}

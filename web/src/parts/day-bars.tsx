/** The cost of each day of a month, as bars; a table holds the numbers for readers who do not see them. */
import { counted, daysOfMonth, microsOf, usd } from '../format.ts'

type Day = { day: string; transcripts: number; charged: string }

const NAME = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function DayBars({ month, days }: { month: string; days: Day[] }) {
  const known = new Map(days.map((day) => [day.day, day]))
  const all = daysOfMonth(month).map(
    (day) => known.get(day) ?? { day, transcripts: 0, charged: '0.000' },
  )
  // A single bar says no more than the sum below it.
  if (known.size < 2) return null
  const most = all.reduce((max, { charged }) => {
    const micros = microsOf(charged)
    return micros > max ? micros : max
  }, 1n)
  return (
    <figure className="my-6">
      <ol className="flex h-24 items-end" aria-label="Charged by day (UTC)">
        {all.map((one) => (
          <li key={one.day} className="flex h-full flex-1 items-end px-px" title={wordsOf(one)}>
            <span className="sr-only">{wordsOf(one)}</span>
            <span
              aria-hidden
              style={{ height: heightOf(one, most) }}
              className="w-full rounded-t bg-accent opacity-70"
            />
          </li>
        ))}
      </ol>
      <figcaption className="mt-1.5 flex justify-between border-t border-line pt-1.5 text-sm text-muted">
        <span>{nameOf(all[0]?.day ?? '')}</span>
        <span>{nameOf(all.at(-1)?.day ?? '')}</span>
      </figcaption>
    </figure>
  )
}

function heightOf({ charged }: Day, most: bigint): string {
  const micros = microsOf(charged)
  return micros === 0n ? '0' : `${Math.max(4, Number((micros * 100n) / most))}%`
}

function wordsOf({ day, charged, transcripts }: Day): string {
  return `${nameOf(day)}: ${usd(charged)}, ${counted(transcripts, 'transcript')}`
}

function nameOf(day: string): string {
  return NAME.format(new Date(`${day}T00:00:00Z`))
}

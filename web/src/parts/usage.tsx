/** The cost of each month, as bars by key, app and website, and as a table of those; a bar opens the month's jobs. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { formatUsd } from '../../../src/model/money/money.ts'
import type { Usage } from '../api/account.ts'
import { spenderName, usageQuery } from '../api/money.ts'
import { count, counted, microsOf, monthName, usd, usdInColumn, usdOfMicros } from '../format.ts'
import { buttonLook, Section } from './controls.tsx'
import { DownloadIcon } from './icons.tsx'
import { monthBefore } from './month-bars.tsx'
import { TextLink } from './text-link.tsx'

type Row = Usage['rows'][number]

const route = getRouteApi('/member/billing')
/** Number of months with a bar. */
const MONTHS = 12
/** Looks of what cost most, and of all others. */
const TONES = ['bg-accent', 'bg-accent/60', 'bg-accent/30', 'bg-control/55']

export function UsageSection() {
  const { month, by } = route.useSearch()
  const { data } = useQuery(usageQuery)
  const rows = data?.rows ?? []
  if (rows.length === 0) return null
  const csv = (
    <a href="/account/usage.csv" download className={buttonLook('plain', 'small')}>
      <DownloadIcon /> Download CSV
    </a>
  )
  const months = monthsOf(rows)
  const inMonth = rows.filter((row) => month === undefined || row.month === month)
  const spenders = totalsOf(inMonth)
  const order = totalsOf(rows).map(({ spender }) => spender.id)
  const toneOf = (id: string) => TONES[Math.min(order.indexOf(id), TONES.length - 1)] ?? ''
  return (
    <Section title="Usage" about="By month (UTC) and by what started the jobs." action={csv}>
      {months.length > 1 && (
        <Bars months={months} rows={rows} chosen={month} by={by} toneOf={toneOf} />
      )}
      <table className="w-full text-[0.9375rem]">
        <caption className="sr-only">
          {month === undefined ? 'Usage of all months' : `Usage of ${monthName(month)}`}
        </caption>
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col" className="pb-2 text-left font-medium">
              Started by
            </th>
            <th scope="col" className="pb-2 text-right font-medium max-sm:hidden">
              Jobs
            </th>
            <th scope="col" className="pb-2 pl-4 text-right font-medium">
              Transcripts
            </th>
            <th scope="col" className="pb-2 pl-4 text-right font-medium">
              {month === undefined ? 'Charged' : `Charged in ${monthName(month)}`}
            </th>
          </tr>
        </thead>
        <tbody className="numbers divide-y divide-line border-y border-line">
          {spenders.map(({ spender, jobs, transcripts, micros }) => (
            <tr key={spender.id}>
              <td className="py-2.5 wrap-anywhere">
                <span
                  aria-hidden
                  className={`mr-2 inline-block size-2.5 rounded-sm ${toneOf(spender.id)}`}
                />
                <TextLink to="/billing" search={{ month, by: spender.id }} resetScroll={false}>
                  <bdi>{spenderName(spender)}</bdi>
                </TextLink>
              </td>
              <td className="py-2.5 text-right max-sm:hidden">{count(jobs)}</td>
              <td className="py-2.5 pl-4 text-right">{count(transcripts)}</td>
              <td className="py-2.5 pl-4 text-right">{usdInColumn(formatUsd(micros))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

/** Returns the months from the first to the latest one, twelve at most; `rows` are the latest first. */
function monthsOf(rows: readonly Row[]): string[] {
  const months = [rows[0]?.month ?? '']
  const first = rows.at(-1)?.month ?? ''
  while (months.length < MONTHS && (months[0] ?? '') > first)
    months.unshift(monthBefore(months[0] ?? ''))
  return months
}

type Total = Pick<Row, 'spender' | 'jobs' | 'transcripts'> & { micros: bigint }

/** Returns the sums of each spender, what cost most first. */
function totalsOf(rows: readonly Row[]): Total[] {
  const totals = new Map<string, Total>()
  for (const { spender, jobs, transcripts, charged } of rows) {
    const so = totals.get(spender.id) ?? { spender, jobs: 0, transcripts: 0, micros: 0n }
    so.jobs += jobs
    so.transcripts += transcripts
    so.micros += microsOf(charged)
    totals.set(spender.id, so)
  }
  return [...totals.values()].sort((a, b) => (a.micros < b.micros ? 1 : -1))
}

type BarsProps = {
  months: readonly string[]
  rows: readonly Row[]
  chosen: string | undefined
  by: string | undefined
  toneOf: (id: string) => string
}

function Bars({ months, rows: all, chosen, by, toneOf }: BarsProps) {
  const shown = months.map((month) => {
    const of = all.filter(
      (row) => row.month === month && (by === undefined || row.spender.id === by),
    )
    return { month, rows: of, micros: of.reduce((sum, row) => sum + microsOf(row.charged), 0n) }
  })
  const most = shown.reduce((max, { micros }) => (micros > max ? micros : max), 1n)
  const share = (micros: bigint, of: bigint) => `${Number((micros * 1000n) / (of || 1n)) / 10}%`
  return (
    <figure className="mb-6">
      <ol className="flex h-32 items-end" aria-label="Charged by month (UTC)">
        {shown.map(({ month, rows, micros }) => (
          <li key={month} className="flex h-full max-w-16 flex-1 flex-col justify-end">
            <Link
              to="/billing"
              search={{ month: month === chosen ? undefined : month, by }}
              resetScroll={false}
              aria-current={month === chosen}
              aria-label={`${monthName(month)}: ${usdOfMicros(micros)}`}
              title={`${monthName(month)}: ${rows.map((row) => `${spenderName(row.spender)} ${usd(row.charged)}, ${counted(row.transcripts, 'transcript')}`).join('; ')}`}
              className="group flex min-h-0 w-full flex-1 items-end px-px"
            >
              <span
                style={{ height: share(micros, most) }}
                className="flex w-full flex-col-reverse overflow-hidden rounded-t group-hover:opacity-80 group-aria-[current=true]:outline-2 group-aria-[current=true]:outline-accent"
              >
                {rows.map((row) => (
                  <span
                    key={row.spender.id}
                    style={{ height: share(microsOf(row.charged), micros) }}
                    className={toneOf(row.spender.id)}
                  />
                ))}
              </span>
            </Link>
          </li>
        ))}
      </ol>
      <figcaption className="mt-1.5 flex justify-between border-t border-line pt-1.5 text-sm text-muted">
        <span>{monthName(shown[0]?.month ?? '')}</span>
        <span>{monthName(shown.at(-1)?.month ?? '')}</span>
      </figcaption>
    </figure>
  )
}

/** The cost of each month, as bars by key, app and website, and as a table of those; a bar opens the month's jobs. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, type LinkProps } from '@tanstack/react-router'
import { formatUsd } from '../../../src/model/money/money.ts'
import type { Usage } from '../api/account.ts'
import { spenderName, usageQuery } from '../api/money.ts'
import { count, counted, microsOf, monthName, usd, usdInColumn, usdOfMicros } from '../format.ts'
import { Bars, monthBar, monthsBetween } from './bars.tsx'
import { Section } from './controls.tsx'
import { DataTable, FileButton } from './data-table.tsx'
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
  const inMonth = rows.filter((row) => month === undefined || row.month === month)
  const order = totalsOf(rows).map(({ spender }) => spender.id)
  const toneOf = (id: string) => TONES[Math.min(order.indexOf(id), TONES.length - 1)] ?? ''
  const bars = barsOf({ rows, chosen: month, by, toneOf })
  return (
    <Section
      title="Usage"
      about={`${month === undefined ? 'By month' : monthName(month)} (UTC) and by what started the jobs.`}
      action={<FileButton href="/account/usage.csv">Download CSV</FileButton>}
    >
      {bars.length > 1 && <Bars name="Charged by month (UTC)" bars={bars} />}
      <DataTable
        name={month === undefined ? 'Usage of all months' : `Usage of ${monthName(month)}`}
        rows={totalsOf(inMonth)}
        keyOf={({ spender }) => spender.id}
        columns={({ figure, wide }) => ({
          'Started by': ({ spender }) => (
            <span className="wrap-anywhere">
              <span
                aria-hidden
                className={`mr-2 inline-block size-2.5 rounded-sm ${toneOf(spender.id)}`}
              />
              <TextLink to="/billing" search={{ month, by: spender.id }} resetScroll={false}>
                <bdi>{spenderName(spender)}</bdi>
              </TextLink>
            </span>
          ),
          Jobs: wide(figure(({ jobs }) => count(jobs))),
          Transcripts: figure(({ transcripts }) => count(transcripts)),
          Charged: figure(({ micros }) => usdInColumn(formatUsd(micros))),
        })}
      />
    </Section>
  )
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

type Shown = {
  rows: readonly Row[]
  chosen: string | undefined
  by: string | undefined
  toneOf: (id: string) => string
}

/** Returns a bar for each month from the first to the latest one; rows are the latest first. */
function barsOf({ rows: all, chosen, by, toneOf }: Shown) {
  const months = monthsBetween(all.at(-1)?.month ?? '', all[0]?.month ?? '', MONTHS)
  return months.map((month, at) => {
    const rows = all.filter(
      (row) => row.month === month && (by === undefined || row.spender.id === by),
    )
    const isChosen = month === chosen
    const link: LinkProps = {
      to: '/billing',
      search: { month: isChosen ? undefined : month, by },
      resetScroll: false,
    }
    const said = rows.map(
      ({ spender, charged, transcripts }) =>
        `${spenderName(spender)} ${usd(charged)}, ${counted(transcripts, 'transcript')}`,
    )
    return {
      ...monthBar(month, at, months),
      words: usdOfMicros(rows.reduce((sum, { charged }) => sum + microsOf(charged), 0n)),
      title: `${monthName(month)}: ${said.join('; ')}`,
      parts: rows.map(({ spender, charged }) => {
        return { look: toneOf(spender.id), size: Number(microsOf(charged)) }
      }),
      isChosen,
      link,
    }
  })
}

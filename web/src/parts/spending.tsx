/**
 * The costs of jobs: a line each, filtered by month and by the key, app or website that started them, with the days of
 * the month as bars.
 */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { pageAt } from '../addresses.ts'
import type { Spending } from '../api/account.ts'
import {
  SPENDING_PAGE,
  spenderName,
  type SpendingAddress,
  spendingFilter,
  spendingQuery,
} from '../api/money.ts'
import { count, counted, daysOfMonth, monthName, usd, usdInColumn } from '../format.ts'
import { DayBars } from './bars.tsx'
import { buttonLook, Section } from './controls.tsx'
import { DataTable, FileButton, timeCell } from './data-table.tsx'
import { ListChoice } from './list-head.tsx'
import { OfBatch } from './of-batch.tsx'
import { Pager } from './pager.tsx'
import { Empty, Waiting } from './states.tsx'
import { PAGE_NAMES } from '../words.ts'
import { TextLink } from './text-link.tsx'

const route = getRouteApi('/member/billing')

export function SpendingSection() {
  const { month, by, page = 1 } = route.useSearch()
  const navigate = useNavigate({ from: '/billing' })
  const query = useQuery(spendingQuery({ month, by, page }))
  const { data } = query
  const go = (search: SpendingAddress) => void navigate({ search, resetScroll: false })
  const filter = new URLSearchParams(spendingFilter({ month, by })).toString()
  return (
    <Section
      title="Jobs"
      about="What each cost when it ended, with a signed receipt."
      action={
        data !== undefined &&
        data.months.length > 0 && (
          <div className="flex flex-wrap gap-2">
            <Filters data={data} month={month} by={by} onChange={go} />
            <FileButton href={`/account/spending.csv${filter && `?${filter}`}`} className="h-10">
              CSV for bookkeeping
            </FileButton>
          </div>
        )
      }
    >
      <Waiting query={query} lines={4} label="Loading the jobs" />
      {data?.months.length === 0 && (
        <Empty title="Nothing spent yet">
          <TextLink to="/new">Start a job</TextLink>: its cost and its receipt will be listed here.
        </Empty>
      )}
      {data !== undefined && data.months.length > 0 && (
        <>
          <Days month={month ?? data.months[0]?.month ?? ''} days={data.days} />
          <p className="numbers my-4 text-sm text-muted" role="status">
            {counted(data.total, 'job')}, {counted(data.transcripts, 'transcript')},{' '}
            <strong className="text-ink">{usd(data.charged)}</strong>
          </p>
          <Lines jobs={data.jobs} />
          <Pager
            offset={(page - 1) * SPENDING_PAGE}
            limit={SPENDING_PAGE}
            total={data.total}
            onOffset={(offset) => go({ month, by, ...pageAt(offset, SPENDING_PAGE) })}
          />
        </>
      )}
    </Section>
  )
}

type FiltersProps = SpendingAddress & {
  data: Spending
  onChange: (search: SpendingAddress) => void
}

function Filters({ data: { months, spenders }, month, by, onChange }: FiltersProps) {
  const told = months.map(
    (one) => [one.month, `${monthName(one.month)}, ${usd(one.charged)}`] as const,
  )
  return (
    <>
      <ListChoice
        label="Month"
        value={month}
        options={[['', 'All months'], ...told]}
        onChoice={(next) => onChange({ month: next || undefined, by })}
      />
      <ListChoice
        label="Started by"
        value={by}
        options={[
          ['', 'Started by anything'],
          ...spenders.map((one) => [one.id, spenderName(one)] as const),
        ]}
        onChoice={(next) => onChange({ month, by: next || undefined })}
      />
    </>
  )
}

function Lines({ jobs }: { jobs: Spending['jobs'] }) {
  return (
    <DataTable
      name="Jobs that ended"
      rows={jobs}
      keyOf={({ id }) => id}
      columns={({ act, figure, wide }) => ({
        Job: ({ id, title, batch }) => (
          <>
            <TextLink
              to="/jobs/$id"
              params={{ id }}
              dir="auto"
              className="line-clamp-2 wrap-anywhere"
            >
              {title}
            </TextLink>
            <OfBatch batch={batch} />
          </>
        ),
        Ended: wide(({ chargedAt }) => timeCell(chargedAt)),
        'Started by': wide(({ spender }) => (
          <bdi className="text-sm wrap-anywhere text-muted">{spenderName(spender)}</bdi>
        )),
        Transcripts: wide(figure(({ transcripts }) => count(transcripts))),
        Charged: figure(({ charged }) => usdInColumn(charged)),
        [PAGE_NAMES.receipt]: act(({ id, title }) => (
          <Link
            to="/receipts/$id"
            params={{ id }}
            className={buttonLook('plain', 'small')}
            aria-label={`Receipt of ${title}`}
          >
            {PAGE_NAMES.receipt}
          </Link>
        )),
      })}
    />
  )
}

/** Shows the days of a month; a single bar would say no more than the sum below it. */
function Days({ month, days }: { month: string; days: Spending['days'] }) {
  const known = new Map(days.map((one) => [one.day, one]))
  if (known.size < 2) return null
  const all = daysOfMonth(month)
  return (
    <DayBars days={all.map((day) => known.get(day) ?? { day, transcripts: 0, charged: '0.000' })} />
  )
}

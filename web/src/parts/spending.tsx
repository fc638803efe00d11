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
import { DataTable, timeCell } from './data-table.tsx'
import { DownloadIcon } from './icons.tsx'
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
  const csv = (
    <a
      href={`/account/spending.csv${filter === '' ? '' : `?${filter}`}`}
      download
      className={`${buttonLook('plain', 'small')} h-10`}
    >
      <DownloadIcon /> CSV for bookkeeping
    </a>
  )
  return (
    <Section
      title="Jobs"
      about="What each cost when it ended, with a signed receipt."
      action={
        data !== undefined &&
        data.months.length > 0 && (
          <div className="flex flex-wrap gap-2">
            <Filters data={data} month={month} by={by} onChange={go} />
            {csv}
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

function Filters({
  data,
  month,
  by,
  onChange,
}: {
  data: Spending
  month: string | undefined
  by: string | undefined
  onChange: (search: SpendingAddress) => void
}) {
  return (
    <>
      <ListChoice
        label="Month"
        value={month ?? ''}
        onChange={({ target }) => onChange({ month: target.value || undefined, by })}
      >
        <option value="">All months</option>
        {data.months.map((one) => (
          <option key={one.month} value={one.month}>
            {monthName(one.month)}, {usd(one.charged)}
          </option>
        ))}
      </ListChoice>
      <ListChoice
        label="Started by"
        value={by ?? ''}
        onChange={({ target }) => onChange({ month, by: target.value || undefined })}
      >
        <option value="">Started by anything</option>
        {data.spenders.map((one) => (
          <option key={one.id} value={one.id}>
            {spenderName(one)}
          </option>
        ))}
      </ListChoice>
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

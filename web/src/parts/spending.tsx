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
import { counted, monthName, usd, usdInColumn, when } from '../format.ts'
import { buttonLook, Choice, Section } from './controls.tsx'
import { DayBars } from './day-bars.tsx'
import { DownloadIcon } from './icons.tsx'
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
      className={buttonLook('plain', 'small')}
    >
      <DownloadIcon /> CSV for bookkeeping
    </a>
  )
  return (
    <Section
      title="Jobs"
      about="What each job cost when it ended. A job has a signed receipt that you can check yourself."
      action={data !== undefined && data.months.length > 0 ? csv : undefined}
    >
      <Waiting query={query} lines={4} label="Loading the jobs" />
      {data?.months.length === 0 && (
        <Empty title="Nothing spent yet">
          <TextLink to="/new">Start a job</TextLink>: its cost and its receipt will be listed here.
        </Empty>
      )}
      {data !== undefined && data.months.length > 0 && (
        <>
          <Filters data={data} month={month} by={by} onChange={go} />
          <DayBars month={month ?? data.months[0]?.month ?? ''} days={data.days} />
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
    <div className="flex flex-wrap gap-4">
      <Choice
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
      </Choice>
      <Choice
        label="Started by"
        value={by ?? ''}
        onChange={({ target }) => onChange({ month, by: target.value || undefined })}
      >
        <option value="">Everything</option>
        {data.spenders.map((one) => (
          <option key={one.id} value={one.id}>
            {spenderName(one)}
          </option>
        ))}
      </Choice>
    </div>
  )
}

function Lines({ jobs }: { jobs: Spending['jobs'] }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {jobs.map((job) => (
        <li key={job.id} className="flex items-baseline gap-4 py-3">
          <div className="min-w-0 flex-1">
            <p className="truncate leading-6 font-medium">
              <TextLink to="/jobs/$id" params={{ id: job.id }} dir="auto">
                {job.title}
              </TextLink>
            </p>
            <p className="text-sm text-muted">
              <time dateTime={job.chargedAt}>{when(job.chargedAt)}</time> ·{' '}
              {counted(job.transcripts, 'transcript')} · <bdi>{spenderName(job.spender)}</bdi>
              {job.batch !== null && ' · '}
              <OfBatch batch={job.batch} />
            </p>
          </div>
          <span className="numbers whitespace-nowrap">{usdInColumn(job.charged)}</span>
          <Link
            to="/receipts/$id"
            params={{ id: job.id }}
            className={buttonLook('plain', 'small')}
            aria-label={`Receipt of ${job.title}`}
          >
            {PAGE_NAMES.receipt}
          </Link>
        </li>
      ))}
    </ul>
  )
}

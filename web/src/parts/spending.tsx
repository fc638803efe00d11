/**
 * The costs of jobs: a line each, filtered by month and by the key, app or website that started them, with the days of
 * the month as bars.
 */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { pageAt } from '../addresses.ts'
import type { Spending } from '../api/account.ts'
import { SPENDING_PAGE, type SpendingAddress, spendingFilter, spendingQuery } from '../api/money.ts'
import { counted, usd, when } from '../format.ts'
import { buttonLook, Section } from './controls.tsx'
import { DayBars } from './day-bars.tsx'
import { DownloadIcon } from './icons.tsx'
import { Pager } from './pager.tsx'
import { Empty, Failed, Loading } from './states.tsx'

const route = getRouteApi('/member/billing')
const MONTH = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

export function SpendingSection() {
  const { month, by, page = 1 } = route.useSearch()
  const navigate = useNavigate({ from: '/billing' })
  const { data, error, refetch } = useQuery(spendingQuery({ month, by, page }))
  const go = (search: SpendingAddress) => void navigate({ search, resetScroll: false })
  const query = new URLSearchParams(spendingFilter({ month, by })).toString()
  const csv = (
    <a
      href={`/account/spending.csv${query === '' ? '' : `?${query}`}`}
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
      {error !== null && data === undefined && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading lines={4} label="Loading the jobs" />}
      {data?.months.length === 0 && (
        <Empty title="Nothing spent yet">
          <Link to="/new" className="link">
            Start a job
          </Link>
          : its cost and its receipt will be listed here.
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
        value={month}
        all="All months"
        options={data.months.map((one) => [
          one.month,
          `${monthName(one.month)}, ${usd(one.charged)}`,
        ])}
        onChange={(next) => onChange({ month: next, by })}
      />
      <Choice
        label="Started by"
        value={by}
        all="Everything"
        options={data.spenders.map((one) => [one.id, spenderName(one)])}
        onChange={(next) => onChange({ month, by: next })}
      />
    </div>
  )
}

function Choice({
  label,
  value = '',
  all,
  options,
  onChange,
}: {
  label: string
  value: string | undefined
  all: string
  options: (readonly [id: string, name: string])[]
  onChange: (value: string | undefined) => void
}) {
  return (
    <label className="block text-sm font-medium">
      {label}
      <select
        value={value}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        className="mt-1.5 block h-11 max-w-full rounded-lg border border-control bg-surface px-3 text-base font-normal"
      >
        <option value="">{all}</option>
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function Lines({ jobs }: { jobs: Spending['jobs'] }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {jobs.map((job) => (
        <li key={job.id} className="flex items-baseline gap-4 py-3">
          <div className="min-w-0 flex-1">
            <p className="font-medium" dir="auto">
              <Link
                to="/jobs/$id"
                params={{ id: job.id }}
                className="link block truncate leading-6"
              >
                {job.title}
              </Link>
            </p>
            <p className="text-sm text-muted">
              <time dateTime={job.chargedAt}>{when(job.chargedAt)}</time> ·{' '}
              {counted(job.transcripts, 'transcript')} · <bdi>{spenderName(job.spender)}</bdi>
            </p>
          </div>
          <span className="numbers whitespace-nowrap">{usd(job.charged)}</span>
          <Link
            to="/receipts/$id"
            params={{ id: job.id }}
            className={buttonLook('plain', 'small')}
            aria-label={`Receipt of ${job.title}`}
          >
            Receipt
          </Link>
        </li>
      ))}
    </ul>
  )
}

function spenderName({ id, name }: { id: string; name: string | null }): string {
  return name ?? (id === 'website' ? 'Website' : 'A key that is gone')
}

function monthName(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`))
}

/** All jobs of the account, newest first; without any, the first steps. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { pageAt } from '../addresses.ts'
import { batchesQuery } from '../api/batches.ts'
import { isFinal, type Job } from '../api/client.ts'
import { JOBS_PAGE, jobsQuery } from '../api/queries.ts'
import { lazyPart } from '../parts/lazy-part.ts'
import { buttonLook } from '../parts/controls.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { CountsBar, StateTag } from '../parts/progress.tsx'
import { Loading, Waiting } from '../parts/states.tsx'
import { counted, jobTitle, recently, usdInColumn } from '../format.ts'
import { PAGE_NAMES } from '../words.ts'

const route = getRouteApi('/member/jobs')
const BatchList = lazyPart(async () => (await import('../parts/batch-list.tsx')).BatchList)
const FirstSteps = lazyPart(async () => (await import('./first-steps.tsx')).FirstSteps)

export function JobsPage() {
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate()
  const offset = (page - 1) * JOBS_PAGE
  const query = useQuery(jobsQuery(offset))
  const { data } = query
  const { data: latest } = useQuery(batchesQuery)
  const batches = latest?.batches.filter(({ state }) => state !== 'finished') ?? []
  if (data?.total === 0)
    return (
      <Suspense fallback={<Loading lines={5} label="Loading the jobs" />}>
        <FirstSteps />
      </Suspense>
    )
  return (
    <>
      <PageHead
        name={PAGE_NAMES.jobs}
        about={data === undefined ? ' ' : counted(data.total, 'job')}
      >
        <Link to="/new" className={buttonLook('primary')}>
          <PlusIcon /> New job
        </Link>
      </PageHead>
      <Suspense>{batches.length > 0 && <BatchList batches={batches} />}</Suspense>
      <Waiting query={query} lines={5} label="Loading the jobs" />
      {data !== undefined && (
        <>
          <ul className="divide-y divide-line border-y border-line">
            {data.jobs.map((job) => (
              <JobLine key={job.id} job={job} />
            ))}
          </ul>
          <Pager
            offset={offset}
            limit={JOBS_PAGE}
            total={data.total}
            onOffset={(next) => void navigate({ to: '/jobs', search: pageAt(next, JOBS_PAGE) })}
          />
        </>
      )}
    </>
  )
}

/** One line of a wide screen, in columns to compare; two on a narrow one. */
function JobLine({ job }: { job: Job }) {
  const { delivered } = job.progress
  return (
    <li
      className="group relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-3 hover:bg-sunken/60
        sm:grid-cols-[minmax(0,1fr)_7rem_8.5rem_8rem_8.5rem] sm:py-2.5"
    >
      <h2 className="min-w-0 truncate font-sans text-base font-medium tracking-normal">
        <Link
          to="/jobs/$id"
          params={{ id: job.id }}
          className="underline decoration-transparent underline-offset-4 row-link group-hover:text-accent group-hover:decoration-accent"
          dir="auto"
        >
          {jobTitle(job)}
        </Link>
      </h2>
      <span className="justify-self-end sm:justify-self-start">
        <StateTag state={job.state} />
      </span>
      <div className="hidden sm:block">
        <CountsBar job={job} size="small" />
      </div>
      <p className="numbers text-sm whitespace-nowrap text-muted sm:text-right">
        <span className="text-ink">{counted(delivered, 'transcript')}</span>
        <span className="sm:block">
          <span className="sm:hidden"> · </span>
          {usdInColumn(job.billing.charged ?? job.billing.reserved)}
          {isFinal(job) ? '' : ' reserved'}
        </span>
      </p>
      <time
        dateTime={job.createdAt}
        className="justify-self-end text-sm whitespace-nowrap text-muted"
      >
        {recently(job.createdAt)}
      </time>
    </li>
  )
}

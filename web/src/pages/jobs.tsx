/** All jobs of the account, newest first; without any, the first steps. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { isFinal, type Job } from '../api/client.ts'
import { JOBS_PAGE, jobsQuery } from '../api/queries.ts'
import { BatchesAtWork } from '../parts/batch-list.tsx'
import { buttonLook } from '../parts/controls.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { CountsBar, StateTag } from '../parts/progress.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { count, counted, jobTitle, usd, when } from '../format.ts'
import { FirstSteps } from './first-steps.tsx'

const route = getRouteApi('/member/jobs')

export function JobsPage() {
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate()
  const offset = (page - 1) * JOBS_PAGE
  const { data, error, refetch } = useQuery(jobsQuery(offset))
  if (data?.total === 0) return <FirstSteps />
  return (
    <>
      <PageHead
        title="Jobs"
        name="Jobs"
        about={data === undefined ? ' ' : counted(data.total, 'job')}
      >
        <Link to="/new" className={buttonLook('primary')}>
          <PlusIcon /> New job
        </Link>
      </PageHead>
      <BatchesAtWork />
      {data === undefined && error === null && <Loading lines={5} label="Loading the jobs" />}
      {data === undefined && error !== null && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
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
            onOffset={(next) =>
              void navigate({
                to: '/jobs',
                search: next === 0 ? {} : { page: next / JOBS_PAGE + 1 },
              })
            }
          />
        </>
      )}
    </>
  )
}

function JobLine({ job }: { job: Job }) {
  return (
    <li className="group relative py-4">
      <div className="flex items-baseline justify-between gap-4">
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
        <StateTag state={job.state} />
      </div>
      <div className="mt-2.5 flex items-center gap-4">
        <div className="max-w-56 flex-1">
          <CountsBar job={job} size="small" />
        </div>
        <p className="numbers text-sm whitespace-nowrap text-muted">
          {counted(job.progress.delivered, 'transcript')} ·{' '}
          {usd(job.billing.charged ?? job.billing.reserved)}
          {isFinal(job) ? '' : ' reserved'}
        </p>
        <time
          dateTime={job.createdAt}
          className="ml-auto hidden text-sm whitespace-nowrap text-muted sm:block"
        >
          {when(job.createdAt)}
        </time>
      </div>
      <span className="sr-only">{count(job.progress.processed)} videos have a result.</span>
    </li>
  )
}

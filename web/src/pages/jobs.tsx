/** All jobs and batches of the account, newest first; without any, the first steps. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { pageAt } from '../addresses.ts'
import { ORDERS_PAGE, ordersQuery } from '../api/queries.ts'
import { lazyPart } from '../parts/lazy-part.ts'
import { buttonLook } from '../parts/controls.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { OrderRow } from '../parts/order-line.tsx'
import { Loading, Waiting } from '../parts/states.tsx'
import { counted } from '../format.ts'
import { linesOf, type OrderLine } from '../order-lines.ts'
import { PAGE_NAMES } from '../words.ts'

const route = getRouteApi('/member/jobs')
const FirstSteps = lazyPart(async () => (await import('./first-steps.tsx')).FirstSteps)

export function JobsPage() {
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate()
  const offset = (page - 1) * ORDERS_PAGE
  const query = useQuery(ordersQuery(offset))
  const { data } = query
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
        about={data === undefined ? ' ' : counted(data.total, 'order')}
      >
        <Link to="/new" className={buttonLook('primary')}>
          <PlusIcon /> New job
        </Link>
      </PageHead>
      <Waiting query={query} lines={5} label="Loading the jobs" />
      {data !== undefined && (
        <>
          <ul className="divide-y divide-line border-y border-line">
            {linesOf(data.orders).map((line) => (
              <OrderRow key={keyOf(line)} line={line} />
            ))}
          </ul>
          <Pager
            offset={offset}
            limit={ORDERS_PAGE}
            total={data.total}
            onOffset={(next) => void navigate({ to: '/jobs', search: pageAt(next, ORDERS_PAGE) })}
          />
        </>
      )}
    </>
  )
}

function keyOf(line: OrderLine): string {
  if (line.kind === 'nothing') return `from ${line.jobs[0]?.id}`
  return line.kind === 'job' ? line.job.id : line.batch.id
}

/** All jobs and batches of the account, newest first; without any, the first steps. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { ORDER_STATES, type OrdersAddress, pageAt, readOrders } from '../addresses.ts'
import { ORDERS_PAGE, ordersQuery } from '../api/queries.ts'
import { lazyPart } from '../parts/lazy-part.ts'
import { Button, buttonLook } from '../parts/controls.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { ListChoice, ListHead, ListSearch } from '../parts/list-head.tsx'
import { LIST_LOOK } from '../parts/list-row.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { OrderRow } from '../parts/order-line.tsx'
import { SelectBox, SelectionBar, useSelection } from '../parts/selection.tsx'
import { Empty, Loading, Waiting } from '../parts/states.tsx'
import { useTypedWord } from '../parts/use-typed-word.ts'
import { count, counted, jobTitle } from '../format.ts'
import { linesOf, type OrderLine } from '../order-lines.ts'
import { PAGE_NAMES } from '../words.ts'

const route = getRouteApi('/member/jobs')
const FirstSteps = lazyPart(async () => (await import('./first-steps.tsx')).FirstSteps)

export function JobsPage() {
  const { page = 1, ...asked } = route.useSearch()
  const navigate = useNavigate()
  const offset = (page - 1) * ORDERS_PAGE
  const query = useQuery(ordersQuery(offset, asked))
  const { data } = query
  const isNarrowed = asked.q !== undefined || asked.state !== undefined
  if (data?.total === 0 && !isNarrowed && !query.isPlaceholderData)
    return (
      <Suspense fallback={<Loading lines={5} label="Loading the jobs" />}>
        <FirstSteps />
      </Suspense>
    )
  const go = (search: OrdersAddress) => void navigate({ to: '/jobs', search, replace: true })
  return (
    <>
      <PageHead name={PAGE_NAMES.jobs}>
        <Link to="/new" className={buttonLook('primary')}>
          <PlusIcon /> New job
        </Link>
      </PageHead>
      <ListHead id="orders" title={data === undefined ? '\u00a0' : counted(data.total, 'order')}>
        <Narrowing asked={asked} onGo={go} />
      </ListHead>
      <Waiting query={query} lines={5} label="Loading the jobs" />
      {data !== undefined && data.searched !== null && (
        <p className="mb-3 text-sm text-muted">
          Among your newest {count(data.searched)} orders; older ones are not searched.
        </p>
      )}
      {data?.total === 0 && (
        <Empty title="Nothing matches">
          <Button size="small" onClick={() => go({})}>
            Show all
          </Button>
        </Empty>
      )}
      {data !== undefined && data.total > 0 && (
        <>
          <Rows lines={linesOf(data.orders)} />
          <Pager
            offset={offset}
            limit={ORDERS_PAGE}
            total={data.total}
            onOffset={(next) =>
              void navigate({ to: '/jobs', search: { ...asked, ...pageAt(next, ORDERS_PAGE) } })
            }
          />
        </>
      )}
    </>
  )
}

function Narrowing({ asked, onGo }: { asked: OrdersAddress; onGo: (to: OrdersAddress) => void }) {
  const { typed, setTyped } = useTypedWord(asked.q ?? '', (q) => onGo(readOrders({ ...asked, q })))
  return (
    <>
      <ListSearch
        label="Search orders"
        value={typed}
        maxLength={200}
        onChange={({ target }) => setTyped(target.value)}
      />
      <ListChoice
        label="State"
        value={asked.state}
        options={[['', 'All states'], ...Object.entries(ORDER_STATES)]}
        onChoice={(state) => onGo(readOrders({ ...asked, state }))}
      />
    </>
  )
}

function Rows({ lines }: { lines: OrderLine[] }) {
  const selection = useSelection(lines.map(keyOf))
  const chosen = lines.filter((line) => selection.chosen.includes(keyOf(line)))
  const jobs = chosen.flatMap((line) => line.jobs)
  const batches = chosen.flatMap(({ batch }) => batch?.id ?? [])
  return (
    <>
      <ul aria-labelledby="orders" className={LIST_LOOK}>
        {lines.map((line) => {
          const box = <SelectBox selection={selection} id={keyOf(line)} name={nameOf(line)} />
          return <OrderRow key={keyOf(line)} line={line} box={box} />
        })}
      </ul>
      <SelectionBar
        selection={selection}
        texts={{ jobs: jobs.map(({ id }) => id), batches }}
        // The list has no lines of a batch.
        again={batches.length > 0 ? [] : jobs.flatMap(({ input }) => input.urls)}
      />
    </>
  )
}

function nameOf({ batch, jobs }: OrderLine): string {
  const [job, ...others] = jobs
  if (batch !== null) return batch.title
  return job !== undefined && others.length === 0 ? jobTitle(job) : counted(jobs.length, 'job')
}

const keyOf = ({ batch, jobs }: OrderLine): string => batch?.id ?? jobs[0]?.id ?? ''

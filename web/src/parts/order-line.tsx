/** A line of the list of jobs: a job, a batch that unfolds, or jobs that brought nothing, folded. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { batchQuery, type BatchSummary } from '../api/batches.ts'
import { isFinal } from '../api/client.ts'
import { count, counted, jobTitle, recently, usd, usdInColumn } from '../format.ts'
import type { ListedJob, OrderLine } from '../order-lines.ts'
import { DataTable } from './data-table.tsx'
import { Fold, LIST_LOOK } from './list-row.tsx'
import { BatchTag, CountsBar, StateTag, TakenBar } from './progress.tsx'
import { Waiting } from './states.tsx'
import { TextLink } from './text-link.tsx'

/** `box` chooses the line. */
export function OrderRow({ line, box }: { line: OrderLine; box: ReactNode }) {
  const [job, ...others] = line.jobs
  if (line.batch !== null) return <BatchRow batch={line.batch} box={box} />
  if (job !== undefined && others.length === 0) return <JobRow job={job} box={box} />
  return <NothingRow jobs={line.jobs} box={box} />
}

const TITLE =
  'row-link line-clamp-2 sm:line-clamp-1 wrap-anywhere underline decoration-transparent underline-offset-4 group-hover:text-accent group-hover:decoration-accent'

type RowProps = {
  box: ReactNode
  title: ReactNode
  tag: ReactNode
  bar: ReactNode
  delivered: number
  money: string
  at: string
}

/** One line of a wide screen, in columns to compare; two on a narrow one. */
function Row({ box, title, tag, bar, delivered, money, at }: RowProps) {
  return (
    <div
      className="group relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-3 hover:bg-sunken/60
        sm:grid-cols-[minmax(0,1fr)_7rem_8.5rem_8rem_8.5rem] sm:py-2.5"
    >
      <div className="flex min-w-0 items-center gap-1">
        {box}
        <h2 className="flex min-w-0 flex-wrap items-center gap-x-1 font-sans sm:flex-nowrap text-base font-medium tracking-normal">
          {title}
        </h2>
      </div>
      <span className="justify-self-end sm:justify-self-start">{tag}</span>
      <div className="hidden sm:block">{bar}</div>
      <p className="numbers text-sm whitespace-nowrap text-muted sm:text-right">
        <span className="text-ink">{counted(delivered, 'transcript')}</span>
        <span className="sm:block">
          <span className="sm:hidden"> · </span>
          {money}
        </span>
      </p>
      <time dateTime={at} className="justify-self-end text-sm whitespace-nowrap text-muted">
        {recently(at)}
      </time>
    </div>
  )
}

function JobRow({ job, box = null }: { job: ListedJob; box?: ReactNode }) {
  const { delivered, processed } = job.progress
  const { charged, reserved } = job.billing
  return (
    <li>
      <Row
        box={box}
        title={
          <Link to="/jobs/$id" params={{ id: job.id }} className={TITLE} dir="auto">
            {jobTitle(job)}
          </Link>
        }
        tag={<StateTag state={job.state} />}
        bar={<CountsBar job={job} />}
        delivered={delivered}
        money={`${usdInColumn(charged ?? reserved)}${isFinal(job) ? '' : ' reserved'}`}
        at={job.createdAt}
      />
      <span className="sr-only">{counted(processed, 'video')} done.</span>
    </li>
  )
}

function BatchRow({ batch, box }: { batch: BatchSummary; box: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const { id, title, billing, jobs, progress } = batch
  const isReserved = Number(billing.reserved) > 0
  return (
    <li>
      <Row
        box={box}
        title={
          <>
            <Link to="/batches/$id" params={{ id }} className={TITLE} dir="auto">
              {title}
            </Link>
            <span className="shrink-0 text-sm font-normal text-muted">
              <span className="max-sm:hidden">· </span>batch of {counted(jobs.length, 'job')}
            </span>
            <Fold
              isOpen={isOpen}
              onClick={() => setOpen(!isOpen)}
              aria-label={`Jobs of ${title}`}
            />
          </>
        }
        tag={<BatchTag batch={batch} />}
        bar={<TakenBar batch={batch} />}
        delivered={progress.delivered}
        money={`${usdInColumn(billing.charged)}${isReserved ? ` + ${usd(billing.reserved)} reserved` : ''}`}
        at={batch.createdAt}
      />
      {isOpen && <JobsOf id={id} />}
    </li>
  )
}

function JobsOf({ id }: { id: string }) {
  const query = useQuery(batchQuery(id))
  return (
    <div className="mb-3 ml-6">
      <Waiting query={query} lines={2} label="Loading the jobs of the batch" />
      {query.data !== undefined && <BatchJobs jobs={query.data.jobs} />}
    </div>
  )
}

/** The jobs of a batch, by what they took. */
export function BatchJobs({ jobs }: { jobs: BatchSummary['jobs'] }) {
  if (jobs.length === 0) return <p className="text-muted">The first one starts in a moment.</p>
  return (
    <DataTable
      name="Jobs of the batch"
      rows={jobs.map((job, at) => ({ ...job, name: job.title ?? `Job ${count(at + 1)}` }))}
      keyOf={({ id }) => id}
      columns={({ figure, wide }) => ({
        Job: ({ id, name }) => (
          <TextLink to="/jobs/$id" params={{ id }} className="wrap-anywhere" dir="auto">
            {name}
          </TextLink>
        ),
        State: wide(({ state }) => <StateTag state={state} />),
        Transcripts: figure(({ delivered }) => count(delivered)),
        Charged: figure(({ charged }) => usdInColumn(charged)),
      })}
    />
  )
}

function NothingRow({ jobs, box }: { jobs: ListedJob[]; box: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const label = `${counted(jobs.length, 'job')} that brought nothing new`
  return (
    <li>
      <p className="group relative flex items-center gap-1 py-2.5 text-[0.9375rem] text-muted">
        {box}
        {label}
        <Fold isOpen={isOpen} onClick={() => setOpen(!isOpen)} aria-label={label} />
        <span className="ml-auto text-sm">{recently(jobs[0]?.createdAt ?? '')}</span>
      </p>
      {isOpen && (
        <ul className={`mb-3 ml-6 ${LIST_LOOK}`}>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </li>
  )
}

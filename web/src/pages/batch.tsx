/** One batch: how far it has come, what it costs, and its jobs. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Batch, batchQuery, changeBatch, isAtWork } from '../api/batches.ts'
import { count, counted, microsOf, usd, usdOfMicros, when } from '../format.ts'
import { AddToProject } from '../parts/add-to-project.tsx'
import { batchWords, BatchTag } from '../parts/batch-list.tsx'
import { batchFileLink } from '../api/account.ts'
import { ALL_TEXTS, AllFiles, DownloadMenu, zipsOf } from '../parts/download-menu.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { buttonLook, Notice } from '../parts/controls.tsx'
import { BackLink, PageHead } from '../parts/page-head.tsx'
import { CountsLegend, StateTag } from '../parts/progress.tsx'
import { WaitingPage } from './not-found.tsx'
import { PAGE_NAMES } from '../words.ts'
import { TextLink } from '../parts/text-link.tsx'

const route = getRouteApi('/member/batches/$id')

export function BatchPage() {
  const { id } = route.useParams()
  const client = useQueryClient()
  const query = useQuery(batchQuery(id))
  const { data: batch } = query
  const charged = batch?.billing.charged
  useEffect(() => {
    if (charged !== undefined) void client.invalidateQueries({ queryKey: ['funds'] })
  }, [client, charged])
  if (batch !== undefined) return <BatchView batch={batch} />
  return <WaitingPage query={query} lines={5} label="Loading the batch" />
}

function BatchView({ batch }: { batch: Batch }) {
  const { title, progress, billing, notice, state } = batch
  return (
    <>
      <BackLink to="/jobs">All jobs</BackLink>
      <PageHead name={title} about={aboutWords(batch)}>
        <Change batch={batch} />
      </PageHead>
      <section aria-label="Progress" className="space-y-3">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <p className="flex items-center gap-3">
            <BatchTag state={state} />
            <span className="numbers">{batchWords(batch)}</span>
          </p>
          <p className="numbers text-sm text-muted">
            {usd(billing.charged)} charged
            {Number(billing.reserved) > 0 && ` · ${usd(billing.reserved)} reserved`} · at most{' '}
            {usd(billing.atMost)}
          </p>
        </div>
        <p role="status" className="sr-only">
          {batchWords(batch)}
        </p>
        <TakenBar batch={batch} />
        <CountsLegend counts={progress.counts} />
        {notice !== null && <Notice tone={state === 'stopped' ? 'warn' : 'calm'}>{notice}</Notice>}
        {state === 'running' && (
          <p className="text-sm text-muted">
            You can close this page: the jobs continue, one after another.
          </p>
        )}
      </section>
      <Jobs batch={batch} />
      <Lines urls={batch.input.urls} />
    </>
  )
}

/** Shows how many of the videos that the batch may take were taken, and how many of these have a text. */
function TakenBar({ batch: { progress, maxVideos, state } }: { batch: Batch }) {
  const { processed, delivered } = progress
  const whole = Math.max(1, state === 'finished' ? processed : maxVideos)
  const shareOf = (videos: number): string => `${(videos / whole) * 100}%`
  return (
    <div
      role="progressbar"
      aria-label={`${count(processed)} of at most ${count(maxVideos)} videos taken`}
      aria-valuemin={0}
      aria-valuemax={whole}
      aria-valuenow={processed}
      className="flex h-2.5 w-full gap-px overflow-hidden rounded-full bg-line"
    >
      <div className="h-full bg-accent" style={{ width: shareOf(delivered) }} />
      <div className="h-full bg-control/55" style={{ width: shareOf(processed - delivered) }} />
    </div>
  )
}

function aboutWords({ lines, jobs, createdAt }: Batch): string {
  return `A batch of ${counted(lines, 'line')}, ${counted(jobs.length, 'job')} so far, ordered ${when(createdAt)}`
}

/** Stops a batch that runs, or continues one that was stopped. */
function Change({ batch }: { batch: Batch }) {
  const client = useQueryClient()
  const change = async (state: 'running' | 'stopped') => {
    client.setQueryData(['batch', batch.id], await changeBatch(batch.id, { state }))
    void client.invalidateQueries({ queryKey: ['funds'] })
  }
  const { billing, state } = batch
  if (state === 'running') {
    return (
      <Confirm
        title="Stop this batch?"
        action="Stop it"
        isDangerous
        onConfirm={() => change('stopped')}
        trigger="Stop"
        triggerLook={buttonLook()}
      >
        <p>
          The running job is cancelled. What was delivered stays yours and is charged, and you can
          continue later.
        </p>
      </Confirm>
    )
  }
  if (state !== 'stopped' || isAtWork(batch)) return null
  const left = usdOfMicros(microsOf(billing.atMost) - microsOf(billing.charged))
  return (
    <Confirm
      title="Continue this batch?"
      action={`Continue · at most ${left}`}
      onConfirm={() => change('running')}
      triggerLook={buttonLook('primary')}
    >
      <p>It continues where it stopped. What you already have is free.</p>
    </Confirm>
  )
}

/** The files of all jobs together. What other orders brought is not counted, since each job lists it again. */
function Files({ batch: { id, owned, progress } }: { batch: Batch }) {
  const { delivered } = progress
  const link = (file: string) => batchFileLink(id, file)
  const isSkipping = owned === 'skip'
  const zips = zipsOf(link, { fresh: delivered, all: isSkipping ? null : delivered })
  return (
    <DownloadMenu zips={zips}>
      <AllFiles link={link} query={isSkipping ? `names=title&${ALL_TEXTS}` : 'names=title'} />
    </DownloadMenu>
  )
}

function Jobs({ batch }: { batch: Batch }) {
  const { id, jobs, state } = batch
  return (
    <section aria-labelledby="batch-jobs" className="mt-10">
      <h2 id="batch-jobs" className="mb-3 text-xl">
        {PAGE_NAMES.jobs}
      </h2>
      {jobs.length === 0 ? (
        <p className="text-muted">The first one starts in a moment.</p>
      ) : (
        <ol className="divide-y divide-line border-y border-line">
          {jobs.map((job, at) => (
            <li key={job.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-3">
              <TextLink to="/jobs/$id" params={{ id: job.id }} className="font-medium">
                Job {count(at + 1)}
              </TextLink>
              <span className="numbers text-sm text-muted">
                {counted(job.delivered, 'transcript')}
              </span>
              <span className="ml-auto">
                <StateTag state={job.state} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {jobs.length > 0 && state !== 'running' && <Files batch={batch} />}
      {state !== 'running' && jobs.length > 0 && (
        <div className="mt-4">
          <AddToProject what={{ batch: id }} label="Add all to a project" />
        </div>
      )}
    </section>
  )
}

function Lines({ urls }: { urls: string[] }) {
  return (
    <details className="mt-8 text-sm">
      <summary className="cursor-pointer font-medium">
        {counted(urls.length, 'line')} ordered
      </summary>
      <pre
        tabIndex={0} // a keyboard scrolls it
        className="scroll-box mt-2 max-h-96 wrap-anywhere whitespace-pre-wrap"
        dir="auto"
      >
        {urls.join('\n')}
      </pre>
    </details>
  )
}

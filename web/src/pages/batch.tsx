/** One batch: how far it has come, what it costs, its lines and its jobs. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Batch, batchQuery, changeBatch, isAtWork } from '../api/batches.ts'
import { count, counted, dotted, microsOf, recently, usd, usdOfMicros } from '../format.ts'
import { AddToProject } from '../parts/add-to-project.tsx'
import { BatchLines, type KnownLine, useKnownLines } from '../parts/batch-lines.tsx'
import { batchFileLink } from '../api/account.ts'
import { ALL_TEXTS, AllFiles, DownloadMenu, zipsOf } from '../parts/download-menu.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { buttonLook, Notice } from '../parts/controls.tsx'
import { BackLink, PageHead } from '../parts/page-head.tsx'
import { BatchJobs } from '../parts/order-line.tsx'
import { BatchTag, batchWords, TakenBar } from '../parts/progress.tsx'
import { SummaryCard } from '../parts/summary-card.tsx'
import { WaitingPage } from './not-found.tsx'
import { captionsWords, PAGE_NAMES } from '../words.ts'

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
  const { title, progress, notice, state } = batch
  const lines = useKnownLines(batch)
  return (
    <>
      <BackLink to="/jobs">All jobs</BackLink>
      <PageHead kind="thing" name={title}>
        <Change batch={batch} />
      </PageHead>
      <SummaryCard
        label="Progress"
        tag={<BatchTag batch={batch} />}
        words={totalWords(batch, lines)}
        money={billingWords(batch)}
        said={batchWords(batch)}
        bar={<TakenBar batch={batch} look="h-2.5" />}
        counts={progress.counts}
        facts={
          <>
            <p>{dotted(factsOf(batch))}</p>
            {state === 'running' && (
              <p>You can close this page: the jobs continue, one after another.</p>
            )}
          </>
        }
        actions={
          state !== 'running' &&
          batch.jobs.length > 0 && (
            <div className="flex flex-wrap gap-2">
              <Files batch={batch} />
              <AddToProject what={{ batch: batch.id }} label="Add all to a project" />
            </div>
          )
        }
      />
      {notice !== null && state !== 'finished' && (
        <div className="mt-3">
          <Notice tone={state === 'stopped' ? 'warn' : 'calm'}>{notice}</Notice>
        </div>
      )}
      <BatchLines batch={batch} lines={lines} />
      <section aria-labelledby="batch-jobs" className="mt-10">
        <h2 id="batch-jobs" className="mb-3 text-xl">
          {PAGE_NAMES.jobs}
        </h2>
        <BatchJobs jobs={batch.jobs} />
      </section>
    </>
  )
}

/** Returns "637 of 1,260 transcripts", as a collection says it; without the sum where a line's size is not known. */
function totalWords(batch: Batch, lines: readonly KnownLine[]): string {
  const known = lines.flatMap(({ size }) => (size === null ? [] : [size]))
  const sum = known.reduce((total, size) => total + size, 0)
  const { delivered } = batch.progress
  if (known.length < lines.length || sum < delivered) return batchWords(batch)
  return `${count(delivered)} of ${counted(sum, 'transcript')}`
}

function billingWords({ billing: { charged, reserved, atMost }, state }: Batch): string {
  const isReserved = Number(reserved) > 0
  return dotted([
    `Charged ${usd(charged)}`,
    isReserved ? `${usd(reserved)} reserved` : '',
    state === 'finished' ? '' : `at most ${usd(atMost)}`,
  ])
}

function factsOf({ jobs, createdAt, maxVideos, part, parts, state, track }: Batch) {
  return [
    `Batch of ${counted(jobs.length, 'job')}`,
    `ordered ${recently(createdAt)}`,
    `at most ${counted(maxVideos, 'video')}`,
    parts > 1 && state !== 'finished' ? `part ${count(part)} of ${count(parts)}` : '',
    track === undefined ? '' : captionsWords(track),
  ]
}

/** Stops a batch that runs, or continues one that was stopped. */
function Change({ batch }: { batch: Batch }) {
  const client = useQueryClient()
  const change = async (state: 'running' | 'stopped') => {
    client.setQueryData(['batch', batch.id], await changeBatch(batch.id, { state }))
    void client.invalidateQueries({ queryKey: ['funds'] })
  }
  const { billing, state } = batch
  const isRunning = state === 'running'
  if (!isRunning && (state !== 'stopped' || isAtWork(batch))) return null
  const left = usdOfMicros(microsOf(billing.atMost) - microsOf(billing.charged))
  const goOn = `Continue · at most ${left}`
  return (
    <Confirm
      title={isRunning ? 'Stop this batch?' : 'Continue this batch?'}
      action={isRunning ? 'Stop it' : goOn}
      isDangerous={isRunning}
      onConfirm={() => change(isRunning ? 'stopped' : 'running')}
      trigger={isRunning ? 'Stop' : goOn}
      triggerLook={buttonLook(isRunning ? 'plain' : 'primary')}
    >
      <p>
        {isRunning
          ? 'The running job is cancelled. What was delivered stays yours and is charged, and you can continue later.'
          : 'It continues where it stopped. What you already have is free.'}
      </p>
    </Confirm>
  )
}

/**
 * The files of all jobs together. Of several jobs, what other orders brought is not counted where there is any: each
 * lists again what those before it took.
 */
function Files({ batch: { id, owned, progress, jobs } }: { batch: Batch }) {
  const { delivered, counts } = progress
  const earlier = counts['unchanged'] ?? 0
  const link = (file: string) => batchFileLink(id, file)
  const isSkipping = owned === 'skip'
  const isUncounted = isSkipping && jobs.length !== 1 && earlier > 0
  const all = isUncounted ? null : delivered + (isSkipping ? earlier : 0)
  const zips = zipsOf(link, { fresh: delivered, all })
  return (
    <DownloadMenu zips={zips} isAtEnd>
      <AllFiles link={link} query={isSkipping ? `names=title&${ALL_TEXTS}` : 'names=title'} />
    </DownloadMenu>
  )
}

/** What became of a job, in one card: how far it is, what it cost, its files, and where its videos are kept. */
import { useEffect, useState } from 'react'
import { isFinal, type Job } from '../api/client.ts'
import { count, counted, dotted, languageName, recently, usd } from '../format.ts'
import { dayWords } from '../order-fields.ts'
import { durationWords, type PaceSample, paceWords, waitedFor, withSample } from '../pace.ts'
import { Downloads } from './job-actions.tsx'
import { JobCollections } from './job-collections.tsx'
import { CountsBar, StateTag } from './progress.tsx'
import { SummaryCard } from './summary-card.tsx'
import { captionsWords, PAGE_NAMES, STATE_WORDS } from '../words.ts'
import { TextLink } from './text-link.tsx'

export function JobSummary({ job }: { job: Job }) {
  const isOver = isFinal(job)
  return (
    <SummaryCard
      label="Progress"
      tag={<StateTag state={job.state} />}
      words={isOver ? outcomeWords(job) : <Pace job={job} />}
      money={
        <>
          {billingWords(job)}
          {job.billing.settled && (
            <>
              {' · '}
              <TextLink to="/receipts/$id" params={{ id: job.id }}>
                {PAGE_NAMES.receipt}
              </TextLink>
            </>
          )}
        </>
      }
      said={`${STATE_WORDS[job.state]}${isOver ? `: ${counted(job.progress.delivered, 'transcript')}` : ''}`}
      bar={<CountsBar job={job} look={isOver ? 'h-2.5' : 'h-3.5'} />}
      counts={job.progress.counts}
      facts={
        <>
          <Facts job={job} />
          <JobCollections job={job} />
        </>
      }
      actions={hasTexts(job) && <Downloads job={job} />}
    />
  )
}

/** Returns whether there is a text to download: of a final job also one that another order brought. */
function hasTexts(job: Job): boolean {
  const { delivered, counts } = job.progress
  return delivered > (job.deletedTexts ?? 0) || (isFinal(job) && (counts['unchanged'] ?? 0) > 0)
}

function outcomeWords({ progress: { processed, delivered } }: Job): string {
  return `${counted(delivered, 'transcript')} from ${counted(processed, 'video')}`
}

/** While a job runs, nothing on its page is as strong as how far it is and how long it still takes. */
function Pace({ job }: { job: Job }) {
  const waited = waitedFor(job)
  const samples = useSamples(waited.processed)
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {waited.total === null ? (
        <span className="text-xl text-muted">Looking for the videos…</span>
      ) : (
        <span className="text-2xl font-medium">
          {count(waited.processed)} of {counted(waited.total, 'video')}
        </span>
      )}
      <span className="text-base text-muted">{paceWords(samples, waited)}</span>
    </span>
  )
}

/** Returns the recent numbers of videos, each with when this page saw it. */
function useSamples(processed: number): PaceSample[] {
  const [samples, setSamples] = useState<PaceSample[]>([])
  useEffect(
    () => setSamples((known) => withSample(known, { atMs: performance.now(), processed })),
    [processed],
  )
  return samples
}

function billingWords({ billing, input }: Job): string {
  if (billing.charged !== null) return `Charged ${usd(billing.charged)}`
  return `${usd(billing.reserved)} reserved for up to ${counted(input.maxVideos, 'video')}`
}

function Facts({ job }: { job: Job }) {
  const { input, track, createdAt, finishedAt } = job
  const facts = [
    `Started ${recently(createdAt)}`,
    finishedAt === null ? '' : `took ${durationWords(secondsBetween(createdAt, finishedAt))}`,
    input.language === 'original' ? 'original language' : languageName(input.language),
    track === undefined ? '' : captionsWords(track),
    input.requestedMaxVideos > input.maxVideos
      ? `limited to ${count(input.maxVideos)} by the balance`
      : '',
    ...dayWords(input),
  ]
  return <p>{dotted(facts)}</p>
}

function secondsBetween(from: string, to: string): number {
  return (new Date(to).getTime() - new Date(from).getTime()) / 1_000
}

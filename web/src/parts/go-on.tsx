/** What the account has of a channel or playlist, what is missing, and the one button that goes on. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Collection, type CollectionDetail, jobs } from '../api/client.ts'
import { sentenceOf } from '../api/problem.ts'
import { count, counted, statusWords, usd } from '../format.ts'
import { Button, Notice } from './controls.tsx'
import { RepeatIcon } from './icons.tsx'
import { statusShade } from './progress.tsx'

/** Most videos of one job. */
const JOB_VIDEOS_MAX = 500

/** Shows "1,084 of 1,200 transcripts, 103 without captions, 700 more to fetch (at most $5.60)". */
export function GoOn({ collection }: { collection: CollectionDetail }) {
  const { goesOn } = collection
  const client = useQueryClient()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const left = goesOn?.videos ?? null
  const start = async () => {
    if (goesOn === null) return
    setBusy(true)
    setProblem(null)
    try {
      const { urls, language, formats } = goesOn
      const job = await jobs.start({ urls, language, formats })
      client.setQueryData(['job', job.id], job)
      client.setQueryData(['notices', job.id], job.notices ?? [])
      void client.invalidateQueries({ queryKey: ['jobs'] })
      await navigate({ to: '/jobs/$id', params: { id: job.id } })
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  const cost =
    goesOn?.costAtMost == null || left === 0 ? '' : ` (at most ${usd(goesOn.costAtMost)})`
  const next = left === null || left === 0 ? 'Look for new videos' : `Fetch the ${nextWords(left)}`
  return (
    <section aria-label="What is there" className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="numbers text-lg">
          {collectionWords(collection)}
          {cost}
        </p>
        {goesOn !== null && (
          <Button
            kind={left === 0 ? 'plain' : 'primary'}
            isBusy={isBusy}
            onClick={() => void start()}
          >
            <RepeatIcon /> {next}
          </Button>
        )}
      </div>
      <ChargedAgain collection={collection} />
      <WhyMissing counts={collection.counts} />
      {problem !== null && <Notice tone="danger">{sentenceOf(problem)}</Notice>}
    </section>
  )
}

/**
 * Warns of a second charge: transcripts that came by other URLs are not skipped by the ones that go on. Where there are
 * several URLs, their number is unknown.
 */
function ChargedAgain({ collection: { goesOn, remaining } }: { collection: CollectionDetail }) {
  if (goesOn === null || goesOn.videos === null || remaining === null) return null
  const known = goesOn.videos - remaining
  if (goesOn.urls.length > 1 || known <= 0) return null
  return (
    <p className="numbers text-sm text-muted">
      The order that goes on with it still has {counted(goesOn.videos, 'video')}: {count(known)} of
      them came in other orders, whose transcripts would be charged again.
    </p>
  )
}

function nextWords(left: number): string {
  return left > JOB_VIDEOS_MAX ? `next ${count(JOB_VIDEOS_MAX)}` : `remaining ${count(left)}`
}

function WhyMissing({ counts }: { counts: Record<string, number> }) {
  const missing = Object.entries(counts).filter(([status]) => status !== 'success')
  if (missing.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
      {missing.map(([status, videos]) => (
        <li key={status} className="numbers">
          <span
            aria-hidden="true"
            className={`mr-2 inline-block size-2 rounded-full ${statusShade(status)}`}
          />
          {statusWords(status)} {count(videos)}
        </li>
      ))}
    </ul>
  )
}

/** Returns "1,084 of 1,200 transcripts, 103 without captions, 13 more to fetch". */
export function collectionWords(collection: Collection): string {
  const { delivered, known, noCaptions, failed, remaining } = collection
  const parts = [
    remaining === null
      ? counted(delivered, 'transcript')
      : `${count(delivered)} of ${counted(known, 'transcript')}`,
    noCaptions === 0 ? '' : `${count(noCaptions)} without captions`,
    failed === 0 ? '' : `${count(failed)} not available`,
    remaining === null || remaining === 0 ? '' : `${count(remaining)} more to fetch`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

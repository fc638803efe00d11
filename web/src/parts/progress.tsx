/** The state and the progress of a job or a batch: a tag, and a bar of its videos' outcomes, with the same in words. */
import type { BatchSummary } from '../api/batches.ts'
import { isFinal, type Job } from '../api/client.ts'
import { count, counted } from '../format.ts'
import { waitedFor } from '../pace.ts'
import { PartsBar, Tag } from './list-row.tsx'
import { STATE_WORDS, STATUS_WORDS, statusWords } from '../words.ts'

/** Shades of statuses: delivered rows and failures stand out, the rest is quiet. Words beside the bar repeat it. */
const SHADES: Record<string, string> = {
  success: 'bg-accent',
  unchanged: 'bg-accent/40',
  failed: 'bg-danger',
  blocked_suspect: 'bg-danger/60',
  invalid_url: 'bg-danger/60',
}
const QUIET = 'bg-control/55'

export function statusShade(status: string): string {
  return SHADES[status] ?? QUIET
}

/** Returns the statuses that a job has rows of, in the order of the bar. */
export function presentStatuses(counts: Record<string, number>): [string, number][] {
  const statuses = [...new Set([...Object.keys(STATUS_WORDS), ...Object.keys(counts)])]
  return statuses.flatMap((status) => {
    const rows = counts[status] ?? 0
    return rows > 0 ? [[status, rows]] : []
  })
}

/** Rows that are written at once, since they use no place. */
const AT_ONCE = new Set(['unchanged', 'skipped', 'truncated'])

/** Returns the videos of a final job; one that ended early shows what it did not come to. */
function totalOf({ progress, ...job }: Job): number {
  const { discovered, processed } = progress
  return job.state === 'finished' ? processed : Math.max(discovered ?? 0, processed)
}

export function CountsBar({ job, look }: { job: Job; look?: string }) {
  // An open job's bar leaves out what is not waited for; the words beside it count alike.
  const isOpen = !isFinal(job)
  const { processed, total } = isOpen
    ? waitedFor(job)
    : { processed: job.progress.processed, total: totalOf(job) }
  const shown = presentStatuses(job.progress.counts).filter(
    ([status]) => !isOpen || !AT_ONCE.has(status),
  )
  const label =
    total === null
      ? 'Looking for the videos'
      : `${count(processed)} of ${counted(total, 'video')} done`
  return (
    <PartsBar
      parts={shown.map(([status, rows]) => [statusShade(status), rows])}
      whole={total}
      look={look}
      done={{ words: label, size: processed }}
    />
  )
}

export function CountsLegend({ counts }: { counts: Record<string, number> }) {
  const present = presentStatuses(counts)
  return (
    <ul className="flex min-h-6 flex-wrap gap-x-5 gap-y-1 text-sm">
      {present.map(([status, rows]) => (
        <li key={status} className="flex items-center gap-2">
          <span aria-hidden="true" className={`size-2.5 rounded-full ${statusShade(status)}`} />
          <span>
            <span className="numbers font-medium">{count(rows)}</span>{' '}
            <span className="text-muted">{statusWords(status).toLowerCase()}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

const STATE_LOOKS: Partial<Record<Job['state'], string>> = {
  finished: 'bg-accent-soft text-accent-strong',
  failed: 'bg-danger-soft text-danger',
  interrupted: 'bg-warn-soft text-warn',
  running: 'bg-accent text-on-accent',
}

export function StateTag({ state }: { state: Job['state'] }) {
  return <Tag look={STATE_LOOKS[state] ?? 'bg-sunken text-muted'}>{STATE_WORDS[state]}</Tag>
}

const TAGS: Record<BatchSummary['state'] | 'limit', { word: string; look: string }> = {
  running: { word: 'Running', look: 'bg-accent text-on-accent' },
  finished: { word: 'Finished', look: 'bg-accent-soft text-accent-strong' },
  stopped: { word: 'Stopped', look: 'bg-warn-soft text-warn' },
  limit: { word: 'Limit reached', look: 'bg-warn-soft text-warn' },
}

/** A batch that ended is only called finished where it left nothing: its notice says what it left. */
export function BatchTag({ batch: { state, notice } }: { batch: BatchSummary }) {
  const { word, look } = TAGS[state === 'finished' && notice !== null ? 'limit' : state]
  return <Tag look={look}>{word}</Tag>
}

/** Returns "622 transcripts, part 2 of 5". */
export function batchWords({ progress, part, parts, state }: BatchSummary): string {
  const delivered = counted(progress.delivered, 'transcript')
  const isPart = parts > 1 && state !== 'finished'
  return isPart ? `${delivered}, part ${count(part)} of ${count(parts)}` : delivered
}

/** Shows how many of the videos that the batch may take were taken, and how many of these have a text. */
export function TakenBar({ batch, look }: { batch: BatchSummary; look?: string }) {
  const { progress, maxVideos, state } = batch
  const { processed, delivered } = progress
  const words = `${count(processed)} of at most ${count(maxVideos)} videos taken`
  return (
    <PartsBar
      parts={[
        [statusShade('success'), delivered],
        [statusShade(''), processed - delivered],
      ]}
      whole={Math.max(1, state === 'finished' ? processed : maxVideos)}
      look={look}
      done={{ words, size: processed }}
    />
  )
}

/** The progress of a job: a bar of its videos' outcomes, with the same in words. */
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
  const order = Object.keys(STATUS_WORDS)
  const rank = (status: string): number =>
    order.includes(status) ? order.indexOf(status) : order.length
  return Object.entries(counts)
    .filter(([, rows]) => rows > 0)
    .sort(([a], [b]) => rank(a) - rank(b))
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

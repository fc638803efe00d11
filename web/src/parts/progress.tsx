/** The progress of a job: a bar of its videos' outcomes, with the same in words. */
import { isFinal, type Job } from '../api/client.ts'
import { count, counted } from '../format.ts'
import { waitedFor } from '../pace.ts'
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

const HEIGHTS = { small: 'h-1.5', normal: 'h-2.5', large: 'h-3.5' }

export function CountsBar({ job, size = 'normal' }: { job: Job; size?: keyof typeof HEIGHTS }) {
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
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total ?? 1}
      aria-valuenow={processed}
      className={`flex w-full gap-px overflow-hidden rounded-full bg-line ${HEIGHTS[size]}`}
    >
      {total === null && isOpen && (
        <div className="h-full w-1/4 animate-pulse rounded-full bg-accent/50" />
      )}
      {total !== null &&
        shown.map(([status, rows]) => (
          <div
            key={status}
            className={`h-full transition-[width] duration-300 ${statusShade(status)}`}
            style={{ width: `${(rows / Math.max(total, 1)) * 100}%` }}
          />
        ))}
    </div>
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
  return (
    <span
      className={`inline-block rounded-full px-2.5 py-0.5 text-[0.8125rem] font-medium whitespace-nowrap ${STATE_LOOKS[state] ?? 'bg-sunken text-muted'}`}
    >
      {STATE_WORDS[state]}
    </span>
  )
}

/** What the events of a job have told so far, and what follows from it. Pure: no requests, no page. */
import type { EventMessage } from '../../clients/typescript/src/events.ts'
import type { Job, Video } from './api/client.ts'

export type Live = {
  /** In order of completion while the job runs, in the order of their index once all are there. */
  rows: Video[]
  /** How many rows were told: the id that the next connection goes on behind. */
  told: number
  /** The job is final and every row was told. */
  isAll: boolean
}

export const NOTHING_YET: Live = { rows: [], told: 0, isAll: false }

/** `live` with what these events tell, and the newest job among them; null where none tells of it. */
export function takeEvents(
  live: Live,
  events: readonly EventMessage[],
): { live: Live; job: Job | null } {
  let job: Job | null = null
  let { told, isAll } = live
  const rows: Video[] = []
  for (const { event, id, data } of events) {
    if (event === 'job') job = JSON.parse(data) as Job
    if (event === 'end') isAll = true
    // A row has the number after the one before it; what was told already is passed over.
    if (event !== 'video' || Number(id) <= told) continue
    told = Number(id)
    rows.push(JSON.parse(data) as Video)
  }
  const all = rows.length === 0 ? live.rows : [...live.rows, ...rows]
  return { live: { rows: isAll ? byIndex(all) : all, told, isAll }, job }
}

const STEPS = ['queued', 'running', 'cancelling']

/**
 * Which of two answers tells of the later moment. They come over several connections and overtake each
 * other: the answer to a cancellation, "cancelling", may arrive after the stream told that it is done.
 */
export function laterJob(known: Job | undefined, told: Job): Job {
  if (known === undefined) return told
  const steps = stepOf(told) - stepOf(known)
  if (steps !== 0) return steps > 0 ? told : known
  return told.progress.processed < known.progress.processed ? known : told
}

/** How far a job is; a job never goes back. */
function stepOf({ state }: Job): number {
  const step = STEPS.indexOf(state)
  return step === -1 ? STEPS.length : step
}

/** The job with the rows that came after it was told. */
export function jobWith(job: Job, rows: readonly Video[]): Job {
  if (rows.length <= job.progress.processed) return job
  const counts: Record<string, number> = Object.fromEntries(
    Object.keys(job.progress.counts).map((status) => [status, 0]),
  )
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1
  const { discovered } = job.progress
  return {
    ...job,
    progress: {
      discovered: discovered === null ? null : Math.max(discovered, rows.length),
      processed: rows.length,
      delivered: counts['success'] ?? 0,
      counts,
    },
  }
}

/** Those of a status whose title has the searched words in it; an empty text is any. */
export function matchingRows(
  rows: readonly Video[],
  { status, search }: { status: string; search: string },
): readonly Video[] {
  if (status === '' && search === '') return rows
  const wanted = search.toLowerCase()
  return rows.filter(
    (row) =>
      (status === '' || row.status === status) &&
      (wanted === '' || (row.title ?? '').toLowerCase().includes(wanted)),
  )
}

function byIndex(rows: readonly Video[]): Video[] {
  return [...rows].sort((a, b) => a.index - b.index)
}

/** The state of a job as its events have told it so far. Pure: no requests, no page. */
import type { EventMessage } from '../../clients/typescript/src/events.ts'
import type { Job, Video } from './api/client.ts'

export type Live = {
  /** Rows in order of completion while the job runs, in order of index once all have arrived. */
  rows: Video[]
  /** The id of the last row received, from which the next connection goes on: its number, but for the epoch. */
  told: number
  /** True once the job is final and every row was received. */
  isAll: boolean
}

/** Ids of another epoch tell the rows anew, from the first: the service has lost some of those before. */
const IDS_OF_EPOCH = 1_000_000_000

export const NOTHING_YET: Live = { rows: [], told: 0, isAll: false }

/** Returns `live` with these events added, and the newest job among them, or null where there is none. */
export function takeEvents(
  live: Live,
  events: readonly EventMessage[],
): { live: Live; job: Job | null } {
  let job: Job | null = null
  let { told, isAll, rows: known } = live
  let rows: Video[] = []
  for (const { event, id, data } of events) {
    if (event === 'job') job = JSON.parse(data) as Job
    if (event === 'end') isAll = true
    // Rows are numbered from 1 without gaps; rows received before are skipped.
    if (event !== 'video' || Number(id) <= told) continue
    if (Math.floor(Number(id) / IDS_OF_EPOCH) > Math.floor(told / IDS_OF_EPOCH))
      [known, rows] = [[], []]
    told = Number(id)
    rows.push(JSON.parse(data) as Video)
  }
  const all = rows.length === 0 ? known : [...known, ...rows]
  return {
    live: { rows: isAll ? all.toSorted((a, b) => a.index - b.index) : all, told, isAll },
    job,
  }
}

const STEPS = ['queued', 'running', 'cancelling']

/**
 * Returns the later of two answers. They arrive over several connections and overtake each other: the answer to a
 * cancellation, "cancelling", may arrive after the stream has said that the job is done.
 */
export function laterJob(known: Job | undefined, told: Job): Job {
  if (known === undefined) return told
  const steps = stepOf(told) - stepOf(known)
  if (steps !== 0) return steps > 0 ? told : known
  return told.progress.processed < known.progress.processed ? known : told
}

/** Returns the later of two answers with the latest of what the job is called, which events leave out. */
export function latestJob(known: Job | undefined, told: Job): Job {
  const { title, name, note, track } =
    told.title === undefined && known !== undefined ? known : told
  const later = laterJob(known, told)
  return title === undefined ? later : ({ ...later, title, name, note, track } as Job)
}

/** Returns the position of a job's state; a job never goes back. */
function stepOf({ state }: Job): number {
  const step = STEPS.indexOf(state)
  return step === -1 ? STEPS.length : step
}

/** Returns the job with its counts raised by rows that arrived after it. */
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

/** Returns the rows with this status whose title contains the searched text; an empty text matches any. */
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

/** Jobs and subscriptions of all accounts, for operators. */
import type { PageRequest } from '../../kit/page.ts'
import type { SubscriptionState } from '../../model/follow/subscription.ts'
import type { JobState } from '../../model/jobs/job.ts'
import type { Db } from '../../store/database.ts'
import { listSources } from '../../store/job-sources.ts'
import { titlesOfJobs } from '../jobs/job-names.ts'
import { type Act, listActs } from '../../store/operators.ts'
import {
  findAnyJob,
  listAllJobs,
  type OwnedJob,
  type QueuePosition,
  readQueuePositions,
} from '../../store/overviews.ts'
import { listLastDays } from '../../store/service-days.ts'
import { listAllSubscriptions, type OwnedSubscription } from '../../store/subscriptions.ts'

const ACTS_READ_MAX = 20

export type { Act, OwnedJob, OwnedSubscription, QueuePosition }

/** A job of any account by its customer's name; `queuePosition` is null unless it waits for a worker. */
export type FoundJob = OwnedJob & { title: string; queuePosition: QueuePosition | null }

/** Returns jobs, newest first; `nextOffset` is null on the last page. */
export async function findJobs(
  db: Db,
  {
    accountId,
    state,
    offset,
    limit,
  }: PageRequest & { accountId: string | null; state: JobState | null },
): Promise<{ jobs: FoundJob[]; nextOffset: number | null }> {
  const states = state === null ? null : [state]
  const found = await listAllJobs(db, { accountId, states, offset, limit })
  return {
    jobs: await asFound(db, found.slice(0, limit)),
    nextOffset: found.length > limit ? offset + limit : null,
  }
}

const OUTCOME_DAYS = 30

/** Returns what came of all videos on each of the last 30 days (UTC), oldest first. */
export const readOutcomeDays = (db: Db) => listLastDays(db, OUTCOME_DAYS)

export type JobDetails = NonNullable<Awaited<ReturnType<typeof readJob>>>

/** Returns everything about a job of any account, with the acts on it newest first; null where there is none. */
export async function readJob(db: Db, jobId: string) {
  const found = await findAnyJob(db, jobId)
  if (found === null) return null
  const [job] = await asFound(db, [found])
  if (job === undefined) return null
  const sources = await listSources(db, job.id)
  const { accountId, id } = job
  const acts = await listActs(db, { accountId, jobId: id, limit: ACTS_READ_MAX })
  return { job, sources: sources.map(({ line, state, listed }) => ({ line, state, listed })), acts }
}

/** Returns each job with its name and its position in the queue, or null. */
export async function asFound(db: Db, jobs: readonly OwnedJob[]): Promise<FoundJob[]> {
  const queued = jobs.filter(({ state }) => state === 'queued').map(({ id }) => id)
  const positions = queued.length > 0 ? await readQueuePositions(db, queued) : null
  const titles = await titlesOfJobs(db, jobs)
  return jobs.map((job, at) => {
    return { ...job, title: titles[at] ?? '', queuePosition: positions?.get(job.id) ?? null }
  })
}

/** Returns subscriptions, the one whose look is due first in front; `nextOffset` is null on the last page. */
export async function findSubscriptions(
  db: Db,
  ask: PageRequest & { accountId: string | null; state: SubscriptionState | null },
): Promise<{ subscriptions: OwnedSubscription[]; nextOffset: number | null }> {
  const { offset, limit } = ask
  const found = await listAllSubscriptions(db, { ...ask, limit: limit + 1 })
  return {
    subscriptions: found.slice(0, limit),
    nextOffset: found.length > limit ? offset + limit : null,
  }
}

/** Names and notes of jobs: what they are called, and what their customers call them. */
import { jobNameFrom, jobNoteFrom, titleOfJob } from '../../model/jobs/job-name.ts'
import type { Source } from '../../model/platform/source.ts'
import { keptSource } from '../../model/jobs/order.ts'
import { findBatchesOfJobs } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { type JobKey, type JobRecord, setJobWords } from '../../store/jobs.ts'
import { listSubjects } from '../../store/job-titles.ts'

/** A job by what its customer calls it, and how many lines it has; `source` stands for a job that is not made yet. */
type NamedJob = {
  id: string
  givenName: string | null
  lines: number
  source?: Source | null
}

/** Returns what each of these jobs is called, in their order. */
export async function titlesOfJobs(db: Db, jobs: readonly NamedJob[]): Promise<string[]> {
  const unnamed = jobs.filter(({ givenName }) => givenName === null)
  const subjects = unnamed.map(({ id }) => id)
  const known = await listSubjects(db, subjects)
  return jobs.map((job) =>
    titleOfJob(job, known.get(job.id) ?? { title: null, source: job.source ?? null }),
  )
}

/** Returns what one job is called. */
export async function titleOf(db: Db, job: JobRecord): Promise<string> {
  const [title = ''] = await titlesOfJobs(db, [{ ...job, lines: job.urls.length }])
  return title
}

/** The batch that a job is of, as pages and answers name it; `number` is the job's in it, from 1. */
export type BatchName = { id: string; title: string; number: number }

/** Returns, by job, the batches that started an account's jobs; none of a batch that is not kept any more. */
export async function batchesOfJobs(
  db: Db,
  accountId: string,
  jobIds: readonly string[],
): Promise<Map<string, BatchName>> {
  if (jobIds.length === 0) return new Map()
  const found = await findBatchesOfJobs(db, accountId, jobIds)
  const named = found.map((one) => {
    return { ...one, source: keptSource(one.firstLine, one.firstSource) }
  })
  const titles = await titlesOfJobs(db, named)
  return new Map(
    found.map(({ jobId, batchId, number }, at) => {
      return [jobId, { id: batchId, title: titles[at] ?? '', number }]
    }),
  )
}

/** Left out is what stays; null, or a text of which nothing is seen, takes the name or the note away. */
type JobWordsChange = { name?: string | null; note?: string | null }

/** Changes a job's name and note. Returns the job, or null where the account has none such. */
export function describeJob(
  db: Db,
  owned: JobKey,
  { name, note }: JobWordsChange,
): Promise<JobRecord | null> {
  return setJobWords(db, owned, {
    ...(name === undefined ? {} : { givenName: jobNameFrom(name) }),
    ...(note === undefined ? {} : { note: jobNoteFrom(note) }),
  })
}

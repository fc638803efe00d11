/** Names and notes of jobs: what they are called, and what their customers call them. */
import {
  jobNameFrom,
  jobNoteFrom,
  linesOf,
  type OrderedLines,
  titleOfJob,
} from '../../model/jobs/job-name.ts'
import type { Db } from '../../store/database.ts'
import { type JobKey, type JobRecord, setJobWords } from '../../store/jobs.ts'
import { listJobTitles } from '../../store/job-titles.ts'

type NamedJobRow = Pick<JobRecord, 'id' | 'accountId' | 'givenName'> & OrderedLines

/** Returns what each of an account's jobs is called, in their order. */
export async function titlesOfJobs(db: Db, jobs: readonly NamedJobRow[]): Promise<string[]> {
  const unnamed = jobs.filter(({ givenName }) => givenName === null)
  const [{ accountId } = { accountId: '' }] = jobs
  const jobIds = unnamed.map(({ id }) => id)
  const known = await listJobTitles(db, { accountId, jobIds })
  return jobs.map((job) => titleOfJob(job, known.get(job.id) ?? null))
}

/** Returns what one job is called. */
export async function titleOf(db: Db, job: JobRecord): Promise<string> {
  const [title = ''] = await titlesOfJobs(db, [{ ...job, ...linesOf(job.urls) }])
  return title
}

/** Left out is what stays; null, or a text of which nothing is seen, takes the name or the note away. */
export type JobWordsChange = { name?: string | null; note?: string | null }

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

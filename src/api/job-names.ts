/** What a job is called, as the extension shows it: with `view=named`, a Job has its title, name and note. */
import { Type } from 'typebox'
import { titlesOfJobs } from '../features/jobs/job-names.ts'
import { JOB_NAME_CHARS_MAX, JOB_NOTE_CHARS_MAX, linesOf } from '../model/jobs/job-name.ts'
import type { Db } from '../store/database.ts'
import type { JobRecord } from '../store/jobs.ts'
import { nullable, wordOf } from './contract.ts'
import { type JobView, type Links, presentJob } from './present.ts'

/** The parameter of routes that answer jobs. */
export const JobViewParameter = {
  view: Type.Optional(
    wordOf(['plain', 'named'], {
      default: 'plain',
      description: '`named`: jobs also have `title`, `name` and `note`',
    }),
  ),
}

export const JobPatch = Type.Object(
  {
    name: Type.Optional(
      nullable(
        Type.String({ maxLength: JOB_NAME_CHARS_MAX }),
        'Name of the job; null or blank: what it is about',
      ),
    ),
    note: Type.Optional(
      nullable(
        Type.String({ maxLength: JOB_NOTE_CHARS_MAX }),
        'Your note about the job; null or blank removes it',
      ),
    ),
  },
  { additionalProperties: false, title: 'JobPatch' },
)

/** Presents jobs of one account as they were asked for. */
export async function presentJobs(
  db: Db,
  jobs: readonly JobRecord[],
  { links, view, withNotices = false }: { links: Links; view: string; withNotices?: boolean },
): Promise<JobView[]> {
  const named = view === 'named' ? jobs : []
  const titles = await titlesOfJobs(
    db,
    named.map((job) => ({ ...job, ...linesOf(job.urls) })),
  )
  return jobs.map((job, at) => {
    const title = titles[at]
    const words = title === undefined ? {} : { title, name: job.givenName, note: job.note }
    return { ...presentJob(job, links, withNotices), ...words }
  })
}

/** The tool `list_jobs`: jobs of the account, newest first. */
import { Type } from 'typebox'
import { closedObject, pagingOf } from '../../api/contract.ts'
import { readBriefJobs } from '../../features/jobs/read-jobs.ts'
import { LIMITS } from '../../config/config.ts'
import { JobFields, listAnswer } from '../answers.ts'
import { jobSummaries } from '../job-answers.ts'
import { INSTEAD } from '../next-steps.ts'
import { defineTool, jsonAnswer, READS } from '../tool.ts'

const LISTED = 10

export const listJobsTool = defineTool({
  name: 'list_jobs',
  title: 'List jobs',
  description: `Your orders, newest first: finds a jobId again. ${INSTEAD.list_jobs}`,
  output: listAnswer({ jobs: Type.Array(closedObject(JobFields)) }),
  shows: ['jobs', 'nextOffset'],
  input: closedObject(pagingOf({ limit: LISTED, limitMax: LIMITS.jobsPageMax })),
  needs: ['transcripts:read'],
  hints: READS,
  async run({ offset = 0, limit = LISTED }, { accountId }, { db }) {
    const { page, jobs } = await readBriefJobs(db, { accountId, offset, limit })
    return jsonAnswer({ ...page, jobs: await jobSummaries(db, jobs) })
  },
})

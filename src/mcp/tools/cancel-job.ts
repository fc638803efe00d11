/** The tool `cancel_job`: ends a job, which is settled for what it delivered. */
import { Type } from 'typebox'
import { closedObject } from '../../api/contract.ts'
import { cancelJob } from '../../features/jobs/cancel-job.ts'
import { found } from '../../kit/problem.ts'
import { JobFields, JobIdOnly } from '../answers.ts'
import { summaryOf } from '../job-answers.ts'
import { NO_JOB } from '../next-steps.ts'
import { defineTool, jsonAnswer, READS } from '../tool.ts'

export const cancelJobTool = defineTool({
  name: 'cancel_job',
  title: 'Cancel a job',
  description: 'Ends a job. What it delivered is charged and stays; the rest is released.',
  input: closedObject({ jobId: JobIdOnly }),
  output: closedObject({ ...JobFields, wasFinal: Type.Boolean() }),
  shows: ['state', 'chargedUsd'],
  needs: ['jobs:write'],
  hints: { ...READS, readOnlyHint: false, destructiveHint: true },
  async run({ jobId }, { accountId }, { db }) {
    const cancelled = found(await cancelJob(db, { accountId, jobId }), NO_JOB)
    return jsonAnswer({
      ...(await summaryOf(db, cancelled.job)),
      wasFinal: !cancelled.isAccepted,
    })
  },
})

/** The tool `get_job`: state, progress and cost of a job, at once or when it is final. */
import { Type } from 'typebox'
import { closedObject } from '../../api/contract.ts'
import { readOwnJob } from '../../features/jobs/read-jobs.ts'
import { found } from '../../kit/problem.ts'
import { JobFields, JobIdOnly, textField } from '../answers.ts'
import { jobAfterWait, nextStep, summaryOf, WaitSeconds } from '../job-answers.ts'
import { INSTEAD, NO_JOB } from '../next-steps.ts'
import { defineTool, jsonAnswer, READS } from '../tool.ts'

export const getJobTool = defineTool({
  name: 'get_job',
  title: 'Read a job',
  description: `State, progress and cost of a job. Use waitSeconds instead of polling. ${INSTEAD.get_job}`,
  output: closedObject({ ...JobFields, next: textField }),
  shows: ['isFinal', 'delivered', 'chargedUsd'],
  input: closedObject({ jobId: JobIdOnly, waitSeconds: Type.Optional(WaitSeconds) }),
  needs: ['transcripts:read'],
  hints: READS,
  async run({ jobId, waitSeconds }, call, ctx) {
    const job = found(await readOwnJob(ctx.db, { accountId: call.accountId, jobId }), NO_JOB)
    const now = await jobAfterWait(ctx, job, { seconds: waitSeconds, call })
    return jsonAnswer({ ...(await summaryOf(ctx.db, now)), next: nextStep(now) })
  },
})

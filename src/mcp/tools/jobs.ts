/** The tools `get_balance`, `get_job`, `list_jobs` and `cancel_job`. */
import { Type } from 'typebox'
import type { ApiContext } from '../../api/api-context.ts'
import { closedObject, pagingOf } from '../../api/contract.ts'
import { presentBalance } from '../../api/present.ts'
import { cancelJob } from '../../features/jobs/cancel-job.ts'
import { readBriefJobs, readOwnJob } from '../../features/jobs/read-jobs.ts'
import { LIMITS } from '../../kit/config/config.ts'
import { found } from '../../kit/problem.ts'
import { available } from '../../model/money/ledger.ts'
import {
  jobSummaries,
  moneyLeft,
  nextStep,
  presentCap,
  summaryOf,
  jobAfterWait,
  WaitSeconds,
} from '../job-answers.ts'
import { BalanceAnswer, CancelledAnswer, JobAnswer, JobsAnswer } from '../answers.ts'
import { defineTool, jsonAnswer, READS, type Tool } from '../tool.ts'

export function getBalanceTool({ db }: ApiContext): Tool {
  return defineTool({
    name: 'get_balance',
    title: 'Read the balance',
    description: 'What can be spent, in USD.',
    input: closedObject({}),
    output: BalanceAnswer,
    shows: ['balance', 'monthlyCapLeftUsd'],
    needs: ['account:read'],
    hints: READS,
    async run(_args, call) {
      const left = await moneyLeft(db, available(call.balance), call)
      return jsonAnswer({ ...presentBalance(call.balance), ...presentCap(left) })
    },
  })
}

const LISTED = 10

/** A job's id as any text: a malformed one is one that does not exist, as in the API's addresses. */
export const JobIdOnly = Type.String()

export const NO_JOB = 'Your account has no job with this jobId; list_jobs names its jobs.'

export function getJobTool(ctx: ApiContext): Tool {
  return defineTool({
    name: 'get_job',
    title: 'Read a job',
    description: 'State, progress and cost of a job. Use waitSeconds instead of polling.',
    output: JobAnswer,
    shows: ['isFinal', 'delivered', 'chargedUsd'],
    input: closedObject({ jobId: JobIdOnly, waitSeconds: Type.Optional(WaitSeconds) }),
    needs: ['transcripts:read'],
    hints: READS,
    async run({ jobId, waitSeconds }, call) {
      const job = found(await readOwnJob(ctx.db, { accountId: call.accountId, jobId }), NO_JOB)
      const now = await jobAfterWait(ctx, job, { seconds: waitSeconds, call })
      return jsonAnswer({ ...(await summaryOf(ctx.db, now)), next: nextStep(now) })
    },
  })
}

export function listJobsTool({ db }: ApiContext): Tool {
  return defineTool({
    name: 'list_jobs',
    title: 'List jobs',
    description: 'Jobs, newest first.',
    output: JobsAnswer,
    shows: ['jobs', 'nextOffset'],
    input: closedObject(pagingOf({ limit: LISTED, limitMax: LIMITS.jobsPageMax })),
    needs: ['transcripts:read'],
    hints: READS,
    async run({ offset = 0, limit = LISTED }, { accountId }) {
      const { page, jobs } = await readBriefJobs(db, { accountId, offset, limit })
      return jsonAnswer({ ...page, jobs: await jobSummaries(db, jobs) })
    },
  })
}

export function cancelJobTool({ db }: ApiContext): Tool {
  return defineTool({
    name: 'cancel_job',
    title: 'Cancel a job',
    description: 'Ends a job. What it delivered is charged and stays; the rest is released.',
    input: closedObject({ jobId: JobIdOnly }),
    output: CancelledAnswer,
    shows: ['state', 'chargedUsd'],
    needs: ['jobs:write'],
    hints: { ...READS, readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    async run({ jobId }, { accountId }) {
      const cancelled = found(await cancelJob(db, { accountId, jobId }), NO_JOB)
      return jsonAnswer({
        ...(await summaryOf(db, cancelled.job)),
        wasFinal: !cancelled.isAccepted,
      })
    },
  })
}

/** /account/operator/jobs: jobs of all accounts, why one waits, and cancelling it. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { presentAnyJob } from '../../../admin/job-commands.ts'
import type { ApiContext } from '../../api-context.ts'
import { closedObject, pagingOf, rowId, wordOf } from '../../contract.ts'
import { LIMITS } from '../../../config/config.ts'
import { JOB_STATES } from '../../../model/jobs/job.ts'
import { stopJob } from '../../../features/jobs/attempt.ts'
import {
  findJobs,
  type FoundJob,
  readJob,
  readOutcomeDays,
} from '../../../features/operator/read-jobs.ts'
import { Problem } from '../../../kit/problem.ts'
import { answering, REPLIES, type Reply } from '../replies.ts'
import { refused } from '../visitor.ts'
import { actorAndReason, REASON } from './gate.ts'

const params = Type.Object({ id: rowId() })
const listSchema = {
  ...answering(REPLIES.OperatorJobs),
  querystring: Type.Object({
    ...pagingOf({ limit: LIMITS.consolePage, limitMax: LIMITS.consolePageMax }),
    account: Type.Optional(rowId()),
    state: Type.Optional(wordOf(JOB_STATES)),
  }),
}
const showSchema = { ...answering(REPLIES.OperatorJob), params }
const cancelSchema = { ...showSchema, body: closedObject({ reason: REASON }) }

export function operatorJobRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  const known = async (id: string): Promise<FoundJob> => {
    const found = await readJob(db, id)
    if (found === null) throw new Problem('not_found', { message: 'There is no such job.' })
    return found.job
  }
  return async (app) => {
    app.get('/account/operator/jobs', { schema: listSchema }, async ({ query }) => {
      const { offset = 0, limit = LIMITS.consolePage, account = null, state = null } = query
      const found = await findJobs(db, { accountId: account, state, offset, limit })
      const jobs = found.jobs.map(presentOwnedJob)
      return { offset, limit, nextOffset: found.nextOffset, jobs, days: await readOutcomeDays(db) }
    })

    app.get('/account/operator/jobs/:id', { schema: showSchema }, async ({ params }) =>
      presentOwnedJob(await known(params.id)),
    )

    app.post('/account/operator/jobs/:id/cancel', { schema: cancelSchema }, async (request) => {
      const { id: jobId, accountId, state } = await known(request.params.id)
      const order = { accountId, jobId, ...actorAndReason(request, request.body.reason) }
      if (!(await stopJob(db, order)))
        throw refused(`The job has already ended (${state}).`, { field: 'id' })
      return presentOwnedJob(await known(jobId))
    })
  }
}

export function presentOwnedJob(job: FoundJob): Reply<'OperatorJob'> {
  const { waiting, discovered: _, ...present } = presentAnyJob(job)
  return { ...present, waiting: waiting?.sentence ?? null }
}

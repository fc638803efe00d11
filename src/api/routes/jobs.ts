/** GET /jobs, GET /jobs/{id}, POST /jobs/{id}/cancel. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { LIMITS } from '../../kit/config/config.ts'
import { cancelJob } from '../../features/jobs/cancel-job.ts'
import { readJobList } from '../../features/jobs/read-jobs.ts'
import { found } from '../../kit/problem.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, jobOf, ORDERING, READING, READING_JOB } from '../auth.ts'
import { answer, Job, JobId, listOf, optionalInteger, pagingOf } from '../contract.ts'
import { departureOf } from '../order-job.ts'
import { presentJob } from '../present.ts'

export const WAIT_SECONDS_MAX = LIMITS.longPollMs / 1000

const listSchema = {
  summary: 'List the jobs of the account, newest first, whichever interface started them',
  operationId: 'listJobs',
  tags: ['Jobs'],
  querystring: Type.Object(pagingOf({ limit: 20, limitMax: LIMITS.jobsPageMax })),
  response: { 200: answer(listOf('JobList', 'jobs', Job), 'A page of jobs') },
}

const getSchema = {
  summary: 'Read the state and progress of a job',
  operationId: 'getJob',
  tags: ['Jobs'],
  params: Type.Object({ id: JobId }),
  querystring: Type.Object({
    wait: optionalInteger({
      minimum: 0,
      maximum: WAIT_SECONDS_MAX,
      default: 0,
      description: 'Answer when the job is final, or after this many seconds',
      'x-extension': true,
    }),
  }),
  response: { 200: answer(Job, 'The job as it is now') },
}

const cancelSchema = {
  summary: 'Cancel a job: what was delivered is charged and stays readable',
  operationId: 'cancelJob',
  tags: ['Jobs'],
  'x-extension': true,
  params: Type.Object({ id: JobId }),
  response: {
    202: answer(Job, 'The job is being cancelled'),
    200: answer(Job, 'The job was already final; nothing has changed'),
  },
}

export function jobRoutes({ db, links, feed }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/jobs', { schema: listSchema, config: READING }, async (request) => {
      const { offset = 0, limit = 20 } = request.query
      const ask = { accountId: accountOf(request), offset, limit }
      const { page, jobs } = await readJobList(db, ask)
      return { ...page, jobs: jobs.map((job) => presentJob(job, links)) }
    })

    app.get('/jobs/:id', { schema: getSchema, config: READING_JOB }, async (request, reply) => {
      const { wait = 0 } = request.query
      const waiting = { waitMs: wait * 1000, departure: () => departureOf(reply) }
      return presentJob(await feed.untilFinal(jobOf(request), waiting), links)
    })

    app.post(
      '/jobs/:id/cancel',
      { schema: cancelSchema, config: ORDERING },
      async (request, reply) => {
        const owned = { accountId: accountOf(request), jobId: request.params.id }
        const { isAccepted, job } = found(await cancelJob(db, owned))
        return reply.code(isAccepted ? 202 : 200).send(presentJob(job, links))
      },
    )
  }
}

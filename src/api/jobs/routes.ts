/** GET /jobs, GET and PATCH /jobs/{id}, POST /jobs/{id}/cancel. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { LIMITS } from '../../config/config.ts'
import { cancelJob } from '../../features/jobs/cancel-job.ts'
import { batchesOfJobs, describeJob } from '../../features/jobs/job-names.ts'
import { readJobList } from '../../features/jobs/read-jobs.ts'
import { found } from '../../kit/problem.ts'
import { ACTS } from '../action-class.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, jobOf, ORDERING, READING, READING_JOB } from '../auth.ts'
import { BATCH_HEADER } from '../headers.ts'
import { answer, listOf, optionalInteger, pagingOf, problems } from '../contract.ts'
import { Job, JobId, JobPatch, JobViewParameter } from './schema.ts'
import { presentJobs, presentJob } from './present.ts'
import { departureOf } from './order-job.ts'

export const WAIT_SECONDS_MAX = LIMITS.longPollMs / 1000

const listSchema = {
  summary: 'List the jobs of the account, newest first, whichever interface started them',
  operationId: 'listJobs',
  tags: ['Jobs'],
  querystring: Type.Object({
    ...pagingOf({ limit: 20, limitMax: LIMITS.jobsPageMax }),
    ...JobViewParameter,
  }),
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
    }),
    ...JobViewParameter,
  }),
  response: { 200: answer(Job, 'The job as it is now') },
}

const patchSchema = {
  summary: 'Give a job a name and a note',
  description:
    'What is left out stays as it is. Until a job is named, its `title` says what it is about.',
  operationId: 'changeJob',
  ...ACTS.write,
  tags: ['Jobs'],
  params: Type.Object({ id: JobId }),
  body: JobPatch,
  response: { 200: answer(Job, 'The job, with its title, name and note'), ...problems() },
}

const cancelSchema = {
  summary: 'Cancel a job: what was delivered is charged and stays readable',
  operationId: 'cancelJob',
  ...ACTS.destroy,
  tags: ['Jobs'],
  params: Type.Object({ id: JobId }),
  response: {
    202: answer(Job, 'The job is being cancelled'),
    200: answer(Job, 'The job was already final; nothing has changed'),
  },
}

export function jobRoutes({ db, links, feed }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/jobs', { schema: listSchema, config: READING }, async (request) => {
      const { offset = 0, limit = 20, view = 'plain' } = request.query
      const ask = { accountId: accountOf(request), offset, limit }
      const { page, jobs } = await readJobList(db, ask)
      return { ...page, jobs: await presentJobs(db, jobs, { links, view }) }
    })

    app.get('/jobs/:id', { schema: getSchema, config: READING_JOB }, async (request, reply) => {
      const { wait = 0, view = 'plain' } = request.query
      const waiting = { waitMs: wait * 1000, departure: () => departureOf(reply) }
      const job = await feed.untilFinal(jobOf(request), waiting)
      const [presented] = await presentJobs(db, [job], { links, view })
      const ofBatch = job.batchId === null ? [] : [job.id]
      const batch = (await batchesOfJobs(db, job.accountId, ofBatch)).get(job.id)
      if (batch !== undefined) reply.header(BATCH_HEADER, batch.id)
      return presented
    })

    app.patch('/jobs/:id', { schema: patchSchema, config: ORDERING }, async (request) => {
      const owned = { accountId: accountOf(request), jobId: request.params.id }
      const job = found(await describeJob(db, owned, request.body))
      const [presented] = await presentJobs(db, [job], { links, view: 'named' })
      return presented
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

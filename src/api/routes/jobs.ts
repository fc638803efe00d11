/** POST /jobs, GET /jobs, GET /jobs/{id}, POST /jobs/{id}/cancel. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../config.ts'
import { allowanceTerms } from '../../jobs/allowance.ts'
import { cancelJob } from '../../jobs/cancel-job.ts'
import { noticesOfAllowance } from '../../jobs/foresee-allowance.ts'
import { readJobRequest } from '../../jobs/job-request.ts'
import { isFinal } from '../../jobs/job.ts'
import { readJob, readJobList } from '../../jobs/read-jobs.ts'
import { findReplay, startJob } from '../../jobs/start-job.ts'
import { Problem } from '../../problem.ts'
import type { JobRecord } from '../../store/jobs.ts'
import type { ApiContext } from '../app.ts'
import { accountOf, jobOf } from '../auth.ts'
import { answer, errorAnswer, Job, JobBody, JobId, pageOf, paging, problems } from '../contract.ts'
import { departureOf, idempotencyOf, preferredWaitMs } from '../job-headers.ts'
import { presentJob } from '../present.ts'

const WAIT_SECONDS_MAX = LIMITS.longPollMs / 1000

const postSchema = {
  summary: 'Start a job',
  description:
    'Lists the videos behind the URLs and fetches the captions of each. The cost of up to `input.maxVideos` ' +
    'transcripts is reserved; what is delivered is charged when the job ends. The same URLs again continue ' +
    'where the earlier job ended. Where a name stands twice in the body, the last one counts.',
  operationId: 'createJob',
  tags: ['Jobs'],
  documentedHeaders: {
    'Idempotency-Key': Type.String({
      minLength: 1,
      maxLength: LIMITS.idempotencyKeyLengthMax,
      description:
        'Makes a repeat safe: the same key with the same body answers with the job it started before',
      examples: ['order-4711'],
    }),
    Prefer: Type.String({
      description: `\`wait=N\`: answer when the job is final or N seconds are over (at most ${WAIT_SECONDS_MAX})`,
      examples: ['wait=30'],
      'x-extension': true,
    }),
  },
  body: JobBody,
  response: {
    201: answer(
      Job,
      'The job has started; money for up to `input.maxVideos` transcripts is reserved',
    ),
    200: answer(
      Job,
      'The job that this Idempotency-Key started before; nothing new was started or charged',
    ),
    ...problems(
      'invalid_url',
      'insufficient_balance',
      'idempotency_conflict',
      'job_in_progress',
      'server_busy',
    ),
    408: errorAnswer(['invalid_request'], 'The body took too long to arrive.'),
    413: errorAnswer(
      ['invalid_request'],
      'The body is larger than 64 KB; send fewer or shorter lines.',
    ),
    415: errorAnswer(['invalid_request'], 'The Content-Type is not application/json.'),
  },
}

const listSchema = {
  summary: 'List the jobs of the account, newest first, whichever interface started them',
  operationId: 'listJobs',
  tags: ['Jobs'],
  querystring: paging({ limit: 20, limitMax: LIMITS.jobsPageMax }),
  response: {
    200: answer(Type.Object(pageOf('jobs', Job), { title: 'JobList' }), 'A page of jobs'),
    ...problems('server_busy'),
  },
}

const getSchema = {
  summary: 'Read state and progress of a job',
  operationId: 'getJob',
  tags: ['Jobs'],
  params: Type.Object({ id: JobId }),
  querystring: Type.Object({
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: WAIT_SECONDS_MAX,
        default: 0,
        description: 'Answer when the job is final or as many seconds are over',
        'x-extension': true,
      }),
    ),
  }),
  response: {
    200: answer(Job, 'The job as it is now'),
    ...problems('not_found', 'server_busy'),
  },
}

const cancelSchema = {
  summary: 'Cancel a job: what was delivered is charged and stays readable',
  operationId: 'cancelJob',
  tags: ['Jobs'],
  'x-extension': true,
  params: Type.Object({ id: JobId }),
  response: {
    202: answer(Job, 'The job is being cancelled'),
    200: answer(Job, 'The job was final already; nothing changed'),
    ...problems('not_found', 'server_busy'),
  },
}

export function jobRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db, queue, links, config, waits } = ctx

  /** The job once it is final, at the latest when `waitMs` are over. */
  const waitFor = async (
    job: JobRecord,
    waitMs: number,
    reply: FastifyReply,
  ): Promise<JobRecord> => {
    if (waitMs === 0 || isFinal(job.state)) return job
    const read = () => readJob(db, { accountId: job.accountId, jobId: job.id })
    return (await waits.untilFinal(job.id, read, { waitMs, signal: departureOf(reply) })) ?? job
  }

  const sendStarted = async (
    { job, isReplay }: { job: JobRecord; isReplay: boolean },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const waitMs = preferredWaitMs(request)
    if (waitMs > 0) reply.header('Preference-Applied', `wait=${waitMs / 1000}`)
    const now = await waitFor(job, waitMs, reply)
    if (isReplay) reply.header('Idempotent-Replayed', 'true')
    else reply.header('Location', links.self(job.id))
    return reply.code(isReplay ? 200 : 201).send(presentJob(now, links, true))
  }

  return async (app) => {
    // A known key is answered before the body's fields are looked at: a replay never fails.
    const preValidation = async (
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<unknown> => {
      const idempotency = idempotencyOf(request)
      if (idempotency === null) return undefined
      const job = await findReplay(db, accountOf(request), idempotency)
      return job === null ? undefined : sendStarted({ job, isReplay: true }, request, reply)
    }

    app.post('/jobs', { schema: postSchema, preValidation }, async (request, reply) => {
      const accountId = accountOf(request)
      const read = readJobRequest(request.body)
      const foreseen = await noticesOfAllowance(db, {
        accountId,
        request: read,
        terms: allowanceTerms(config),
      })
      const ask = {
        accountId,
        request: { ...read, notices: [...read.notices, ...foreseen] },
        idempotency: idempotencyOf(request),
      }
      const started = await startJob({ db, queue, maxActiveJobs: config.MAX_ACTIVE_JOBS }, ask)
      return sendStarted(started, request, reply)
    })

    app.get('/jobs', { schema: listSchema }, async (request) => {
      const { offset = 0, limit = 20 } = request.query
      const { page, jobs } = await readJobList(db, { accountId: accountOf(request), offset, limit })
      return { ...page, jobs: jobs.map((job) => presentJob(job, links)) }
    })

    app.get(
      '/jobs/:id',
      { schema: getSchema, config: { reads: 'job' } },
      async (request, reply) => {
        const { wait = 0 } = request.query
        const job = jobOf(request)
        if (job === null) throw new Problem('not_found')
        return presentJob(await waitFor(job, wait * 1000, reply), links)
      },
    )

    app.post('/jobs/:id/cancel', { schema: cancelSchema }, async (request, reply) => {
      const cancelled = await cancelJob(db, {
        accountId: accountOf(request),
        jobId: request.params.id,
      })
      if (cancelled === null) throw new Problem('not_found')
      return reply.code(cancelled.isAccepted ? 202 : 200).send(presentJob(cancelled.job, links))
    })
  }
}

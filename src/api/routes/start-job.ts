/** POST /jobs. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../config.ts'
import { allowanceTerms } from '../../jobs/allowance.ts'
import { noticesOfAllowance } from '../../jobs/estimate-allowance.ts'
import { readJobRequest } from '../../jobs/job-request.ts'
import { findReplay, type StartedJob, startJob } from '../../jobs/start-job.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf } from '../auth.ts'
import { answer, errorAnswer, Job, JobBody, problems } from '../contract.ts'
import { departureOf, idempotencyOf, preferredWaitMs } from '../job-headers.ts'
import { presentJob } from '../present.ts'
import { WAIT_SECONDS_MAX } from './jobs.ts'

const schema = {
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

export function startJobRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db, queue, config } = ctx
  // A known key is answered before the body's fields are looked at: a replay never fails.
  const preValidation = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const idempotency = idempotencyOf(request)
    if (idempotency === null) return undefined
    const job = await findReplay(db, accountOf(request), idempotency)
    return job === null ? undefined : sendStarted(ctx, { job, isReplay: true }, request, reply)
  }
  return async (app) => {
    app.post('/jobs', { schema, preValidation }, async (request, reply) => {
      const accountId = accountOf(request)
      const read = readJobRequest(request.body)
      const terms = allowanceTerms(config)
      const ofAllowance = await noticesOfAllowance(db, { accountId, request: read, terms })
      const ask = {
        accountId,
        request: { ...read, notices: [...read.notices, ...ofAllowance] },
        idempotency: idempotencyOf(request),
      }
      const started = await startJob({ db, queue, maxActiveJobs: config.MAX_ACTIVE_JOBS }, ask)
      return sendStarted(ctx, started, request, reply)
    })
  }
}

/** Answers with the job as it is, or as it is after the wait that the caller prefers. */
async function sendStarted(
  { links, waits }: ApiContext,
  { job, isReplay }: StartedJob,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const waitMs = preferredWaitMs(request)
  if (waitMs > 0) reply.header('Preference-Applied', `wait=${waitMs / 1000}`)
  const now = await waits.untilFinal(job, { waitMs, departure: () => departureOf(reply) })
  if (isReplay) reply.header('Idempotent-Replayed', 'true')
  else reply.header('Location', links.self(job.id))
  return reply.code(isReplay ? 200 : 201).send(presentJob(now, links, true))
}

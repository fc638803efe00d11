/** POST /jobs. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../config/config.ts'
import { BALANCE_HEADER, OWNED_HEADER } from '../headers.ts'
import { traceparentOf } from '../../kit/trace-context.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { findReplay, type StartedJob } from '../../features/jobs/start-job.ts'
import { noticesOfEnd } from '../../features/library/read-library.ts'
import { ACTS } from '../action-class.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, callerOf, ORDERING } from '../auth.ts'
import { answer, optionalText, problems } from '../contract.ts'
import { Job, JobBody, JobViewParameter } from './schema.ts'
import {
  departureOf,
  idempotencyOf,
  orderJob,
  readJobOrder,
  OrderParameters,
  preferredWaitMs,
} from './order-job.ts'
import { presentJobs } from './present.ts'
import { WAIT_SECONDS_MAX } from './routes.ts'

const schema = {
  summary: 'Start a job',
  description:
    'Lists the videos behind the URLs and fetches the captions of each. The cost of up to `input.maxVideos` ' +
    'transcripts is reserved; what is delivered is charged when the job ends. A job with the same URLs continues ' +
    'where the earlier one ended. If the body has the same name twice, the last one counts.',
  operationId: 'createJob',
  ...ACTS.spend,
  tags: ['Jobs'],
  documentedHeaders: {
    'Idempotency-Key': Type.String({
      minLength: 1,
      maxLength: LIMITS.idempotencyKeyLengthMax,
      description:
        'Makes it safe to send a request again: the same key with the same body is answered with the job it started before',
      examples: ['order-4711'],
    }),
    Prefer: Type.String({
      description:
        `\`wait=N\`: answer when the job is final, or after N seconds (at most ${WAIT_SECONDS_MAX}); ` +
        'then `notices` also say whether its URLs hold more videos, and what those cost at most',
      examples: ['wait=30'],
    }),
    traceparent: Type.String({
      description:
        'The trace that the request is a part of (W3C Trace Context); webhooks of the job are sent as parts of it',
      examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    }),
  },
  querystring: Type.Object({
    preview: optionalText({
      maxLength: 200,
      description:
        'Id of a preview of the same URLs: the job reads the pages that it listed instead of listing them ' +
        'again. A preview that cannot be used is ignored, and a notice says so.',
    }),
    ...OrderParameters,
    ...JobViewParameter,
  }),
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
    ...problems('invalid_url', 'insufficient_balance', 'idempotency_conflict', 'job_in_progress'),
  },
}

export function startJobRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db } = ctx
  // A known key is answered before the body's fields are looked at: a replay never fails.
  const preValidation = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const idempotency = idempotencyOf(request)
    if (idempotency === null) return undefined
    const job = await findReplay(db, accountOf(request), idempotency)
    if (job === null) return undefined
    return sendStarted(
      ctx,
      { job, isReplay: true, balanceNotice: null, owned: null },
      request,
      reply,
    )
  }
  return async (app) => {
    app.post('/jobs', { schema, preValidation, config: ORDERING }, async (request, reply) => {
      const { accountId, app: token, own: ownKey } = callerOf(request)
      const started = await orderJob(ctx, {
        accountId,
        connectionId: token?.connectionId ?? null,
        ownKey,
        order: await readJobOrder(request.body, request.query),
        idempotency: idempotencyOf(request),
        traceparent: traceparentOf(request.headers),
        previewId: request.query.preview ?? null,
      })
      const { ownedVideos, isReplay } = started
      if (ownedVideos !== null && !isReplay) reply.header(OWNED_HEADER, String(ownedVideos))
      return sendStarted(ctx, started, request, reply)
    })
  }
}

/** Answers with the job as it is, or as it is after the wait that the caller prefers. */
async function sendStarted(
  { db, links, feed }: ApiContext,
  { job, isReplay, balanceNotice }: StartedJob,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const waitMs = preferredWaitMs(request)
  if (waitMs > 0) reply.header('Preference-Applied', `wait=${waitMs / 1000}`)
  const now = await feed.untilFinal(job, { waitMs, departure: () => departureOf(reply) })
  if (isReplay) reply.header('Idempotent-Replayed', 'true')
  else reply.header('Location', links.self(job.id))
  // Notices of the end are for callers that waited; a replay repeats the notices of the start.
  const more = waitMs > 0 && isFinal(now.state) ? await noticesOfEnd(db, now) : []
  const told = { ...now, notices: [...now.notices, ...more] }
  const { view = 'plain' } = request.query as { view?: string }
  const [presented] = await presentJobs(db, [told], { links, view, withNotices: true })
  if (balanceNotice !== null) reply.header(BALANCE_HEADER, balanceNotice)
  return reply.code(isReplay ? 200 : 201).send(presented)
}

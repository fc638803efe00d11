/** /batches and /batches/{id}: orders of more lines or videos than a job may have (an extension). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import {
  changeBatch,
  createBatch,
  readBatch,
  readBatches,
  viewBatch,
} from '../../features/batches/batches.ts'
import { found } from '../../kit/problem.ts'
import { OWNED_CHOICES } from '../../model/jobs/owned-text.ts'
import type { BatchSpender } from '../../store/batches.ts'
import { ACTS } from '../action-class.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, callerOf, ORDERING, READING } from '../auth.ts'
import { BatchDetail, BatchBody, BatchParams, BatchPatch, BatchSummary } from './schema.ts'
import { TrackParameter } from '../jobs/order-job.ts'
import { presentBatch, presentBatchSummary } from './present.ts'
import { answer, listOf, pagingOf, problems, wordOf } from '../contract.ts'

const BATCHES_PAGE_MAX = 50

const tags = ['Batches']

const createSchema = {
  tags,
  summary: 'Create a batch: an order of more than one job may take, in jobs one after another',
  description:
    'Takes up to 1,000 lines and 50,000 videos under one name and one highest price. The ' +
    'service runs it as ordinary jobs of fifty lines each, and keeps ordering from a list ' +
    'while it has more videos. Each job reserves what it may cost, ' +
    'and only what is delivered is charged. It stops when the balance or a monthly limit is used up, and can be continued. The same ' +
    'lines sent again later cost only what is new.',
  operationId: 'createBatch',
  ...ACTS.spend,
  querystring: Type.Object({
    ...TrackParameter,
    owned: Type.Optional(
      wordOf(OWNED_CHOICES, {
        default: 'skip',
        description:
          'What to do with videos that the account already owns from other orders: `skip` ' +
          'returns them as `unchanged`, free; `again` buys them again',
      }),
    ),
  }),
  body: BatchBody,
  response: {
    201: answer(BatchDetail, 'The batch; its first job starts in a moment'),
    200: answer(
      BatchDetail,
      'The batch of the same lines that is already running; nothing new was started',
    ),
    ...problems('invalid_url', 'insufficient_balance'),
  },
}
const listSchema = {
  tags,
  summary: 'List batches, newest first',
  description:
    'A hundred are kept: a new one takes the place of the oldest that is at rest, whose jobs and transcripts stay.',
  operationId: 'listBatches',
  querystring: Type.Object(pagingOf({ limit: 20, limitMax: BATCHES_PAGE_MAX })),
  response: { 200: answer(listOf('BatchList', 'batches', BatchSummary), 'A page') },
}
const getSchema = {
  tags,
  summary: 'Read a batch with its jobs',
  operationId: 'getBatch',
  params: BatchParams,
  response: { 200: answer(BatchDetail, 'The batch') },
}
const patchSchema = {
  tags,
  summary: 'Name a batch, stop or continue it',
  description:
    'A batch that is stopped cancels its running job: what that delivered is kept and charged. A batch that is continued goes on from there.',
  operationId: 'changeBatch',
  ...ACTS.spend,
  params: BatchParams,
  body: BatchPatch,
  response: { 200: answer(BatchDetail, 'The batch as it is now'), ...problems('job_in_progress') },
}

export function batchRoutes({ db, config }: ApiContext): FastifyPluginAsyncTypebox {
  const { ownedCountMs } = config.deadlines
  const read = async (owned: { accountId: string; batchId: string }) =>
    presentBatch(found(await readBatch(db, owned)))
  return async (app) => {
    app.post('/batches', { schema: createSchema, config: ORDERING }, async (request, reply) => {
      const accountId = accountOf(request)
      const choices = { owned: 'skip' as const, ...request.query }
      const spender = spenderOf(request)
      const ordered = { accountId, input: request.body, choices, ownedCountMs, ...spender }
      const { batch, isNew } = await createBatch(db, ordered)
      return reply.code(isNew ? 201 : 200).send(presentBatch(await viewBatch(db, batch)))
    })

    app.get('/batches', { schema: listSchema, config: READING }, async (request) => {
      const { offset = 0, limit = 20 } = request.query
      const ask = { accountId: accountOf(request), offset, limit }
      const { page, batches } = await readBatches(db, ask)
      return { ...page, batches: batches.map(presentBatchSummary) }
    })

    app.get('/batches/:id', { schema: getSchema, config: READING }, (request) =>
      read({ accountId: accountOf(request), batchId: request.params.id }),
    )

    app.patch('/batches/:id', { schema: patchSchema, config: ORDERING }, async (request) => {
      const owned = { accountId: accountOf(request), batchId: request.params.id }
      const spender = spenderOf(request)
      return presentBatch(found(await changeBatch(db, { ...owned, ...spender }, request.body)))
    })
  }
}

/** Returns whose cap the jobs of a batch count against. */
function spenderOf(request: FastifyRequest): BatchSpender {
  const { app, own } = callerOf(request)
  return { connectionId: app?.connectionId ?? null, keyId: own?.id ?? null }
}

/** /batches and /batches/{id}: orders of more lines or videos than a job may have (an extension). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { changeBatch, createBatch, readBatch, readBatches } from '../../features/batches/batches.ts'
import { found, Problem } from '../../kit/problem.ts'
import { OWNED_CHOICES } from '../../model/jobs/owned-text.ts'
import type { BatchSpender } from '../../store/batches.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, callerOf, ORDERING, READING } from '../auth.ts'
import {
  BatchDetail,
  BatchBody,
  BatchParams,
  BatchPatch,
  BatchSummary,
  presentBatch,
  presentBatchSummary,
} from '../batch-contract.ts'
import { answer, listOf, pagingOf, problems, wordOf } from '../contract.ts'

const BATCHES_PAGE_MAX = 50

const extension = { tags: ['Batches'], 'x-extension': true }

const createSchema = {
  ...extension,
  summary: 'Order more than a job may have: jobs are run one after another',
  description:
    'Takes up to a thousand lines and 50,000 videos under one name and one highest price. The service runs it as ordinary ' +
    'jobs, fifty lines each, and orders the next of a list as long as there is more. Each job reserves what it may cost, ' +
    'and only what is delivered is charged. It stops where the balance or a monthly limit ends, and can be continued. The ' +
    'same lines again, later, cost only what is new.',
  operationId: 'createBatch',
  querystring: Type.Object({
    owned: Type.Optional(
      wordOf(OWNED_CHOICES, {
        default: 'skip',
        description:
          'What becomes of videos that the account owns by other orders: `skip` gives them as `unchanged`, ' +
          'uncharged; `again` buys them again',
      }),
    ),
  }),
  body: BatchBody,
  response: {
    201: answer(BatchDetail, 'The batch; its first job starts in a moment'),
    200: answer(
      BatchDetail,
      'The batch of the same lines that runs already; nothing new was started',
    ),
    ...problems('invalid_url', 'insufficient_balance'),
  },
}
const listSchema = {
  ...extension,
  summary: 'List batches, newest first',
  description:
    'The latest hundred are kept; jobs and transcripts stay, whatever becomes of a batch.',
  operationId: 'listBatches',
  querystring: Type.Object(pagingOf({ limit: 20, limitMax: BATCHES_PAGE_MAX })),
  response: { 200: answer(listOf('BatchList', 'batches', BatchSummary), 'A page') },
}
const getSchema = {
  ...extension,
  summary: 'Read a batch with its jobs',
  operationId: 'getBatch',
  params: BatchParams,
  response: { 200: answer(BatchDetail, 'The batch') },
}
const patchSchema = {
  ...extension,
  summary: 'Name a batch, stop or continue it',
  description:
    'A stopped batch cancels its job that runs: what that delivered is kept and charged. It continues where it was stopped.',
  operationId: 'changeBatch',
  params: BatchParams,
  body: BatchPatch,
  response: { 200: answer(BatchDetail, 'The batch as it is now'), ...problems('job_in_progress') },
}

export function batchRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  const read = async (owned: { accountId: string; batchId: string }) =>
    presentBatch(found(await readBatch(db, owned)))
  return async (app) => {
    app.post('/batches', { schema: createSchema, config: ORDERING }, async (request, reply) => {
      const accountId = accountOf(request)
      const { owned = 'skip' } = request.query
      const ordered = { accountId, input: request.body, owned, ...spenderOf(request) }
      const { batch, isNew } = await createBatch(db, ordered)
      return reply.code(isNew ? 201 : 200).send(await read({ accountId, batchId: batch.id }))
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
      const isKnown = await changeBatch(db, { ...owned, ...spenderOf(request) }, request.body)
      if (!isKnown) throw new Problem('not_found')
      return read(owned)
    })
  }
}

/** Returns whose cap the jobs of a batch count against. */
function spenderOf(request: FastifyRequest): BatchSpender {
  const { app, own } = callerOf(request)
  return { connectionId: app?.connectionId ?? null, keyId: own?.id ?? null }
}

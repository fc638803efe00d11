/** DELETE of texts: of a job, of one of its rows, of a channel, playlist or project (extensions); see selection.ts. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import {
  deleteTexts,
  type DeletionAsked,
  planDeletion,
} from '../../features/library/delete-texts.ts'
import { found, Problem } from '../../kit/problem.ts'
import { ACTS } from '../action-class.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf } from '../auth.ts'
import { answer, closedObject, problems } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'
import { CollectionParams, DeletionSchema, DryRunParameter, indexOf, RowParams } from './schema.ts'

const querystring = closedObject(DryRunParameter)

/**
 * Throws where the query of an address has another parameter than these: elsewhere one that is not known says nothing,
 * but one that is misspelled would delete here what was to be shown.
 */
export function requireKnown(url: string, known: readonly string[]): void {
  const [, query = ''] = url.split('?', 2)
  for (const name of new URLSearchParams(query).keys())
    if (!known.includes(name))
      throw new Problem('invalid_request', {
        message: `${name.slice(0, NAME_CHARS)} is no parameter of this address; it takes ${known.join(' and ')}.`,
      })
}

const NAME_CHARS = 40

/** Answers of a deletion of texts. */
export const DELETION_ANSWERS = {
  200: answer(DeletionSchema, 'What would go, with `dryRun`; nothing has changed'),
  202: answer(
    DeletionSchema,
    'Many are gone, and these are left, which will go without another request',
  ),
  204: answer(Type.Null(), 'They are deleted'),
  ...problems('job_in_progress'),
}

/** The text of a row, and those of a job, go with the request. */
const { 202: _, ...AT_ONCE } = DELETION_ANSWERS
/** Descriptions that the schemas of such deletions share. */
export const DELETION = {
  ...ACTS.destroy,
  tags: ['Library'],
  description:
    'The words go for good, from each order of the account that brought the same text (a video’s words in one ' +
    'language and of one kind), from files, exports and search. Rows, receipts and charges stay; a repeat of an ' +
    'order does not bring them again. Only while all their jobs are final. Apps and restricted keys cannot call it.',
  querystring,
  response: AT_ONCE,
}
const jobSchema = {
  ...DELETION,
  summary: 'Delete the texts that a job delivered',
  operationId: 'deleteJobTexts',
  params: Type.Object({ id: JobId }),
}
const rowSchema = {
  ...DELETION,
  summary: 'Delete the text of one row',
  operationId: 'deleteText',
  params: RowParams,
}
const collectionSchema = {
  ...DELETION,
  summary: 'Delete all texts of a channel’s or playlist’s videos, or those of a project',
  operationId: 'deleteCollectionTexts',
  params: CollectionParams,
  response: DELETION_ANSWERS,
}

export function deletionRoutes(api: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.delete('/jobs/:id/texts', { schema: jobSchema }, (request, reply) =>
      answerDeletion(reply, api, {
        accountId: accountOf(request),
        asked: { jobId: request.params.id },
        isDryRun: isDryRun(request),
      }),
    )
    app.delete('/jobs/:id/videos/:index/text', { schema: rowSchema }, (request, reply) => {
      const { id: jobId, index } = request.params
      return answerDeletion(reply, api, {
        accountId: accountOf(request),
        asked: { jobId, index: indexOf(index) },
        isDryRun: isDryRun(request),
      })
    })
    app.delete('/library/:id/texts', { schema: collectionSchema }, (request, reply) =>
      answerDeletion(reply, api, {
        accountId: accountOf(request),
        asked: { collectionId: request.params.id },
        isDryRun: isDryRun(request),
      }),
    )
  }
}

/** Throws where the query has a parameter that is not `known`. */
export function isDryRun(
  { url, query }: { url: string; query: { dryRun?: string } },
  known = Object.keys(DryRunParameter),
): boolean {
  requireKnown(url, known)
  return query.dryRun === 'true'
}

export async function answerDeletion(
  reply: FastifyReply,
  { db, config }: ApiContext,
  { accountId, asked, isDryRun }: { accountId: string; asked: DeletionAsked; isDryRun: boolean },
) {
  if (isDryRun) return reply.send(found(await planDeletion(db, accountId, asked)))
  const { textsDeletedMs } = config.deadlines
  const { left } = found(await deleteTexts(db, accountId, asked, textsDeletedMs))
  return left === null ? reply.code(204).send(null) : reply.code(202).send(left)
}

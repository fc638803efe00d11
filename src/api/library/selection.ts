/** /library/selection: files over what is chosen of several lists, and the deletion of its texts (extensions). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { LIMITS } from '../../config/config.ts'
import { COLLECTION_FILE } from '../../model/files/addresses.ts'
import { WHOLE_FILES } from '../../model/files/catalogue.ts'
import { type ChosenParts, selectionOf } from '../../model/library/selection.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { closedObject, optionalText, problems } from '../contract.ts'
import { COLLECTION_CONTENT, contentOf } from '../files/schema.ts'
import { fileAnswers, sendCollectionFile } from '../files/send-files.ts'
import { EXAMPLE_JOB_ID } from '../jobs/schema.ts'
import { fileRequest } from '../send.ts'
import { answerDeletion, DELETION, isDryRun } from './deletions.ts'
import { fileQuery } from './files.ts'
import { DryRunParameter } from './schema.ts'

const IDS = String.raw`^[\w-]+(,[\w-]+)*$`
const ROWS = String.raw`^[\w-]+\.[1-9]\d*(,[\w-]+\.[1-9]\d*)*$`
const idList = (named: string, example: string) =>
  optionalText({
    pattern: IDS,
    description: `Ids of ${named}, separated by commas`,
    examples: [example],
  })

/** A selection, as fields of a query. */
export const selectionQuery = {
  jobs: idList('jobs', EXAMPLE_JOB_ID),
  batches: idList('batches', 'batch_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11'),
  collections: idList('channels, playlists and projects', 'UCBR8-60-B28hp2BmDPdntcQ'),
  rows: optionalText({
    pattern: ROWS,
    description: 'Rows of jobs, each by the id of its job and its index, separated by commas',
    examples: [`${EXAMPLE_JOB_ID}.1`],
  }),
}
const SelectionFields = Type.Object(selectionQuery)

/** Returns what a query chooses; throws a Problem for nothing, and for too much. */
export function selectionFrom(query: Static<typeof SelectionFields>): ChosenParts {
  const idsOf = (list = ''): string[] => list.split(',').filter((id) => id !== '')
  return selectionOf({
    jobs: idsOf(query.jobs),
    batches: idsOf(query.batches),
    collections: idsOf(query.collections),
    rows: idsOf(query.rows).map((row) => {
      const [jobId = '', index = ''] = row.split('.')
      return { jobId, index: Number(index) }
    }),
  })
}

export const selectionParams = Type.Object({ file: Type.String({ pattern: COLLECTION_FILE }) })

const PARTS =
  `A selection is up to ${LIMITS.selectionMax} jobs, batches, collections and rows, named in the query, with up to ` +
  `${LIMITS.selectionTextsMax.toLocaleString('en')} texts: of a job or batch also those behind its \`unchanged\` rows. `

const fileSchema = {
  summary: 'Download the transcripts of several jobs, batches, collections and rows together',
  description:
    `${PARTS}Each text stands once, and the files are those of a collection. ${WHOLE_FILES.join(', ')} have a strong ` +
    'ETag and honour Range; the others are made while they are sent.',
  operationId: 'getSelectionFile',
  tags: ['Library'],
  params: selectionParams,
  querystring: Type.Object({ ...selectionQuery, ...fileQuery }),
  response: fileAnswers(COLLECTION_CONTENT, contentOf('application/zip')),
}

const deletionSchema = {
  ...DELETION,
  summary: 'Delete the texts of several jobs, batches, collections and rows together',
  description:
    'Of a job or batch, the texts that it delivered; otherwise as each is deleted by itself, and counted once; ' +
    '`deleteJobTexts` says what goes and what stays.',
  operationId: 'deleteSelectionTexts',
  querystring: closedObject({ ...selectionQuery, ...DryRunParameter }),
  response: { ...DELETION.response, ...problems('job_in_progress', 'not_found') },
}

export function selectionRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    const options = { schema: fileSchema, config: READING }
    app.get('/library/selection/files/:file', options, async (request, reply) => {
      const { query, params } = request
      const to = fileRequest(ctx, { accountId: accountOf(request), request, reply })
      const of = { selection: selectionFrom(query) }
      return sendCollectionFile(to, { of, file: params.file, query })
    })
    app.delete('/library/selection/texts', { schema: deletionSchema }, (request, reply) =>
      answerDeletion(reply, ctx, {
        accountId: accountOf(request),
        asked: { selection: selectionFrom(request.query) },
        isDryRun: isDryRun(request, Object.keys(deletionSchema.querystring.properties)),
      }),
    )
  }
}

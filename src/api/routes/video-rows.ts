/** /jobs/{id}/videos/{index}: a row of a job, what is known of its video, when its words are said (extensions). */
import { type FastifyPluginAsyncTypebox, type Static, Type } from '@fastify/type-provider-typebox'
import { findRowWithText, readVideo } from '../../features/library/read-library.ts'
import { openWordFile } from '../../features/transcripts/open-word-file.ts'
import { found, Problem } from '../../kit/problem.ts'
import type { Naming } from '../../model/transcripts/file-names.ts'
import { WORD_FILES, type WordFile } from '../../model/transcripts/word-files.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { answer, JobId } from '../contract.ts'
import { JobVideo, presentJobVideo } from '../library-contract.ts'
import { fileRequest, type FileRequest } from '../send.ts'
import { fileAnswers, namesQuery, sendFile } from './files.ts'

const extension = { 'x-extension': true }
const INDEX_MAX = 2 ** 31 - 1

const params = Type.Object({ id: JobId, index: Type.String({ pattern: '^[1-9]\\d{0,9}$' }) })

const rowSchema = {
  ...extension,
  tags: ['Library'],
  summary: 'Read one row of a job with what the platform says of its video',
  operationId: 'getJobVideo',
  params,
  response: { 200: answer(JobVideo, 'The row, without its text') },
}

const Words = Type.Object(
  {
    words: Type.Array(
      Type.Object({
        startMs: Type.Integer(),
        endMs: Type.Integer({
          description: 'When the next word of its segment begins, or the segment ends',
        }),
        text: Type.String({
          description:
            'The word, with the blank before it: joined, the words of a segment are its text',
        }),
        confidence: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
          description: 'How sure the speech recognition is; null where the platform does not say',
        }),
      }),
    ),
  },
  { title: 'Words' },
)

const text = { schema: Type.String() }
const OPERATIONS: Record<WordFile, { operationId: string; summary: string; response: object }> = {
  'words.json': {
    operationId: 'getWords',
    summary: 'Read when each word of a text is said, as the platform published it',
    response: fileAnswers({ 'application/json': { schema: Words } }, { 'application/json': text }),
  },
  'words.vtt': {
    operationId: 'getWordsVtt',
    summary: 'Download the captions of a text as WebVTT with a time stamp before each word',
    response: fileAnswers({ 'text/vtt': text }, { 'text/vtt': text }),
  },
}

const wordQuery = Type.Object({ names: namesQuery })

const wordSchema = (file: WordFile) => ({
  ...extension,
  ...OPERATIONS[file],
  tags: ['Results'],
  description:
    'Of automatic captions, as a rule; a segment of which the platform times no words has none. Not found where ' +
    '`hasWordTimes` of the row is false: the platform published none, or an earlier release fetched the text. ' +
    'The files have a strong ETag and honour If-None-Match and Range.',
  params,
  querystring: wordQuery,
})

export function videoRowRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db } = ctx
  return async (app) => {
    app.get('/jobs/:id/videos/:index', { schema: rowSchema, config: READING }, async (request) => {
      const { id: jobId } = request.params
      const index = indexOf(request.params.index)
      return presentJobVideo(
        found(await readVideo(db, { accountId: accountOf(request), jobId, index })),
      )
    })

    for (const file of WORD_FILES) {
      const options = { schema: wordSchema(file), config: READING }
      app.get(`/jobs/:id/videos/:index/${file}`, options, async (request, reply) => {
        const { id: jobId, index } = request.params as { id: string; index: string }
        const to = fileRequest(ctx, { accountId: accountOf(request), request, reply })
        const { names: naming } = request.query as Static<typeof wordQuery>
        return sendWordFile(to, { jobId, index: indexOf(index), file, naming })
      })
    }
  }
}

/** A file of a row's words as it is asked for. */
type WordFileAsked = {
  jobId: string
  index: number
  file: WordFile
  naming?: Naming | undefined
}

/** Sends a file of a row's words; also used by the website, behind its cookie. */
export async function sendWordFile(
  to: FileRequest,
  { jobId, index, file, naming = 'index' }: WordFileAsked,
): Promise<void> {
  const { text } = found(await findRowWithText(to.db, { accountId: to.accountId, jobId, index }))
  if (text === null) throw new Problem('not_found', { message: WITHOUT_TEXT })
  const opened = await openWordFile(to, { ...text, file, naming })
  if (opened === null) throw new Problem('not_found', { message: WITHOUT_TIMES })
  return sendFile(opened, to)
}

const WITHOUT_TEXT = 'This row has no text, so it has no words either; its label says why.'
const WITHOUT_TIMES =
  'No times of words are kept of this video: the platform published none, or its text is of an earlier release or was deleted.'

/** Returns the number of a row; throws not_found for one that no row can have. */
function indexOf(text: string): number {
  const index = Number(text)
  if (index > INDEX_MAX) throw new Problem('not_found')
  return index
}

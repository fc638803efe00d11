/** The tools `list_results` and `read_transcript`: first which videos there are, then a text, page by page. */
import { type Static, Type } from 'typebox'
import type { ApiContext } from '../../api/api-context.ts'
import { closedObject, pagingOf } from '../../api/contract.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { readOwnJob, readResults } from '../../features/jobs/read-jobs.ts'
import { readVideo } from '../../features/library/read-library.ts'
import { ROW_STATUSES } from '../../model/jobs/video-row.ts'
import { found, Problem } from '../../kit/problem.ts'
import type { FinishedRow } from '../../store/video-rows.ts'
import { oneLine } from '../../model/transcripts/formats.ts'
import { type ReadTranscript, readTranscript } from '../../features/transcripts/read-transcripts.ts'
import { transcriptUri } from '../resources.ts'
import {
  defineTool,
  jsonAnswer,
  READS,
  type Tool,
  type ToolContent,
  withoutNulls,
} from '../tool.ts'
import { JobIdOnly, NO_JOB } from './jobs.ts'

const MCP_ROWS_MAX = 100
/** Characters of one page of a transcript: clients cut an answer at about 25,000 tokens. */
const MCP_PAGE_CHARS = { default: 20_000, max: 60_000 } as const

const LISTED = 20

const NO_TEXT =
  'There is no text at this jobId and index; list_results names the videos of a job and their status.'

export function listResultsTool({ db }: ApiContext): Tool {
  return defineTool({
    name: 'list_results',
    title: 'List the videos of a job',
    description:
      'What became of each video of a job, without texts. Only finished ones: wait with get_job first. ' +
      'status `success` and `unchanged` have a text. Free.',
    input: closedObject({
      jobId: JobIdOnly,
      ...pagingOf({ limit: LISTED, limitMax: MCP_ROWS_MAX }),
      status: Type.Optional(Type.Enum([...ROW_STATUSES], { type: 'string' })),
    }),
    scope: 'transcripts:read',
    hints: READS,
    async run({ jobId, offset = 0, limit = LISTED, status }, { accountId }) {
      const job = found(await readOwnJob(db, { accountId, jobId }), NO_JOB)
      const filter = status === undefined ? null : { statuses: [status], title: null }
      const { page, rows } = await readResults(db, job, { offset, limit, filter })
      const head = { jobId, state: job.state, complete: isFinal(job.state), ...page }
      return jsonAnswer(
        { ...head, videos: rows.map(({ url: _url, ...row }) => withoutNulls(row)) },
        linksOf(jobId, rows),
      )
    },
  })
}

function linksOf(jobId: string, rows: readonly FinishedRow[]): ToolContent[] {
  return rows
    .filter(({ status }) => status === 'success')
    .map(({ index, title }) => ({
      type: 'resource_link',
      uri: transcriptUri(jobId, index),
      name: title ?? `${index}.txt`,
      mimeType: 'text/plain',
    }))
}

const transcriptInput = closedObject({
  jobId: JobIdOnly,
  index: Type.Integer({ minimum: 1, description: 'As in list_results' }),
  cursor: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  maxChars: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MCP_PAGE_CHARS.max,
      default: MCP_PAGE_CHARS.default,
    }),
  ),
  timestamps: Type.Optional(
    Type.Boolean({ default: false, description: 'A line per caption, with its time' }),
  ),
})

export function readTranscriptTool(ctx: ApiContext): Tool {
  return defineTool({
    name: 'read_transcript',
    title: 'Read a transcript',
    description:
      'A page of the text of one video. The first line names the next cursor, the text follows an empty ' +
      'line; pages joined are the whole text. Free.',
    input: transcriptInput,
    scope: 'transcripts:read',
    hints: READS,
    async run(input, { accountId }) {
      const { jobId, index, cursor = 0, timestamps: isTimed = false } = input
      const { maxChars: charsMax = MCP_PAGE_CHARS.default } = input
      const ask = { accountId, jobId, index, isTimed, from: cursor, charsMax }
      const text = pageWithHead(input, found(await readWherever(ctx, ask), NO_TEXT))
      return { content: [{ type: 'text', text }] }
    },
  })
}

/** Most that a row's index can be: the database keeps it in four bytes. */
const ROW_INDEX_MAX = 2_147_483_647

/** Reads the row's own text, or the one that the account has of its video already. */
async function readWherever(ctx: ApiContext, ask: Parameters<typeof readTranscript>[1]) {
  if (ask.index > ROW_INDEX_MAX) return null
  const own = await readTranscript(ctx, ask)
  if (own !== null) return own
  const row = await readVideo(ctx.db, ask)
  return row?.text == null ? null : readTranscript(ctx, { ...ask, ...row.text })
}

function pageWithHead(
  { index, cursor = 0 }: Static<typeof transcriptInput>,
  { title, page, total }: ReadTranscript,
): string {
  if (page === null) {
    throw new Problem('invalid_request', {
      field: 'cursor',
      message: `cursor ${cursor} is behind the end: the text has ${total} characters.`,
    })
  }
  const { from, to } = page
  const next = to < total ? `next cursor ${to}` : 'the end'
  const name = title === null ? 'without title' : oneLine(title)
  return `${index}, ${name}, characters ${from} to ${to} of ${total}, ${next}\n\n${page.text}`
}

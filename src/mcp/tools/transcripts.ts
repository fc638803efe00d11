/** The tools `list_results` and `read_transcript`: first which videos there are, then a text, page by page. */
import { Type } from 'typebox'
import type { ApiContext } from '../../api/api-context.ts'
import { closedObject, pagingOf, wordOf } from '../../api/contract.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { readOwnJob, readResults } from '../../features/jobs/read-jobs.ts'
import { ROW_STATUSES } from '../../model/jobs/video-row.ts'
import { found } from '../../kit/problem.ts'
import type { FinishedRow } from '../../store/video-rows.ts'
import { ResultsAnswer, AnsweredPage } from '../answers.ts'
import { transcriptUri } from '../resources.ts'
import { textPageAnswer, PageFields, readTextPage } from '../text-page.ts'
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

const LISTED = 20

const NO_TEXT =
  'There is no text at this jobId and index; list_results names the videos of a job and their status.'

export function listResultsTool({ db }: ApiContext): Tool {
  return defineTool({
    name: 'list_results',
    title: 'List results',
    description:
      'What became of each finished video of a job. Status success and unchanged have a text.',
    input: closedObject({
      jobId: JobIdOnly,
      ...pagingOf({ limit: LISTED, limitMax: MCP_ROWS_MAX }),
      status: Type.Optional(wordOf(ROW_STATUSES, { description: 'Such as no_captions' })),
    }),
    output: ResultsAnswer,
    shows: ['complete', 'videos', 'nextOffset'],
    needs: ['transcripts:read'],
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

const input = closedObject({
  jobId: JobIdOnly,
  index: Type.Integer({ minimum: 1 }),
  ...PageFields,
})

export function readTranscriptTool(ctx: ApiContext): Tool {
  return defineTool({
    name: 'read_transcript',
    title: 'Read a transcript',
    description: 'A page of a text, by the jobId and index that lists and searches name.',
    input,
    output: AnsweredPage,
    shows: ['text', 'nextCursor'],
    needs: ['transcripts:read'],
    hints: READS,
    async run({ jobId, index, ...page }, { accountId }) {
      const read = found(await readTextPage(ctx, { accountId, jobId, index }, page), NO_TEXT)
      return textPageAnswer(read, { more: {} })
    },
  })
}

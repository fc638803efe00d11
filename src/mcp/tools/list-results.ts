/** The tool `list_results`: what became of each video of a job. */
import { Type } from 'typebox'
import { closedObject, pagingOf, wordOf } from '../../api/contract.ts'
import { readOwnJob, readResults } from '../../features/jobs/read-jobs.ts'
import { found } from '../../kit/problem.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { ROW_STATUSES } from '../../model/jobs/video-row.ts'
import type { FinishedRow } from '../../store/video-rows.ts'
import { countField, JobIdOnly, listAnswer, maybeText, NAMED, textField } from '../answers.ts'
import { NO_JOB } from '../next-steps.ts'
import { transcriptUri } from '../resources.ts'
import { defineTool, jsonAnswer, READS, type ToolContent, withoutNulls } from '../tool.ts'

const MCP_ROWS_MAX = 100

const LISTED = 20

const output = listAnswer({
  jobId: textField,
  state: textField,
  complete: Type.Boolean(),
  videos: Type.Array(
    closedObject({
      index: countField,
      videoId: maybeText,
      ...NAMED,
      status: Type.Enum([...ROW_STATUSES]),
      label: textField,
      errorMessage: maybeText,
      trackKind: maybeText,
    }),
  ),
})

export const listResultsTool = defineTool({
  name: 'list_results',
  title: 'List results',
  description:
    'What became of each finished video of a job. Status success and unchanged have a text.',
  input: closedObject({
    jobId: JobIdOnly,
    ...pagingOf({ limit: LISTED, limitMax: MCP_ROWS_MAX }),
    status: Type.Optional(wordOf(ROW_STATUSES, { description: 'Such as no_captions' })),
  }),
  output,
  shows: ['complete', 'videos', 'nextOffset'],
  needs: ['transcripts:read'],
  hints: READS,
  async run({ jobId, offset = 0, limit = LISTED, status }, { accountId }, { db }) {
    const job = found(await readOwnJob(db, { accountId, jobId }), NO_JOB)
    const filter = status === undefined ? null : { statuses: [status], title: null }
    const { page, rows } = await readResults(db, job, { offset, limit, filter })
    const head = { jobId, state: job.state, complete: isFinal(job.state), ...page }
    return jsonAnswer(
      {
        ...head,
        videos: rows.map(({ url: _url, textDeletedAt: _at, ...row }) => withoutNulls(row)),
      },
      linksOf(jobId, rows),
    )
  },
})

function linksOf(jobId: string, rows: readonly FinishedRow[]): ToolContent[] {
  return rows
    .filter(({ status, textDeletedAt }) => status === 'success' && textDeletedAt === null)
    .map(({ index, title }) => ({
      type: 'resource_link',
      uri: transcriptUri(jobId, index),
      name: title ?? `${index}.txt`,
      mimeType: 'text/plain',
    }))
}

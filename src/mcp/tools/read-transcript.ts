/** The tool `read_transcript`: a text, page by page. */
import { Type } from 'typebox'
import { closedObject } from '../../api/contract.ts'
import { found } from '../../kit/problem.ts'
import { AnsweredPage, JobIdOnly } from '../answers.ts'
import { INSTEAD, NO_TEXT } from '../next-steps.ts'
import { PageFields, readTextPage, textPageAnswer } from '../text-page.ts'
import { defineTool, READS } from '../tool.ts'

const input = closedObject({
  jobId: JobIdOnly,
  index: Type.Integer({ minimum: 1 }),
  ...PageFields,
})

export const readTranscriptTool = defineTool({
  name: 'read_transcript',
  title: 'Read a transcript',
  description: `A page of a text, by the jobId and index that lists and searches name. ${INSTEAD.read_transcript}`,
  input,
  output: AnsweredPage,
  shows: ['text', 'nextCursor'],
  needs: ['transcripts:read'],
  hints: READS,
  async run({ jobId, index, ...page }, { accountId }, ctx) {
    const read = found(await readTextPage(ctx, { accountId, jobId, index }, page), NO_TEXT)
    return textPageAnswer(read, { more: {} })
  },
})

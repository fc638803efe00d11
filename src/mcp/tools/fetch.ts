/** The tool `fetch`, the second of the pair: one whole text by the id that `search` gave. */
import { Type } from 'typebox'
import { closedObject } from '../../api/contract.ts'
import { readVideo } from '../../features/library/read-library.ts'
import { found } from '../../kit/problem.ts'
import { VIDEO_URL } from '../../model/jobs/video-row.ts'
import { textField } from '../answers.ts'
import { INSTEAD, NO_ID, readOn } from '../next-steps.ts'
import { WHOLE_TEXT_CHARS } from '../resources.ts'
import { readTextPage } from '../text-page.ts'
import { defineTool, jsonAnswer, READS, withoutNulls } from '../tool.ts'

const ID = /^([\w-]{1,40})\/(\d{1,9})$/

const output = closedObject({
  id: textField,
  title: textField,
  text: textField,
  url: textField,
  metadata: Type.Record(textField, textField),
})

export const fetchTool = defineTool({
  name: 'fetch',
  title: 'Fetch for connectors',
  description: `One whole text by an id of a search. ${INSTEAD.fetch}`,
  input: closedObject({ id: Type.String() }),
  output,
  shows: ['title', 'text', 'url', 'metadata'],
  needs: ['transcripts:read'],
  hints: READS,
  async run({ id }, { accountId }, ctx) {
    const [, jobId = '', index = ''] = ID.exec(id) ?? []
    const at = { accountId, jobId, index: Number(index) }
    const page = jobId === '' ? null : await readTextPage(ctx, at, { maxChars: WHOLE_TEXT_CHARS })
    const { nextCursor, text } = found(page, NO_ID)
    const { row } = found(await readVideo(ctx.db, at), NO_ID)
    const { channelName, publishedAt, languageCode } = row
    const next =
      nextCursor === null ? null : readOn(`jobId ${jobId}, index ${index}`, nextCursor, '')
    const about = { channelName, publishedAt, languageCode, next }
    return jsonAnswer({
      id,
      title: row.title ?? row.videoId,
      text,
      url: row.url ?? `${VIDEO_URL}${row.videoId}`,
      metadata: withoutNulls<Record<string, string | null>>(about) as Record<string, string>,
    })
  },
})

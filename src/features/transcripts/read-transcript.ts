/** Reads one delivered transcript as text: readable paragraphs, or lines with their times. */
import { findNamedRow } from '../../store/file-rows.ts'
import { findJob } from '../../store/jobs.ts'
import type { RowKey } from '../../store/transcripts.ts'
import { yieldToEventLoop } from '../../kit/yield-to-event-loop.ts'
import { readForms } from './read-forms.ts'
import type { TextSource } from './write-stored.ts'
import { segmentPieces, timedLines } from '../../model/transcripts/timed-lines.ts'
import type { Segment } from '../../model/transcripts/transcript.ts'

export type TranscriptInput = {
  accountId: string
  jobId: string
  index: number
  isTimed: boolean
}

export type ReadableTranscript = { title: string | null; videoId: string | null; text: string }

/** Number of characters parsed and written in one turn of the event loop: a millisecond's work. */
const PIECE_CHARS = 64 * 1024

/** Returns the text; null where the account has no such job, or the row no transcript. */
export async function readTranscript(
  source: TextSource,
  { accountId, jobId, index, isTimed }: TranscriptInput,
): Promise<ReadableTranscript | null> {
  if ((await findJob(source.db, { accountId, jobId })) === null) return null
  const [row, text] = await Promise.all([
    findNamedRow(source.db, { jobId, index }),
    isTimed ? timed(source, { jobId, index }) : plain(source, { jobId, index }),
  ])
  if (row === null || text === null) return null
  return { title: row.title, videoId: row.videoId, text }
}

async function plain(source: TextSource, row: RowKey): Promise<string | null> {
  const [found] = await readForms(source, [{ ...row, forms: ['txt'] }])
  return found?.content.toString() ?? null
}

async function timed(source: TextSource, row: RowKey): Promise<string | null> {
  const [found] = await readForms(source, [{ ...row, forms: ['json'] }])
  if (found === undefined) return null
  const lines: string[] = []
  for (const piece of segmentPieces(found.content.toString(), PIECE_CHARS)) {
    if (lines.length > 0) await yieldToEventLoop()
    lines.push(timedLines(JSON.parse(piece) as Segment[]))
  }
  return lines.join('')
}

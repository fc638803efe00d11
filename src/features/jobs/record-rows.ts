/**
 * Records what became of videos of a job: rows, transcripts, history and counters in one commit. A job that leaves out
 * what is owned decides here what it charges, since here it is charged: what was owned when a row was planned says
 * nothing of what another order of the account has delivered meanwhile.
 */
import assert from 'node:assert/strict'
import { transact } from '../../kit/postgres/database.ts'
import type { Attempt } from '../../model/jobs/attempt.ts'
import { findMeeting, isTrackOf } from '../../model/jobs/owned-text.ts'
import { wordedStatus } from '../../model/jobs/video-row.ts'
import type { VideoDetails } from '../../model/library/video-details.ts'
import type { TextWish } from '../../model/transcripts/caption-track.ts'
import type { Db } from '../../store/database.ts'
import { addFreeCalls } from '../../store/free-calls.ts'
import { lockTexts, type OwnedRow, readOwnedTexts } from '../../store/owned-texts.ts'
import { recordFinished, type Recording } from '../../store/record.ts'
import type { RowContent } from '../../store/video-rows.ts'

/** Texts that a job leaves out: those that its account owns and that meet the wish. */
export type LeftOut = TextWish & { accountId: string }

/**
 * Records rows, and returns by index those that were recorded, as they were: none where another attempt holds the job
 * or it is being cancelled, and none of rows that were recorded before. Safe to repeat.
 */
export async function recordRows(
  db: Db,
  attempt: Attempt,
  rows: readonly Recording[],
  leftOut: LeftOut | null,
): Promise<Map<number, Recording>> {
  for (const { content, transcript } of rows)
    assert((content.status === 'success') === (transcript !== null), 'a success has its transcript')
  const isCharged = rows.some(({ transcript }) => transcript !== null)
  if (leftOut === null || !isCharged) return recordAs(db, attempt, rows)
  return transact(db, async (tx) => {
    const videoIds = rows.flatMap(({ content: { videoId }, transcript }) =>
      videoId === null || transcript === null ? [] : [videoId],
    )
    await lockTexts(tx, { ...leftOut, videoIds })
    const owned = await readOwnedTexts(tx, { ...leftOut, videoIds })
    const decided = rows.map((row) => {
      if (row.transcript === null) return row
      const texts = owned.get(row.content.videoId ?? '') ?? []
      const text = findMeeting(texts, leftOut, row.content)
      return text === null ? row : ownedRow(row, text)
    })
    const recorded = await recordAs(tx, attempt, decided)
    const readInVain = [...recorded.values()].filter((row) => !rows.includes(row)).length
    if (readInVain > 0) await addFreeCalls(tx, leftOut.accountId, { refused: readInVain })
    return recorded
  })
}

async function recordAs(
  db: Db,
  { jobId, number: attempt }: Attempt,
  rows: readonly Recording[],
): Promise<Map<number, Recording>> {
  const indexes = await recordFinished(db, { jobId, attempt }, rows)
  const recorded = rows.filter(({ index }) => indexes.has(index))
  return new Map(recorded.map((row) => [row.index, row]))
}

/**
 * Returns the row as it is where its text is owned: uncharged, and its slot is free again. It marks no history. Where
 * the very track came that is owned, the row names it, since its wish may not lead to it.
 */
export function ownedRow(
  row: { index: number; content: RowContent; details: VideoDetails },
  { jobId, deliveredAt, ...text }: OwnedRow,
): Recording {
  const words = wordedStatus({ status: 'unchanged', earlierJobId: jobId, ownedSince: deliveredAt })
  const track = isTrackOf(text, row.content) ? {} : { languageCode: null, trackKind: null }
  return {
    index: row.index,
    content: { ...row.content, ...words, ...track },
    transcript: null,
    history: null,
    details: row.details,
    isReturned: true,
  }
}

/** The texts that an export is made of, as they are stored. */
import { keyOfRow } from '../../model/library/row-key.ts'
import type { LibraryRow } from '../../model/library/collection.ts'
import type { ExportedVideo } from '../../model/files/passages.ts'
import type { Db } from '../../store/database.ts'
import { withMetadata } from '../library/read-library.ts'
import { type KeptTexts, readWordsOf, readWordTimesOf } from '../transcripts/text-store.ts'

/** The form whose size tells how much memory a text takes when it is read. */
export const SIZED_BY = 'json'

/** How an export is made. */
export type ExportMaking = {
  /** The most bytes that are in memory at once while it is sent. */
  heldBytes: number
  /** Begins to make it, of which nothing is read before; null where the caller left meanwhile. */
  begin(): Promise<AsyncIterable<Buffer> | null>
}

export type Export = ExportMaking & { name: string; contentType: string }

/** A row whose text is kept, and the memory that it takes. */
export type KeptText = { row: LibraryRow; sizeBytes: number }

export type StoredText = {
  row: LibraryRow
  video: ExportedVideo
  stored: Buffer
  /** Null also where they were not asked for. */
  wordTimes: Buffer | null
}

/** Returns the rows whose text is still kept, in their order. */
export async function readStored(
  kept: KeptTexts & { db: Db },
  rows: LibraryRow[],
  { hasWordTimes = false }: { hasWordTimes?: boolean } = {},
): Promise<StoredText[]> {
  const [videos, words, times] = await Promise.all([
    withMetadata(kept.db, rows),
    readWordsOf(kept, rows),
    hasWordTimes ? readWordTimesOf(kept, rows) : [],
  ])
  const storedOf = new Map(words.map((found) => [keyOfRow(found), found.stored]))
  const timesOf = new Map(times.map((found) => [keyOfRow(found), found.wordTimes]))
  return videos.flatMap(({ row, metadata }) => {
    const stored = storedOf.get(keyOfRow(row))
    const { channelId, durationSeconds, keywords } = metadata
    const said = { chapters: metadata.chapters ?? [], channelId, durationSeconds, keywords }
    const video = { ...row, ...said }
    const wordTimes = timesOf.get(keyOfRow(row)) ?? null
    return stored === undefined ? [] : [{ row, video, stored, wordTimes }]
  })
}

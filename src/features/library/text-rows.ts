/** The rows that hold the texts of a job's rows now: of what was delivered before, rows of other jobs. */
import { findMeeting } from '../../model/jobs/owned-text.ts'
import type { RowKey } from '../../model/library/row-key.ts'
import type { Db } from '../../store/database.ts'
import type { TextTerms } from '../../store/library-rows.ts'
import { readOwnedTexts } from '../../store/owned-texts.ts'

type TextJob = TextTerms & { id: string; accountId: string }
type Row = {
  index: number
  videoId: string | null
  status: string | null
  languageCode: string | null
  trackKind: string | null
  textDeletedAt: Date | null
}

/**
 * Returns rows of a job, each with the one that holds its text: itself or, of an `unchanged` one, that of the same URL
 * set, in whatever language, and else the account's first text that meets the wish. It is null where the text is
 * deleted, or there never was one.
 */
export async function withTextRows<Shown extends Row>(
  db: Db,
  { id: jobId, accountId, urlSetHash, textsDeletedAt, ...wish }: TextJob,
  rows: readonly Shown[],
): Promise<(Shown & { textRow: RowKey | null })[]> {
  const unchanged = rows.filter(({ status }) => status === 'unchanged')
  const videoIds = unchanged.flatMap(({ videoId }) => videoId ?? [])
  const owned = await readOwnedTexts(db, { accountId, videoIds })
  return rows.map((row) => ({ ...row, textRow: textRowOf(row) }))

  function textRowOf({ index, videoId, status, textDeletedAt, ...came }: Row): RowKey | null {
    if (status === 'success')
      return textsDeletedAt === null && textDeletedAt === null ? { jobId, index } : null
    const texts = status === 'unchanged' ? (owned.get(videoId ?? '') ?? []) : []
    const ofSet = texts.find((text) => text.urlSetHash === urlSetHash)
    const text = ofSet ?? findMeeting(texts, wish, came)
    return text === null ? null : { jobId: text.jobId, index: text.index }
  }
}

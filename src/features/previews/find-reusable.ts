/** Finds out whether a new job may read what a preview listed, and says why where it may not. */
import type { Db } from '../../store/database.ts'
import { findPreview } from '../../store/previews.ts'

/**
 * A preview only saves listing: where it cannot be used the job is started all the same, with a notice, since
 * the order is good without it. Foreign, unknown and expired previews are told in the same words.
 */
export async function findReusable(
  db: Db,
  asked: { accountId: string; previewId: string | null; urlSetHash: string },
): Promise<{ isPreviewed: boolean; notices: string[] }> {
  const { accountId, previewId, urlSetHash } = asked
  if (previewId === null) return { isPreviewed: false, notices: [] }
  const preview = PREVIEW_ID.test(previewId)
    ? await findPreview(db, { accountId, previewId })
    : null
  if (preview?.urlSetHash === urlSetHash) return { isPreviewed: true, notices: [] }
  const why =
    preview === null
      ? 'this account has none of that id, or no longer'
      : 'it is of other URLs than this job'
  return {
    isPreviewed: false,
    notices: [`The preview was not used: ${why}. The lists are read anew.`],
  }
}

const PREVIEW_ID = /^[\w-]{1,40}$/

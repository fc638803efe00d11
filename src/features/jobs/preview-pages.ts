/**
 * Pages of lists as an account's previews saw them: for its jobs started from a preview, and for the next
 * preview of the same line. Stored as gzipped JSON; only this file packs and unpacks it.
 */
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { LIMITS } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import { findPreviewPage, insertPreviewPage, type PreviewPlace } from '../../store/preview-pages.ts'

/** A page whose videos bear the instant at which their list spoke. */
export type PreviewedPage = { videos: { askedAt: Date }[] }

const gzip = promisify(zlib.gzip)
const gunzip = promisify(zlib.gunzip)

/** Null where no preview of the account listed it within the hour. */
export async function readPreviewPage<Page extends PreviewedPage>(
  db: Db,
  place: PreviewPlace,
): Promise<Page | null> {
  const body = await findPreviewPage(db, place, LIMITS.previewSeconds)
  if (body === null) return null
  const page = JSON.parse((await gunzip(body)).toString()) as Page
  for (const video of page.videos) video.askedAt = new Date(video.askedAt)
  return page
}

export async function keepPreviewPage(
  db: Db,
  place: PreviewPlace,
  page: PreviewedPage,
): Promise<void> {
  await insertPreviewPage(db, place, await gzip(JSON.stringify(page)))
}

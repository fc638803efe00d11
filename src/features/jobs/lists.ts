/**
 * Answers of the platform about lists, kept for a while so that nothing is asked twice: pages, channels' names, dates.
 */
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { LIMITS } from '../../config/config.ts'
import { exactly } from '../../model/jobs/date-bounds.ts'
import type { ChannelAnswer, ListPage } from '../../platform/platform.ts'
import {
  type CopiedPage,
  findChannelName,
  findCopy,
  findPage,
  insertCopy,
  keepChannelName,
  keepPage,
  keepPublishDate,
  sweepCopies,
} from '../../store/list-copies.ts'
import type { Db } from '../../store/database.ts'
import { sweepTable } from '../../store/erasure.ts'
import { sweepFreeCalls } from '../../store/free-calls.ts'
import { findPreviewPage, insertPreviewPage, type PreviewPlace } from '../../store/previews.ts'

// Copies of lists: the pages of a list as the platform sent them within the hour, for all jobs and accounts. A page is
// stored as gzipped JSON; only this file packs and unpacks it.

/** A page and the instant at which the platform was asked for it. */
type DatedPage = { askedAt: Date; page: ListPage }
/** The place of a page in its copy. */
type PlaceInCopy = { copyId: string; cursor: string }

const gzip = promisify(zlib.gzip)
const gunzip = promisify(zlib.gunzip)
const maxSeconds = LIMITS.listCopySeconds

/** Returns the newest copy of the list, by its first page; null where there is none of the last hour. */
export async function readCopy(
  db: Db,
  listKey: string,
): Promise<(DatedPage & { copyId: string }) | null> {
  const copy = await findCopy(db, { listKey, maxSeconds })
  return copy === null ? null : { copyId: copy.id, ...(await unpack(copy)) }
}

/** Begins a copy with the list's first page and returns its id. */
export async function beginCopy(
  db: Db,
  listKey: string,
  { askedAt, page }: DatedPage,
): Promise<string> {
  return insertCopy(db, listKey, { askedAt, body: await pack(page) })
}

/** Returns the page; null where no job has read it, or the copy is too old. */
export async function readCopiedPage(db: Db, place: PlaceInCopy): Promise<DatedPage | null> {
  const copied = await findPage(db, { ...place, maxSeconds })
  return copied === null ? null : unpack(copied)
}

/** Adds a page to its copy, or replaces it; does nothing where the copy was swept. */
export async function keepCopiedPage(
  db: Db,
  place: PlaceInCopy,
  { askedAt, page }: DatedPage,
): Promise<void> {
  await keepPage(db, place, { askedAt, body: await pack(page) })
}

function pack(page: ListPage): Promise<Buffer> {
  return gzip(JSON.stringify(page))
}

async function unpack({ askedAt, body }: CopiedPage): Promise<DatedPage> {
  return { askedAt, page: JSON.parse((await gunzip(body)).toString()) as ListPage }
}

/** How long it is known what channel a path names; one that is missing may be created soon. */
const LIFE = { foundSeconds: LIMITS.channelNameSeconds, missingSeconds: 600 }

/** Returns what the platform said lately of the path; null where it was not asked. */
export async function readChannelName(db: Db, path: string): Promise<ChannelAnswer | null> {
  const known = await findChannelName(db, path, LIFE)
  if (known === null) return null
  if (known.channelId === null)
    return { kind: 'missing', text: 'There is no channel at this address.' }
  return { kind: 'found', channelId: known.channelId }
}

/** Remembers what is known for certain; an obstacle says nothing about the channel. */
export async function rememberChannelName(
  db: Db,
  path: string,
  answer: ChannelAnswer,
): Promise<void> {
  if (answer.kind === 'found') await keepChannelName(db, path, answer)
  if (answer.kind === 'missing') await keepChannelName(db, path, { channelId: null })
}

/** Remembers a publish date if it is exact, since that does not change; a day without its time is asked for again. */
export async function rememberPublishDate(
  db: Db,
  accountId: string,
  dated: { videoId: string; publishedAt: string },
): Promise<void> {
  if (exactly(dated.publishedAt).kind === 'exact') await keepPublishDate(db, accountId, dated)
}

// Pages of lists as an account's previews saw them: for its jobs started from a preview, and for the next preview of
// the same line. They are stored as gzipped JSON; only this file packs and unpacks it.

/** A page whose videos bear the instant at which their list was read. */
type PreviewedPage = { videos: { askedAt: Date }[] }

/** Returns the page; null where no preview of the account listed it within the hour. */
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

// Deletes list copies that are too old or too many, and what is kept beside them for an hour or a day. Every process
// may call it, now and then.

const LIST_COPIES_BYTES = 64 * 1024 * 1024
const PUBLISH_DATE_SECONDS = 86_400
const FREE_CALLS_KEPT_DAYS = 7
/** How long it is kept where a list goes on that an allowance cut short. */
const BOOKMARK_SECONDS = 90 * 86_400
const SWEPT_ROWS_MAX = 5_000
const SWEPT_COPIES_MAX = 20

/** Deletes some rows of each table, so that no sweep delays the others. */
export async function sweepLists(db: Db): Promise<void> {
  const rowsMax = SWEPT_ROWS_MAX
  await sweepCopies(db, {
    maxSeconds: LIMITS.listCopySeconds,
    bytesMax: LIST_COPIES_BYTES,
    copiesMax: SWEPT_COPIES_MAX,
  })
  await sweepTable(db, 'channel_name', { minSeconds: LIMITS.channelNameSeconds, rowsMax })
  await sweepTable(db, 'publish_date', { minSeconds: PUBLISH_DATE_SECONDS, rowsMax })
  await sweepTable(db, 'preview', { rowsMax })
  await sweepTable(db, 'preview_page', { minSeconds: LIMITS.previewSeconds, rowsMax })
  await sweepFreeCalls(db, FREE_CALLS_KEPT_DAYS)
  await sweepTable(db, 'list_bookmark', { minSeconds: BOOKMARK_SECONDS, rowsMax })
}

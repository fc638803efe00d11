/** Reads an account's library: its collections, and what became of the videos of one. */
import { counted } from '../../kit/text/counted.ts'
import { type PageInfo, pageInfo, type PageRequest } from '../../kit/page.ts'
import type { RowKey } from '../../model/library/row-key.ts'
import {
  type Collection,
  type LibraryRow,
  lineThatGoesOn,
  type Metadata,
  metadataOf,
} from '../../model/library/collection.ts'
import { NO_DETAILS, type VideoTrack } from '../../model/library/video-details.ts'
import { shownOf } from '../../model/jobs/job.ts'
import { keptLines } from '../../model/jobs/order.ts'
import { isTrackOf } from '../../model/jobs/owned-text.ts'
import { cost, dollars } from '../../model/money/money.ts'
import {
  type CollectionsAsked,
  findCollection,
  listCollections,
  readDetails,
} from '../../store/collections.ts'
import type { Db } from '../../store/database.ts'
import type { JobRecord } from '../../store/jobs.ts'
import {
  countStatuses,
  countVideosLeft,
  findGoingOn,
  findLibraryRow,
  type GoingOn,
  type LastOrder,
  type LibraryFilter,
  listLibraryRows,
} from '../../store/library-rows.ts'
import { type OwnedRow, readOwnedTexts } from '../../store/owned-texts.ts'
import { findOrigin, type TextOrigin } from '../../store/transcripts.ts'
import { withTextRows } from './text-rows.ts'

export { listCollectionsOfJob } from '../../store/collections.ts'

type Owned = { accountId: string; collectionId: string }

/** Most texts of a video that are told: its captions may be in a hundred languages, each of two kinds. */
const TEXTS_TOLD_MAX = 200

/** Returns the account's collections that match, in the order that is asked for. */
export async function readCollections(
  db: Db,
  { filter, ...ask }: PageRequest & { accountId: string; filter: CollectionsAsked },
): Promise<{ page: PageInfo; collections: Collection[] }> {
  const { total, collections } = await listCollections(db, ask, filter)
  return { page: pageInfo(ask, total), collections }
}

export type CollectionView = {
  collection: Collection
  /** Number of videos by the status of the row that counts; videos that were never asked for are not among them. */
  counts: Record<string, number>
  goesOn: GoesOn | null
}

/** The order that continues a collection without charging anything twice, and what it can bring. */
export type GoesOn = LastOrder & {
  /** The line that goes on with this collection alone. */
  line: string
  /** The most that it costs; null where it is not known how many videos there are. */
  costAtMostMicros: bigint | null
}

/** Returns the collection; null where the account has nothing of it. */
export async function readCollection(
  db: Db,
  { accountId, collectionId: id }: Owned,
): Promise<CollectionView | null> {
  const collection = await findCollection(db, { accountId, id })
  if (collection === null) return null
  const owned = { accountId, collection }
  const [statuses, goingOn] = await Promise.all([countStatuses(db, owned), findGoingOn(db, owned)])
  const counts = statuses.flatMap(({ status, videos: count }) =>
    status === null ? [] : [[status, count] as const],
  )
  const goesOn = goingOn === null ? null : goesOnWith(goingOn, collection)
  return { collection, counts: Object.fromEntries(counts), goesOn }
}

/**
 * Returns the order with the most that it can cost. Videos that other URLs brought are fetched and charged again, so
 * only those that these URLs settled count as delivered.
 */
function goesOnWith(order: GoingOn, collection: Collection): GoesOn {
  const { sources, ...told } = order
  const line = lineThatGoesOn(keptLines({ ...told, sources }), collection)
  return { ...told, line, costAtMostMicros: told.videos === null ? null : cost(told.videos) }
}

export type LibraryVideo = { row: LibraryRow; metadata: Metadata }

/** Returns the videos, newest first; null where the account has nothing of the collection. */
export async function readLibraryVideos(
  db: Db,
  { filter, ...ask }: Owned & PageRequest & { filter: LibraryFilter },
): Promise<{ page: PageInfo; videos: LibraryVideo[] } | null> {
  const { accountId, collectionId: id } = ask
  const collection = await findCollection(db, { accountId, id })
  if (collection === null) return null
  const { total, rows } = await listLibraryRows(db, { accountId, collection }, filter, ask)
  return { page: pageInfo(ask, total), videos: await withMetadata(db, rows) }
}

/** A row of a job with all that is known of its video. */
export type VideoView = LibraryVideo & {
  /** The row that holds its text; null where there is none. */
  text: RowKey | null
  /** The caption tracks that the video has; null where none was listed. */
  tracks: VideoTrack[] | null
  /** Where the text came from; null where that is not known. */
  origin: TextOrigin | null
}

/** Returns one row of a job; null where there is no such row yet. */
export async function readVideo(
  db: Db,
  ask: { accountId: string; jobId: string; index: number },
): Promise<VideoView | null> {
  const found = await findRowWithText(db, ask)
  if (found === null) return null
  const { row, text } = found
  // Where a text came from stays when it is deleted.
  const held = text ?? (row.status === 'success' ? ask : null)
  const [details, origin] = await Promise.all([
    readDetails(db, [row.videoId]),
    held === null ? null : findOrigin(db, held),
  ])
  const { tracks, ...said } = details.get(row.videoId) ?? NO_DETAILS
  return { row, metadata: metadataOf(said), text, tracks, origin }
}

/**
 * Returns the texts that the account has of a row's video in other tracks than the row's own, by whatever orders: the
 * latest of each track, by the code of its language. Null where there is no such row yet.
 */
export async function readOtherTexts(
  db: Db,
  ask: { accountId: string; jobId: string; index: number },
): Promise<OwnedRow[] | null> {
  const row = await findLibraryRow(db, ask)
  if (row === null) return null
  const { videoId } = row
  const owned = await readOwnedTexts(db, { accountId: ask.accountId, videoIds: [videoId] })
  const texts = (owned.get(videoId) ?? [])
    .filter((text) => !isTrackOf(text, row))
    .toSorted((a, b) => b.deliveredAt.getTime() - a.deliveredAt.getTime())
  const latest = texts.filter((text, at) => texts.findIndex((one) => isTrackOf(one, text)) === at)
  return latest
    .slice(0, TEXTS_TOLD_MAX)
    .toSorted((a, b) => (a.languageCode < b.languageCode ? -1 : 1))
}

/** Returns a row of a job, and the one that holds its text; null where there is no such row yet. */
export async function findRowWithText(
  db: Db,
  ask: { accountId: string; jobId: string; index: number },
): Promise<{ row: LibraryRow; text: RowKey | null } | null> {
  const found = await findLibraryRow(db, ask)
  if (found === null) return null
  const { language, wishedTrack, urlSetHash, textsDeletedAt, ...row } = found
  const { jobId: id, accountId } = ask
  const job = { id, accountId, language, wishedTrack, urlSetHash, textsDeletedAt }
  const [placed] = await withTextRows(db, job, [row])
  const { textDeletedAt: _at, ...shown } = row
  const { errorMessage } = shownOf(row, job)
  return { row: { ...shown, errorMessage }, text: placed?.textRow ?? null }
}

export async function withMetadata(db: Db, rows: LibraryRow[]): Promise<LibraryVideo[]> {
  const videoIds = rows.map(({ videoId }) => videoId)
  const details = await readDetails(db, videoIds)
  return rows.map((row) => {
    const { tracks: _tracks, ...said } = details.get(row.videoId) ?? NO_DETAILS
    return { row, metadata: metadataOf(said) }
  })
}

/**
 * Returns sentences for a POST that waited for the job's end: its lists hold more than it took up. There are none where
 * they hold no more, as far as is known.
 */
export async function noticesOfEnd(db: Db, job: JobRecord): Promise<string[]> {
  const goOn = 'Send the same URLs again to continue.'
  // Videos outside a job's dates are not left for it, and lists are counted as a whole.
  const isBounded = job.afterAt !== null || job.beforeAt !== null
  const { accountId, id: jobId } = job
  const left = isBounded ? null : await countVideosLeft(db, { accountId, jobId })
  if (left === null) {
    if (job.slotsUsed < job.maxVideos) return []
    return [
      `This job has reached its limit of ${videos(job.maxVideos)}, and there may be more. ${goOn}`,
    ]
  }
  if (left === 0) return []
  return [
    `This job has ended with more to come: ${videos(left)} left, for at most ${dollars(cost(left))}. ${goOn}`,
  ]
}

function videos(count: number): string {
  return counted(count, 'video')
}

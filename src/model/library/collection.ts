/**
 * A collection: what an account has of one channel or one playlist, whichever jobs brought it.
 *
 *     videos  ─┬─ delivered     its text is there, from whatever job
 *              ├─ noCaptions    the platform publishes none
 *              ├─ failed        attempted in vain for another reason
 *              └─ the others    listed, and not attempted yet
 *
 * A video belongs to its channel's collection and to that of each list in which the account met it. Its id is the
 * platform's own, so that the same channel is the same collection by whatever address it was ordered.
 */
import { type Chapter, chaptersOf } from './chapters.ts'
import type { VideoDetails } from './video-details.ts'

export const COLLECTION_KINDS = ['channel', 'playlist'] as const
export type CollectionKind = (typeof COLLECTION_KINDS)[number]

export type Collection = {
  id: string
  kind: CollectionKind
  /** Null where nobody said it yet. */
  title: string | null
  /** As its list says itself, hidden videos included; null where nobody looked at all of it. */
  videoCount: number | null
  lookedAt: Date | null
  /** Those that the account knows. */
  videos: number
  delivered: number
  /** Texts that were paid for: more than delivered where the same video was ordered by different URL sets. */
  deliveries: number
  noCaptions: number
  failed: number
  /** Of the delivered texts, sorted. */
  languages: string[]
  /** Publish dates of what was attempted; null where none is known. */
  newestAt: Date | null
  oldestAt: Date | null
  /** When something came to it, or its list was read. */
  changedAt: Date
}

/** What a list said when it was looked at. */
export type ListFacts = {
  collection: { id: string; kind: CollectionKind }
  title: string | null
  /** Null also where only a part of it was looked at. */
  videoCount: number | null
}

/** The list as planning names it: a channel by its id. */
export type NamedList =
  | { kind: 'playlist'; playlistId: string }
  | { kind: 'channel' | 'lists'; name: string; tab: string | null }

const UPLOADS = /^UU([\w-]{22})$/

/** Which collection a list is. The list of all uploads is its channel, whoever calls it a playlist. */
function collectionOf(list: NamedList): ListFacts['collection'] {
  if (list.kind !== 'playlist') return { id: list.name, kind: 'channel' }
  const [, channel] = UPLOADS.exec(list.playlistId) ?? []
  return channel === undefined
    ? { id: list.playlistId, kind: 'playlist' }
    : { id: `UC${channel}`, kind: 'channel' }
}

/** What a list's first page tells of its collection. */
export function listFactsOf(
  list: NamedList,
  about: { title: string | null; ownerName: string | null; videoCount: number | null } | null,
): ListFacts {
  const collection = collectionOf(list)
  const isWhole = list.kind === 'playlist' || (list.kind === 'channel' && list.tab === null)
  return {
    collection,
    title: (collection.kind === 'channel' ? about?.ownerName : about?.title) ?? null,
    videoCount: isWhole ? (about?.videoCount ?? null) : null,
  }
}

/** How many videos the collection has, as far as that is known. */
export function knownVideos({ videoCount, videos }: Collection): number {
  return Math.max(videoCount ?? 0, videos)
}

/** Videos that were never attempted; null where nobody knows how many there are. */
export function remainingVideos(collection: Collection): number | null {
  const { videoCount, delivered, noCaptions, failed } = collection
  return videoCount === null ? null : knownVideos(collection) - delivered - noCaptions - failed
}

/** The page of a collection on the platform. */
export function collectionUrl({ id, kind }: Pick<Collection, 'id' | 'kind'>): string {
  const path = kind === 'channel' ? `channel/${id}` : `playlist?list=${id}`
  return `https://www.youtube.com/${path}`
}

/** What the extension paths show of a video beside its row. */
export type Metadata = VideoDetails & {
  /** Null where the description is not known; empty where it names none. */
  chapters: Chapter[] | null
}

export function metadataOf(details: VideoDetails): Metadata {
  const { description } = details
  return { ...details, chapters: description === null ? null : chaptersOf(description) }
}

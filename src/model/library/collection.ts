/**
 * A collection: what an account has of one channel or one playlist, whichever jobs brought it, and its report.
 *
 * A video belongs to its channel's collection and to that of each list in which the account met it. Its id is the
 * platform's own, so that the same channel is the same collection by whatever address it was ordered. A project is
 * shown as a collection, too (see project.ts).
 */
import type { Source } from '../platform/source.ts'
import type { RowKey } from './row-key.ts'
import {
  type Chapter,
  chaptersOf,
  type FiledVideo,
  type TracklessDetails,
} from './video-details.ts'

export const COLLECTION_KINDS = ['channel', 'playlist', 'project'] as const
export type CollectionKind = (typeof COLLECTION_KINDS)[number]

/** Orders of a library: what changed last, by name, with most texts, and with most videos still to fetch first. */
export const COLLECTION_SORTS = ['changed', 'title', 'delivered', 'remaining'] as const
export type CollectionSort = (typeof COLLECTION_SORTS)[number]

/** The kind of a collection is read with its id, which says nothing of it: a project's videos lie in other tables. */
export type CollectionKey = { id: string; kind: CollectionKind }
/** A collection of an account, which was found there. */
export type OwnedCollection = { accountId: string; collection: CollectionKey }
/** Texts that one file holds: those of a collection, or of rows of an account that somebody chose. */
export type OwnedTexts = OwnedCollection | { accountId: string; named: readonly RowKey[] }

export type Collection = CollectionKey & {
  title: string | null
  /** The number of videos as the list itself says, hidden videos included; null where its whole list was not read. */
  videoCount: number | null
  lookedAt: Date | null
  /** Number of its videos that the account knows. */
  videos: number
  delivered: number
  /** Number of texts that were paid for: more than `delivered` where different URL sets ordered the same video. */
  deliveries: number
  noCaptions: number
  /** Number of videos that were attempted in vain for another reason. */
  failed: number
  /** Languages of the delivered texts, sorted. */
  languages: string[]
  /** Publish dates of attempted videos; null where none is known. */
  newestAt: Date | null
  oldestAt: Date | null
  /** When something came to it, or its list was read. */
  changedAt: Date
  /** The video that stands for it in pictures; null where no video is known. */
  latestVideoId: string | null
}

/** Facts that a list told when it was looked at. */
export type ListFacts = {
  collection: CollectionKey
  title: string | null
  /** The number of videos; null also where only a part of the list was read. */
  videoCount: number | null
}

/** The list as planning names it: a channel by its id. */
type NamedList =
  | { kind: 'playlist'; playlistId: string }
  | { kind: 'channel' | 'lists'; name: string; tab: string | null }

const UPLOADS = /^UU([\w-]{22})$/

/** Returns which collection a list is; that of all uploads is its channel, even where it is ordered as a playlist. */
export function collectionOf(list: NamedList): CollectionKey {
  if (list.kind !== 'playlist') return { id: list.name, kind: 'channel' }
  const [, channel] = UPLOADS.exec(list.playlistId) ?? []
  return channel === undefined
    ? { id: list.playlistId, kind: 'playlist' }
    : { id: `UC${channel}`, kind: 'channel' }
}

/** Returns whether a list is all of its collection, and no tab of a channel. */
function isWhole(list: NamedList): boolean {
  return list.kind === 'playlist' || (list.kind === 'channel' && list.tab === null)
}

/** Returns what a list's first page says of its collection. */
export function listFactsOf(
  list: NamedList,
  about: { title: string | null; ownerName: string | null; videoCount: number | null } | null,
): ListFacts {
  const collection = collectionOf(list)
  return {
    collection,
    title: (collection.kind === 'channel' ? about?.ownerName : about?.title) ?? null,
    videoCount: isWhole(list) ? (about?.videoCount ?? null) : null,
  }
}

/** Returns the address of a channel's or playlist's list on the platform. */
function addressOf({ id, kind }: CollectionKey): string {
  const path = kind === 'channel' ? `channel/${id}` : `playlist?list=${id}`
  return `https://www.youtube.com/${path}`
}

/** Returns the line that continues a collection alone: its order's, which knows what was refused; else its address. */
export function lineThatGoesOn(
  [line, ...others]: readonly { text: string; source: Source | null }[],
  collection: CollectionKey,
): string {
  const source = line?.source ?? null
  const isList = source !== null && source.kind !== 'video' && isWhole(source)
  return line !== undefined && others.length === 0 && isList ? line.text : addressOf(collection)
}

type Size = { videoCount: number | null; videos: number }

/** Returns how many videos the collection has, as far as that is known. */
export function knownVideos({ videoCount, videos }: Size): number {
  return Math.max(videoCount ?? 0, videos)
}

/** Returns how many videos were never attempted; null where it is not known how many there are. */
export function remainingVideos(
  collection: Size & { delivered: number; noCaptions: number; failed: number },
): number | null {
  const { videoCount, delivered, noCaptions, failed } = collection
  return videoCount === null ? null : knownVideos(collection) - delivered - noCaptions - failed
}

/** Returns what an export says of its collection; `source` is its page on the platform, where a project has none. */
export function headOfCollection({ id, kind, title }: Collection) {
  const head = { title: title ?? id, kind }
  return kind === 'project' ? head : { ...head, source: addressOf({ id, kind }) }
}

/** Details of a video that the extension paths show beside its row. */
export type Metadata = TracklessDetails & {
  /** Null where the description is not known; empty where it names none. */
  chapters: Chapter[] | null
}

export function metadataOf(details: TracklessDetails): Metadata {
  const { description } = details
  return { ...details, chapters: description === null ? null : chaptersOf(description) }
}

/** A video of a collection; null is what is not known, and as a status says that captions were never asked for. */
export type LibraryRow = FiledVideo & {
  /** The job and the row that hold the video's text, or say why there is none. */
  jobId: string
  index: number
  videoId: string
  status: string | null
  label: string | null
  errorMessage: string | null
}

/** A video with the numbers that a collection's report.csv shows. */
export type ReportedVideo = LibraryRow & {
  durationSeconds: number | null
  viewCount: bigint | null
}

/** Collections and their videos, as the API shows our records of them. */
import { cost, formatUsd } from '../../model/money/money.ts'
import { type Collection, knownVideos, remainingVideos } from '../../model/library/collection.ts'
import type {
  CollectionView,
  GoesOn,
  LibraryVideo,
  VideoView,
} from '../../features/library/read-library.ts'
import type { TextOrigin } from '../../store/transcripts.ts'
import type { VideoTrack } from '../../model/library/video-details.ts'
import { pictureOf } from '../../model/previews/preview.ts'
import type { Format } from '../../model/files/catalogue.ts'

export function presentCollection(collection: Collection) {
  const { id, kind, title, delivered, noCaptions, failed, languages } = collection
  return {
    id,
    kind,
    title,
    channelId: kind === 'channel' ? id : null,
    playlistId: kind === 'playlist' ? id : null,
    known: knownVideos(collection),
    delivered,
    noCaptions,
    failed,
    remaining: remainingVideos(collection),
    newestAt: collection.newestAt?.toISOString() ?? null,
    oldestAt: collection.oldestAt?.toISOString() ?? null,
    lastLookedAt: collection.lookedAt?.toISOString() ?? null,
    charged: formatUsd(cost(collection.deliveries)),
    languages,
  }
}

/** A collection with the still that stands for it. */
export function presentPictured(collection: Collection) {
  const { latestVideoId } = collection
  const pictureUrl = latestVideoId === null ? null : pictureOf(latestVideoId)
  return { ...presentCollection(collection), pictureUrl }
}

export function presentCollectionView({ collection, counts, goesOn }: CollectionView) {
  return {
    ...presentCollection(collection),
    counts,
    goesOn: goesOn === null ? null : presentGoesOn(goesOn),
  }
}

function presentGoesOn({ costAtMostMicros, ...order }: GoesOn) {
  return {
    ...order,
    formats: order.formats as Format[],
    costAtMost: costAtMostMicros === null ? null : formatUsd(costAtMostMicros),
  }
}

export function presentJobVideo({ text, tracks, origin, ...video }: VideoView) {
  const hasWordTimes = origin?.hasWordTimes ?? false
  return {
    ...presentLibraryVideo(video),
    tracks: tracks?.map(presentTrack) ?? null,
    source: sourceOf(origin),
    hasWordTimes,
    text,
  }
}

/** Names the fields in the contract's order, which the database does not keep. */
function presentTrack({ languageCode, kind, name, isDefault, isTranslatable }: VideoTrack) {
  return { languageCode, kind, name, isDefault, isTranslatable }
}

function sourceOf(origin: TextOrigin | null) {
  if (origin === null) return null
  const { sha256, format, sizeBytes, client, fetchedAt, lastModified, etag } = origin
  if (sha256 === null || format === null || sizeBytes === null) return null
  if (client === null || fetchedAt === null) return null
  const at = fetchedAt.toISOString()
  return { sha256, format, sizeBytes, client, fetchedAt: at, lastModified, etag }
}

export function presentLibraryVideo({ row, metadata }: LibraryVideo) {
  return { ...row, videoId: row.videoId === '' ? null : row.videoId, ...metadata }
}

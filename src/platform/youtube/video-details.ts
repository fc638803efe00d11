/** The details of a video in any client's player reply; each may be missing. */
import {
  NO_DETAILS,
  type VideoDetails,
  type VideoTrack,
} from '../../model/library/video-details.ts'
import type { TrackList } from '../../model/transcripts/caption-track.ts'
import { at, listAt, textAt, visibleTextAt } from './json.ts'

/** The most characters of a description; the platform allows 5,000. */
const DESCRIPTION_CHARS_MAX = 6_000
/** The most keywords; the platform allows 500 characters of them in all. */
const KEYWORDS_MAX = 200
const WORD_CHARS_MAX = 200
const CHANNEL_ID = /^UC[\w-]{22}$/

export function detailsOf(reply: unknown): VideoDetails {
  const details = at(reply, 'videoDetails')
  const category = visibleTextAt(reply, 'microformat', 'playerMicroformatRenderer', 'category')
  if (details === undefined && category === null) return NO_DETAILS
  const channelId = textAt(details, 'channelId')
  return {
    channelId: channelId !== null && CHANNEL_ID.test(channelId) ? channelId : null,
    // A live stream has "0".
    durationSeconds: countAt(details, 'lengthSeconds') || null,
    viewCount: countAt(details, 'viewCount'),
    keywords: keywordsOf(details),
    description:
      visibleTextAt(details, 'shortDescription')?.slice(0, DESCRIPTION_CHARS_MAX).toWellFormed() ??
      null,
    category: category?.slice(0, WORD_CHARS_MAX).toWellFormed() ?? null,
    tracks: null,
  }
}

/** The most tracks that are kept; videos with automatic dubs have some dozens (2026). */
const TRACKS_MAX = 300

/** Returns what is kept of a video's tracks; null where there is none. */
export function videoTracksOf({ tracks, defaultTrack }: TrackList): VideoTrack[] | null {
  if (tracks.length === 0) return null
  return tracks.slice(0, TRACKS_MAX).map((track) => {
    const { languageCode, kind, isTranslatable } = track
    const name = track.name?.slice(0, WORD_CHARS_MAX).toWellFormed() ?? null
    return { languageCode, kind, name, isDefault: track === defaultTrack, isTranslatable }
  })
}

/**
 * Returns the keywords. The field is missing where the uploader named none; its neighbours show whether it was asked
 * for.
 */
function keywordsOf(details: unknown): string[] | null {
  const words = listAt(details, 'keywords').slice(0, KEYWORDS_MAX)
  const kept = words.flatMap(
    (word) => visibleTextAt(word)?.slice(0, WORD_CHARS_MAX).toWellFormed() ?? [],
  )
  return kept.length === 0 && at(details, 'lengthSeconds') === undefined ? null : kept
}

/** Returns a number, which the platform writes as digits in a string. */
function countAt(details: unknown, name: string): number | null {
  const text = textAt(details, name)
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}

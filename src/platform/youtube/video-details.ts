/** The details of a video in any client's player reply; each may be missing. */
import { NO_DETAILS, type VideoDetails } from '../../model/library/video-details.ts'
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
  }
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

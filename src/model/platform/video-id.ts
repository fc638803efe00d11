/** Video ids as the platform spells them. */

/** An id is 64 bits in 11 characters of 6: the last character has two to spare, which the platform leaves at zero. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const SPARE_BITS = 3

/** Returns whether the platform names the video that was asked for, perhaps in its own spelling. */
export function isSameVideo(named: string, asked: string): boolean {
  return named === asked || named === canonicalVideoId(asked)
}

/**
 * Returns the platform's own spelling: `DJztXj2GPfl` is answered as `DJztXj2GPfk` (recorded). Ids that do not exist are
 * refused as they were spelled, so this alone is no reason to write an id differently.
 */
export function canonicalVideoId(videoId: string): string {
  const last = ALPHABET.indexOf(videoId.slice(-1))
  return last === -1 ? videoId : videoId.slice(0, -1) + ALPHABET.charAt(last & ~SPARE_BITS)
}

/** Other spellings of a video's id: the same 64 bits, with the spare ones of the last character set. */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Returns the id with `bits`, 1 to 3, in place of the 0 of the platform's own spelling. */
export function respelled(videoId: string, bits: 1 | 2 | 3 = 1): string {
  return videoId.slice(0, -1) + LETTERS.charAt(LETTERS.indexOf(videoId.slice(-1)) + bits)
}

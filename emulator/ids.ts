/**
 * Ids that carry what they name: a video id is an enciphered (channel number, upload number), so
 * that twelve thousand videos need no table, and any other eleven characters name no video.
 *
 *     64 bits = 20 tag | 12 channel | 20 upload | 12 tag   --six rounds keyed by the seed-->
 *     ten base64url characters of six bits and a last one of four, as real ids have them
 */
import { mix } from './random.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const VALUES = new Map([...ALPHABET].map((char, value) => [char, value]))
const ROUNDS = 6
const HIGH_TAG = 0x5c1b1
const LOW_TAG = 0x7e5

/** The number of a video: channels count from 0, uploads from 0, the newest. */
export type VideoNumber = { channel: number; upload: number }

export function videoIdOf(seed: number, { channel, upload }: VideoNumber): string {
  let high = ((HIGH_TAG << 12) | channel) >>> 0
  let low = ((upload << 12) | LOW_TAG) >>> 0
  for (let round = 0; round < ROUNDS; round++) {
    const mixed = (high ^ mix(low, mix(seed, round))) >>> 0
    high = low
    low = mixed
  }
  return base64(high, low, 11)
}

/**
 * Returns the id as the platform spells it: the last character has two spare bits, which change nothing (recorded:
 * `DJztXj2GPfl` is answered as `DJztXj2GPfk`).
 */
export function ownSpelling(videoId: string): string {
  const last = VALUES.get(videoId.slice(-1))
  return last === undefined ? videoId : videoId.slice(0, -1) + ALPHABET.charAt(last & ~3)
}

/** Returns the video's number, or null where the world has no such video: a malformed or an unknown id. */
export function videoNumberOf(seed: number, videoId: string): VideoNumber | null {
  const words = wordsOf(videoId)
  if (words === null) return null
  let [high, low] = words
  for (let round = ROUNDS - 1; round >= 0; round--) {
    const unmixed = (low ^ mix(high, mix(seed, round))) >>> 0
    low = high
    high = unmixed
  }
  if (high >>> 12 !== HIGH_TAG || (low & 0xfff) !== LOW_TAG) return null
  return { channel: high & 0xfff, upload: low >>> 12 }
}

export function channelIdOf(seed: number, channel: number): string {
  const [first, second] = [mix(seed, channel), mix(mix(seed, 1), channel)]
  const tail = base64(mix(first, 3), mix(second, 4), 11)
  return `UC${base64(first, second, 10)}${tail}${'AQgw'[first & 3]}`
}

/** Returns a playlist id in today's form: `PL` and 32 characters. */
export function playlistIdOf(seed: number, playlist: number): string {
  const parts = [0, 1, 2, 3].map((part) => {
    const word = mix(mix(seed, 1000 + playlist), part)
    return base64(word, mix(word, 7), 8)
  })
  return `PL${parts.join('')}`
}

/** Whether `text` has the form of a video id; the world need not have that video. */
export function looksLikeVideoId(text: string): boolean {
  return /^[\w-]{11}$/.test(text)
}

function base64(high: number, low: number, length: number): string {
  let text = ''
  for (let at = 0; at < length; at++) {
    text += ALPHABET[sixBits(high, low, at * 6)]
  }
  return text
}

/** Returns six bits of the 64, from the left; bits beyond the last are zero. */
function sixBits(high: number, low: number, from: number): number {
  if (from + 6 <= 32) return (high >>> (26 - from)) & 63
  if (from >= 32) {
    const shift = 26 - (from - 32)
    return shift >= 0 ? (low >>> shift) & 63 : (low << -shift) & 63
  }
  const fromHigh = 32 - from
  return ((high << (6 - fromHigh)) | (low >>> (26 + fromHigh))) & 63
}

function wordsOf(videoId: string): [number, number] | null {
  if (!looksLikeVideoId(videoId)) return null
  let bits = 0n
  for (const char of videoId) bits = (bits << 6n) | BigInt(VALUES.get(char) ?? 0)
  if ((bits & 3n) !== 0n) return null
  bits >>= 2n
  return [Number(bits >> 32n), Number(bits & 0xffff_ffffn)]
}

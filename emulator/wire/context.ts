/** The parts of every InnerTube reply: the visitor's identity and some bookkeeping. */
import type { Call, JsonObject } from '../call.ts'
import { hashText, hexOf, mix } from '../random.ts'

let minted = 0

const NAME_LENGTH = 11
/** The characters of a name that number it among those that were made. */
const NUMBER_LENGTH = 6
/** The most characters of a client's name, so that one byte tells their length. */
const CLIENT_LENGTH_MAX = 40
/** The tags of the protobuf fields; the client's name is the emulator's own addition. */
const NAME = 0x0a
const SECONDS = 0x28
const CLIENT = 0x7a

/**
 * Makes a session identity in the platform's form: protobuf { 1: eleven characters, 5: seconds }, as percent-encoded
 * base64url, and with { 15: the client that asked }. Each call makes another one.
 */
export function mintVisitorData(call: Call): string {
  minted += 1
  const number = minted.toString(16).padStart(NUMBER_LENGTH, '0')
  const name = `${hexOf(mix(hashText(call.identity), minted), NAME_LENGTH - NUMBER_LENGTH)}${number}`
  const seconds = Math.floor(call.nowMs / 1000)
  const varint = []
  for (let left = seconds; ; left = Math.floor(left / 128)) {
    if (left < 128) {
      varint.push(left)
      break
    }
    varint.push((left % 128) | 128)
  }
  const client = Buffer.from(call.client.name.slice(0, CLIENT_LENGTH_MAX))
  const bytes = Buffer.concat([
    Buffer.from([NAME, NAME_LENGTH]),
    Buffer.from(name),
    Buffer.from([SECONDS, ...varint]),
    ...(client.length === 0 ? [] : [Buffer.from([CLIENT, client.length]), client]),
  ])
  return encodeURIComponent(
    bytes.toString('base64url').padEnd(Math.ceil(bytes.length / 3) * 4, '='),
  )
}

/** Returns the client for which a session identity was made; null where the emulator did not make it, or for none. */
export function minterOf(visitor: string): string | null {
  const [encoded = ''] = visitor.split(/[%=]/, 1)
  const bytes = Buffer.from(encoded, 'base64url')
  let at = NAME_LENGTH + 2
  if (bytes[0] !== NAME || bytes[1] !== NAME_LENGTH || bytes[at] !== SECONDS) return null
  do at += 1
  while (((bytes[at] ?? 0) & 128) !== 0)
  const [tag, length = 0] = bytes.subarray(at + 1)
  return tag === CLIENT ? bytes.toString('utf8', at + 3, at + 3 + length) : null
}

/** Returns the mark of tokens that are given with a call's visitor id, and hold at its exit for those no older. */
export function sinceOf({ identity, visitor }: Call): string {
  return `${hexOf(hashText(identity), NAME_LENGTH)}x${numberOf(visitor)}`
}

/** Whether the call's visitor id is older than the one with which a token was given at the same exit. */
export function isTooOld({ identity, visitor }: Call, since: string): boolean {
  const [exit, number] = since.split('x')
  return exit === hexOf(hashText(identity), NAME_LENGTH) && numberOf(visitor) < Number(number)
}

/** Returns which of the visitor ids it is, counted as they were made; 0 for one that the emulator did not make. */
function numberOf(visitor: string): number {
  if (minterOf(visitor) === null) return 0
  const name = Buffer.from(visitor.split(/[%=]/, 1)[0] ?? '', 'base64url').toString('latin1', 2)
  return Number.parseInt(name.slice(NAME_LENGTH - NUMBER_LENGTH, NAME_LENGTH), 16)
}

export function responseContext(call: Call): JsonObject {
  const visitorData = call.visitor === '' ? mintVisitorData(call) : call.visitor
  return { visitorData, ...namelessContext(call) }
}

/** Returns the context of a reply that gives its caller no session identity. */
export function namelessContext(call: Call): JsonObject {
  return {
    serviceTrackingParams: [
      {
        service: 'CSI',
        params: [
          { key: 'c', value: call.client.name },
          { key: 'cver', value: call.client.version },
        ],
      },
    ],
    mainAppWebResponseContext: { loggedOut: true },
  }
}

/** Returns a text as runs, as apps get it; the web mostly gets simpleText. */
export function runs(...texts: string[]): JsonObject {
  return { runs: texts.map((text) => ({ text })) }
}

export function simple(text: string): JsonObject {
  return { simpleText: text }
}

export function thumbnailOf(videoId: string): JsonObject {
  return {
    thumbnails: [
      { url: `https://i.ytimg.com/vi/${videoId}/mqdefault.jpg`, width: 320, height: 180 },
      { url: `https://i.ytimg.com/vi/${videoId}/hq720.jpg`, width: 1280, height: 720 },
    ],
  }
}

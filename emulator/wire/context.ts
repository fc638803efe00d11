/** The parts of every InnerTube reply: the visitor's identity and some bookkeeping. */
import type { Call, JsonObject } from '../call.ts'
import { hashText, hexOf, mix } from '../random.ts'

let minted = 0

/**
 * Makes a session identity in the platform's form: protobuf { 1: eleven characters, 5: seconds }, as percent-encoded
 * base64url. Each call makes another one.
 */
export function mintVisitorData(call: Call): string {
  minted += 1
  const name = hexOf(mix(hashText(call.identity), minted), 11)
  const seconds = Math.floor(call.nowMs / 1000)
  const varint = []
  for (let left = seconds; ; left = Math.floor(left / 128)) {
    if (left < 128) {
      varint.push(left)
      break
    }
    varint.push((left % 128) | 128)
  }
  const bytes = Buffer.concat([
    Buffer.from([0x0a, 11]),
    Buffer.from(name),
    Buffer.from([0x28, ...varint]),
  ])
  return encodeURIComponent(
    bytes.toString('base64url').padEnd(Math.ceil(bytes.length / 3) * 4, '='),
  )
}

export function responseContext(call: Call): JsonObject {
  return {
    visitorData: call.visitor === '' ? mintVisitorData(call) : call.visitor,
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

/**
 * A recording of exchanges with the platform: a folder with one gzipped JSON file for each, which
 * `npm run emulator -- --replay DIR` serves. All are kept until the end, since a value may be learned from a later one.
 */
import fs from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { ConfigError } from '../../kit/settings.ts'
import type { OnExchange, WireReply, WireRequest } from '../egress/connections.ts'
import { decode } from '../egress/content.ts'
import type { EgressRoute } from '../egress/route.ts'
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts'

type Made = Parameters<OnExchange>[0]

type PlatformRecording = {
  onExchange: OnExchange
  /** Writes the files; returns how many, and how many exchanges were left out since a bound was reached. */
  write(): Promise<{ files: number; leftOut: number }>
}

const EXCHANGES_MAX = 5_000
/** Bytes as received, of all exchanges together: those of a whole examination of twenty routes. */
const RECEIVED_BYTES_MAX = 128 * 1024 * 1024
/** Bytes of one reply after decompression; a longer one is recorded as too large. */
const DECODED_BYTES_MAX = 32 * 1024 * 1024
/** Headers of a request that are no secret by nature; all others are left out. */
const REQUEST_HEADERS =
  /^(?:accept-|content-type$|origin$|referer$|user-agent$|x-goog-visitor-id$|x-youtube-)/

/** Makes the folder. Refuses one that holds anything, so that no recording mixes with another. */
export async function openRecording(folder: string): Promise<PlatformRecording> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new ConfigError(`--record: the folder ${folder} cannot be made: ${error.message}`)
  })
  if ((await fs.readdir(folder)).length > 0)
    throw new ConfigError(`--record: the folder ${folder} is not empty; name a new one`)
  const made: Made[] = []
  let bytes = 0
  let leftOut = 0
  return {
    onExchange(exchange) {
      bytes += exchange.reply.bytes
      if (made.length < EXCHANGES_MAX && bytes <= RECEIVED_BYTES_MAX) made.push(exchange)
      else leftOut += 1
    },
    async write() {
      const pseudonyms = createPseudonyms()
      for (const exchange of made) learnFrom(exchange, pseudonyms)
      const nameOf = routeNamer()
      for (const [index, exchange] of made.entries()) {
        const recorded = { route: nameOf(exchange.route), ...cleaned(exchange, pseudonyms) }
        const number = String(index + 1).padStart(4, '0')
        const file = path.join(folder, `${number}-${lastWordOf(exchange.request)}.json.gz`)
        await fs.writeFile(file, gzipSync(JSON.stringify(recorded)), { mode: 0o600, flag: 'wx' })
      }
      return { files: made.length, leftOut }
    },
  }
}

function learnFrom({ route, request, reply }: Made, pseudonyms: Pseudonyms): void {
  const { headers, path: asked, body } = request
  for (const text of [asked, body ?? '', bodyTextOf(reply) ?? '']) pseudonyms.learn(text)
  pseudonyms.learn(`"visitorData":"${headers['x-goog-visitor-id'] ?? ''}"`)
  pseudonyms.spare(`${headers['user-agent'] ?? ''} ${JSON.stringify(clientOf(body))}`)
  if (route === null || route.proxyAuthorization === null) return
  const [, encoded = ''] = route.proxyAuthorization.split(' ')
  pseudonyms.learnSecrets([encoded, ...Buffer.from(encoded, 'base64').toString().split(':')])
}

/** Returns what a request says of its client, in which versions look like addresses. */
function clientOf(body: string | null): unknown {
  const { context } = JSON.parse(body ?? '{}') as { context?: { client?: object } }
  return context?.client ?? null
}

/** Returns the text of a reply; null where it is broken, or cannot be decompressed. */
function bodyTextOf(reply: WireReply): string | null {
  if (reply.kind === 'broken') return null
  const decoded = decode(reply.content, DECODED_BYTES_MAX)
  return decoded.kind === 'bytes' ? decoded.bytes.toString() : null
}

/** Names routes by what they are, since a name may hold a proxy's address: `direct1`, `proxy1`, `proxy2`. */
function routeNamer(): (route: EgressRoute | null) => string | null {
  const names = new Map<string, string>()
  const counts = { direct: 0, proxy: 0 }
  return (route) => {
    if (route === null) return null
    const kind = route.proxyOrigin === null ? 'direct' : 'proxy'
    const name = names.get(route.name) ?? `${kind}${(counts[kind] += 1)}`
    names.set(route.name, name)
    return name
  }
}

function cleaned({ request, reply }: Made, { clean }: Pseudonyms) {
  const { method, origin, path: asked, headers, body } = request
  const kept = Object.entries(headers).filter(([name]) => REQUEST_HEADERS.test(name))
  return {
    request: {
      method,
      url: clean(`${origin}${asked}`),
      headers: Object.fromEntries(kept.map(([name, value]) => [name, clean(value)])),
      body: body === null ? null : (JSON.parse(clean(body)) as unknown),
    },
    response: cleanedReply(reply, clean),
  }
}

function cleanedReply(reply: WireReply, clean: Pseudonyms['clean']) {
  if (reply.kind === 'broken') return { failure: reply.failure }
  const { status, location, retryAfterMs, lastModified, etag } = reply
  const text = bodyTextOf(reply)
  if (text === null) return { failure: decode(reply.content, DECODED_BYTES_MAX).kind }
  const headers = {
    ...(location === null ? {} : { location: clean(location) }),
    // A date would be over when it is replayed.
    ...(retryAfterMs === null ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
    ...(lastModified === null ? {} : { 'last-modified': lastModified }),
    ...(etag === null ? {} : { etag: clean(etag) }),
  }
  return { status, headers, body: clean(text) }
}

/** Returns the last word of a path that names no video: `player`, `timedtext`, `embed`. */
function lastWordOf({ path: asked }: WireRequest): string {
  const [, first = '', ...rest] = asked.replace(/\?.*$/s, '').split('/')
  const word = first === 'embed' ? first : (rest.at(-1) ?? first)
  return word.replace(/\W/g, '').slice(0, 40)
}

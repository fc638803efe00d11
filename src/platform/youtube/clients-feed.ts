/**
 * A feed of client profiles: the file of `PLATFORM_CLIENTS` at an https address, with its Ed25519 signature beside it
 * (`<address>.sig`, 64 bytes in base64). The last good one is kept in DATA_DIR, for starts while the feed is away.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { request } from 'undici'
import { isSignedBy } from '../../kit/ed25519.ts'
import { readUpTo } from '../../kit/outbound/read-up-to.ts'
import { ConfigError } from '../../kit/settings.ts'
import { isLoopback } from '../egress/route.ts'
import type { ClientProfile } from './clients.ts'
import { CLIENTS_BYTES_MAX, readClientProfiles } from './read-clients.ts'

/** An address of profiles and the public key by which they have to be signed; `folder` keeps the last good ones. */
export type ClientsFeed = { url: string; publicKey: Buffer; folder: string }

const FEED_MS = 30_000
const SIGNATURE_BYTES_MAX = 1_000
const KEPT_FILE = 'clients-feed.json'

type Signed = { text: string; signature: string }

/** Returns the feed that the settings name; null where `source` is a file. Throws a sentence where they are wrong. */
export function feedOf(
  source: string,
  { key, folder }: { key: string | null; folder: string },
): ClientsFeed | null {
  const url = URL.parse(source)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  if (url.protocol === 'http:' && !isLoopback(url.origin))
    throw new ConfigError('PLATFORM_CLIENTS has to be an https address, or a file')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new ConfigError('PLATFORM_CLIENTS has to be an address without query, user or password')
  if (key === null)
    throw new ConfigError('PLATFORM_CLIENTS is an address, so PLATFORM_CLIENTS_KEY has to be set')
  return { url: url.href, publicKey: Buffer.from(key, 'base64'), folder }
}

/** Asks for the profiles and keeps them. Throws a sentence where they do not come, or are not as they have to be. */
export async function readFeed(feed: ClientsFeed, signal: AbortSignal): Promise<ClientProfile[]> {
  const [text, signature] = await Promise.all([
    download(feed.url, CLIENTS_BYTES_MAX, signal),
    download(`${feed.url}.sig`, SIGNATURE_BYTES_MAX, signal),
  ])
  const signed = { text, signature: signature.trim() }
  const profiles = profilesIn(feed, signed)
  await keep(feed, signed)
  return profiles
}

/** Returns the last good profiles, which are checked like new ones; null where there are none. */
export async function readKeptFeed(feed: ClientsFeed): Promise<ClientProfile[] | null> {
  try {
    const kept = JSON.parse(await fs.readFile(path.join(feed.folder, KEPT_FILE), 'utf8')) as Signed
    return profilesIn(feed, kept)
  } catch {
    return null // never kept, or of another feed: the profiles of the release are used until it answers
  }
}

async function download(url: string, bytesMax: number, signal: AbortSignal): Promise<string> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(FEED_MS)])
  try {
    const reply = await request(url, { signal: deadline })
    const text = await readUpTo(reply.body, bytesMax)
    if (reply.statusCode !== 200) throw new Error(`status ${reply.statusCode}`)
    return text
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`PLATFORM_CLIENTS: ${url} cannot be read: ${reason}`)
  }
}

function profilesIn({ url, publicKey }: ClientsFeed, { text, signature }: Signed): ClientProfile[] {
  if (!isSignedBy(publicKey, Buffer.from(text), Buffer.from(signature, 'base64')))
    throw new ConfigError(`PLATFORM_CLIENTS: ${url} is not signed by PLATFORM_CLIENTS_KEY`)
  try {
    return readClientProfiles(text)
  } catch (error) {
    throw new ConfigError(`PLATFORM_CLIENTS: ${error instanceof Error ? error.message : ''}`)
  }
}

/** Keeps the profiles for the next start; several processes may do so at once. */
async function keep({ folder }: ClientsFeed, signed: Signed): Promise<void> {
  const file = path.join(folder, KEPT_FILE)
  const written = `${file}.${randomUUID()}.new`
  try {
    await fs.mkdir(folder, { recursive: true })
    await fs.writeFile(written, JSON.stringify(signed))
    await fs.rename(written, file)
  } catch {
    await fs.rm(written, { force: true }).catch(() => undefined) // a full disk takes no profile away
  }
}

/** The issuer's published keys: from where they are trusted, and for which receipts each of them is valid. */
import { ConnectionError, errorOf, ScriptoriumError } from './errors.ts'
import { isTime } from './receipt-shape.ts'

export type PublishedKey = {
  id: string
  /** Key as 32 raw bytes in base64. */
  publicKey: string
  /** Instant of its last signature; null or missing while it may still sign. */
  retiredAt?: string | null
}

export type TrustedKeys =
  | {
      /**
       * Address of the service that you trust: its keys are read, and the receipt must name it. It must be https,
       * unless it is on this machine, since others could replace the keys on the way.
       */
      issuer: string
      /** Reads the keys; by default the global `fetch`, for at most 20 seconds. */
      fetch?: (url: string) => Promise<Response>
    }
  | {
      /** Keys from `/.well-known/scriptorium-keys.json` that you saved. */
      keys: readonly PublishedKey[]
    }

const READ_MS = 20_000
const UNSAFE = 'is not read by https: others could change it on the way; give keys that you kept'
/** A job that ended while the key was being changed may still be signed by the old one. */
const CHANGE_MS = 60_000
/** 32 bytes in base64. */
const PUBLIC_KEY = /^[A-Za-z0-9+/]{43}=$/

/** Returns the keys. Throws a ScriptoriumError where there are none, which says nothing about a receipt. */
export async function readTrustedKeys(trusted: TrustedKeys): Promise<readonly PublishedKey[]> {
  const keys: unknown = 'keys' in trusted ? trusted.keys : await fetchKeys(trusted)
  if (Array.isArray(keys) && keys.every(isPublishedKey)) return keys
  throw unreadable('they are not a list of keys')
}

/** Returns whether the key was retired before the job ended: a thief of an old key can sign nothing newer with it. */
export function isRetiredBefore({ retiredAt }: PublishedKey, finishedAt: string): boolean {
  return retiredAt != null && Date.parse(finishedAt) > Date.parse(retiredAt) + CHANGE_MS
}

/** Returns the address of a service without a trailing slash. */
export function bare(address: string): string {
  return address.replace(/\/$/, '')
}

async function fetchKeys({
  issuer,
  fetch = readOnce,
}: Extract<TrustedKeys, { issuer: string }>): Promise<unknown> {
  const address = `${bare(issuer)}/.well-known/scriptorium-keys.json`
  if (!isSafe(address)) throw unreadable(`${address} ${UNSAFE}`)
  const response = await fetch(address).catch((cause: unknown) => {
    const message = `The keys of the issuer could not be read: ${address} cannot be reached`
    throw new ConnectionError({ code: 'connection_lost', message, cause })
  })
  if (response.url !== '' && !isSafe(response.url))
    throw unreadable(`${address} leads to ${response.url}, which ${UNSAFE}`)
  if (!response.ok) {
    const message = `The keys of the issuer could not be read: ${address} answered with status ${response.status}`
    throw errorOf(response, { error: { message } })
  }
  const answer = (await response.json().catch(() => null)) as { keys?: unknown } | null
  if (Array.isArray(answer?.keys)) return answer.keys
  throw unreadable(`${address} lists none`)
}

function readOnce(url: string): Promise<Response> {
  return globalThis.fetch(url, { signal: AbortSignal.timeout(READ_MS) })
}

/** Returns whether an address is safe in the sense of browsers: https, or on this machine. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  const isHere = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}

function isPublishedKey(value: unknown): value is PublishedKey {
  const { id, publicKey, retiredAt } = (value ?? {}) as Record<string, unknown>
  const isKey = typeof publicKey === 'string' && PUBLIC_KEY.test(publicKey)
  return typeof id === 'string' && isKey && (retiredAt == null || isTime(retiredAt))
}

function unreadable(why: string): ScriptoriumError {
  const message = `The keys of the issuer could not be read: ${why}`
  return new ScriptoriumError({ code: 'keys_unreadable', message })
}

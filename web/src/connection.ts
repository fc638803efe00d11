/** Whether the server answers, when it last did, and the listeners for a change of that. */
import { ApiError, ConnectionError } from '../../clients/typescript/src/errors.ts'

export type Connection = {
  isLost: boolean
  /** Instant of the last answer, by this page's clock. */
  heardAtMs: number
}

const LOOK_MS = 3_000

let now: Connection = { isLost: false, heardAtMs: Date.now() }
const listeners = new Set<() => void>()

export function connection(): Connection {
  return now
}

export function onConnection(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Notes that the server answered, even with a refusal. */
export function noteHeard(): void {
  const wasLost = now.isLost
  now = { isLost: false, heardAtMs: Date.now() }
  if (wasLost) tell()
}

/** Notes that a request failed; `error` tells whether there was no answer. */
export function noteFailure(error: unknown): void {
  if (error instanceof ApiError) return noteHeard()
  if (now.isLost || !(error instanceof ConnectionError)) return
  now = { ...now, isLost: true }
  tell()
  void untilServed()
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** Resolves once the server answers anything at all; asks every few seconds. */
async function untilServed(): Promise<void> {
  while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  noteHeard()
}

async function isServed(): Promise<boolean> {
  try {
    await fetch('/account/session', { cache: 'no-store', signal: AbortSignal.timeout(LOOK_MS * 3) })
    return true
  } catch {
    return false
  }
}

/**
 * Returns the part of the program that a page needs. Where the server is away, it waits for the server and then
 * reloads: a reload before that would show the browser's error page. Where the server is there, the part belongs to an
 * earlier release, and the router reloads by itself. Where `isNeeded` is false, a link was only hovered: the load fails
 * and is repeated when the page is opened, since a reload would discard what was typed.
 */
export async function loadPart<T>(load: () => Promise<T>, isNeeded: () => boolean): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (await isServed()) throw error
    noteFailure(new ConnectionError({ code: 'connection_lost', message: 'The server is away.' }))
    if (!isNeeded()) throw error
    await untilServed()
    if (!isNeeded()) throw error
    location.reload()
    return new Promise(() => {})
  }
}

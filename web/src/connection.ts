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

/** Whether a page would be answered: a proxy in front of processes that all begin answers by itself. */
async function isServed(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(LOOK_MS * 3)
    const { status } = await fetch('/account/session', { cache: 'no-store', signal })
    return status < 500
  } catch {
    return false
  }
}

/**
 * Returns the part of the program that a page needs. Where it is not there, it may belong to an earlier release: the
 * page is loaded anew, once the server is there, since a reload before that would show the browser's error page. Where
 * `mayReload` is false, as for a link that was only hovered, a reload would discard what was typed: the load fails.
 * Throws, too, where reloading has not helped.
 */
export async function loadPart<T>(load: () => Promise<T>, mayReload: () => boolean): Promise<T> {
  try {
    return await load()
  } catch {
    if (!(await isServed())) {
      noteFailure(new ConnectionError({ code: 'connection_lost', message: 'The server is away.' }))
      if (mayReload()) await untilServed()
    }
    if (mayReload() && globalThis.loadAnew?.()) return new Promise(() => {})
    throw new ConnectionError({ code: 'part_missing', message: PART_MISSING })
  }
}

const PART_MISSING =
  'A part of this page is not there: Scriptorium may be changing to another release. Load the page again in a minute.'

declare global {
  /** Loads the page anew and returns true, or false where that has not helped: web/public/theme.js. */
  var loadAnew: (() => boolean) | undefined
}

/**
 * The public API, called with a bearer key as any client does. The key is valid for fifteen minutes and kept in memory
 * only; the session gives it, and a new one when it is no longer accepted.
 */
import { Jobs } from '../../../clients/typescript/src/jobs.ts'
import { Library } from '../../../clients/typescript/src/library.ts'
import type { Segment } from '../../../clients/typescript/src/schema.ts'
import { Transport } from '../../../clients/typescript/src/transport.ts'
import { type Answer, ask } from './account.ts'

export { isFinal } from '../../../clients/typescript/src/jobs.ts'
export type { OwnedChoice, StartedJob, WishedTrack } from '../../../clients/typescript/src/jobs.ts'
export type * from '../../../clients/typescript/src/schema.ts'

/** A bearer is renewed this long before it ends. */
const RENEWAL_MARGIN_MS = 60_000

type HeldBearer = { text: string; untilMs: number }
let bearer: Promise<HeldBearer> | null = null

async function issue(): Promise<HeldBearer> {
  const issued = await ask<Answer<'Bearer'>>('POST', '/bearer')
  return {
    text: issued.bearer,
    untilMs: performance.now() + issued.lifetimeSeconds * 1000 - RENEWAL_MARGIN_MS,
  }
}

/**
 * Returns the session's key; `refused` is one that must not be given again. At most one request for a key runs at a
 * time, and a failed one is forgotten.
 */
export async function currentBearer(refused: string | null): Promise<string> {
  const held = bearer === null ? null : await bearer.catch(() => null)
  if (held === null || held.text === refused || performance.now() > held.untilMs) {
    bearer = issue()
    bearer.catch(() => (bearer = null))
  }
  return (await (bearer ?? issue())).text
}

/** Forgets the bearer: after signing out, no request may use it. */
export function forgetBearer(): void {
  bearer = null
}

export const publicApi = new Transport({
  apiKey: currentBearer,
  baseUrl: `${location.origin}/api/v1`,
})

/** Reads what the public API has at `path`. */
export const read = <T>(
  path: string,
  query: Record<string, string | number> = {},
  signal?: AbortSignal,
) => publicApi.json<T>({ method: 'GET', path, query, ...(signal === undefined ? {} : { signal }) })

export const jobs = new Jobs(publicApi)
export const library = new Library(publicApi)

/** Returns the segments of one delivered video. */
export function readSegments(jobId: string, index: number): Promise<Segment[]> {
  return read(`/jobs/${jobId}/files/${index}.json`)
}

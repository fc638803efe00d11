/**
 * The public API, called like any client does: with a bearer key. The key lives fifteen minutes and
 * in memory only; it is got from the session, and got anew when it is not accepted any more.
 */
import { Jobs } from '../../../clients/typescript/src/jobs.ts'
import { Library } from '../../../clients/typescript/src/library.ts'
import type { Segment } from '../../../clients/typescript/src/schema.ts'
import { Transport } from '../../../clients/typescript/src/transport.ts'
import { ask, type Bearer } from './account.ts'

export { isFinal } from '../../../clients/typescript/src/jobs.ts'
export type {
  Collection,
  CollectionDetail,
  Job,
  JobRequest,
  JobVideo,
  LibraryVideo,
  LibraryVideoList,
  Preview,
  PreviewSource,
  Results,
  Segment,
  Video,
} from '../../../clients/typescript/src/schema.ts'

/** A bearer is renewed this long before it ends. */
const RENEWAL_MARGIN_MS = 60_000

type HeldBearer = { text: string; untilMs: number }
let bearer: Promise<HeldBearer> | null = null

async function issue(): Promise<HeldBearer> {
  const issued = await ask<Bearer>('POST', '/bearer')
  return {
    text: issued.bearer,
    untilMs: performance.now() + issued.lifetimeSeconds * 1000 - RENEWAL_MARGIN_MS,
  }
}

/** The session's key; `refused` is one not to give again. One request for it at a time; a failed one is forgotten. */
export async function currentBearer(refused: string | null): Promise<string> {
  const held = bearer === null ? null : await bearer.catch(() => null)
  if (held === null || held.text === refused || performance.now() > held.untilMs) {
    bearer = issue()
    bearer.catch(() => (bearer = null))
  }
  return (await (bearer ?? issue())).text
}

/** After signing out nothing may be asked with the old bearer. */
export function forgetBearer(): void {
  bearer = null
}

export const publicApi = new Transport({
  apiKey: currentBearer,
  baseUrl: `${location.origin}/api/v1`,
})
export const jobs = new Jobs(publicApi)
export const library = new Library(publicApi)

/** The segments of one delivered video. */
export function readSegments(jobId: string, index: number): Promise<Segment[]> {
  return publicApi.json({ method: 'GET', path: `/jobs/${jobId}/files/${index}.json` })
}

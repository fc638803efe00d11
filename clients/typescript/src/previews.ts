/** Previews: what a job would take up and cost before it is started. */
import type { CallOptions, OwnedChoice, WishedTrack } from './jobs.ts'
import type { JobRequest, Preview } from './schema.ts'
import type { Transport } from './transport.ts'

export type PreviewOptions = CallOptions & {
  /** Longest wait for the preview in seconds (0 to 60); 30 by default. */
  waitSeconds?: number
  /** What becomes of owned videos, and which track is taken; see `jobs.start`. */
  owned?: OwnedChoice | undefined
  track?: WishedTrack | undefined
}

const WAIT_S = 30
/** Share of our timeout for which the service may hold an answer. */
const WAIT_SHARE = 2 / 3

/**
 * Starts a preview, or finds the one of the same request within the hour, and waits until it is ready. After
 * `waitSeconds` it returns what was found out by then.
 */
export async function preview(
  transport: Transport,
  request: JobRequest,
  { waitSeconds = WAIT_S, signal, ...query }: PreviewOptions,
): Promise<Preview> {
  const patience = Math.floor((transport.timeoutMs / 1000) * WAIT_SHARE)
  const wait = Math.max(0, Math.min(waitSeconds, patience))
  const headers: Record<string, string> = wait > 0 ? { Prefer: `wait=${wait}` } : {}
  const call = { method: 'POST', path: '/previews', query }
  return transport.json({ ...call, body: request, headers, signal })
}

/** Whether a request is sent again, and how long before that. */
import { ApiError, ConnectionError } from './errors.ts'

export const DEFAULT_RETRIES_MAX = 2
export const DEFAULT_BACKOFF_MS = 500
const DELAY_MS_MAX = 8_000
/** Longest wait in seconds; where the service asks for more, the error says how long. */
const RETRY_AFTER_S_MAX = 60

/**
 * Returns the milliseconds before the next try, or null where trying again would not help. Lost connections, 408, 429
 * and 5xx are tried again; `Retry-After` is obeyed. `random` is from 0 to 1: clients that lost the server at the same
 * moment do not all come back at once.
 */
export function retryDelayMs(
  error: unknown,
  {
    retries,
    backoffMs = DEFAULT_BACKOFF_MS,
    random = Math.random(),
  }: { retries: number; backoffMs?: number; random?: number },
): number | null {
  if (!(error instanceof ConnectionError) && !(error instanceof ApiError && isPassing(error)))
    return null
  const { retryAfter } = error
  if (retryAfter !== null && retryAfter > RETRY_AFTER_S_MAX) return null
  const backoff = Math.min(DELAY_MS_MAX, backoffMs * 2 ** retries)
  return Math.max((retryAfter ?? 0) * 1000, backoff * (0.5 + random / 2))
}

function isPassing({ status }: ApiError): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** Throws the signal's reason where it aborts first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Throws after `timeoutMs`: a connection without data counts as lost. */
export async function inTime<T>(pending: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing arrived in ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([pending, late])
  } finally {
    clearTimeout(timer)
  }
}

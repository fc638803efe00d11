/** Looks all the time whether the process can serve, for the log and the metrics, whether or not anybody asks. */
import type { Context } from './context.ts'

const READINESS_WATCHED_EVERY_MS = 1_500

/** Logs once when something is missing, and once when all is there again. Returns what ends it. */
export function watchReadiness({ readiness, log, metrics, stopping }: Context): () => void {
  let isReady = true
  metrics.ready.set(1)
  async function watch(): Promise<void> {
    const missing = await readiness.look()
    if (stopping.signal.aborted) return // what is closed by then is not missing
    const wasReady = isReady
    isReady = missing.length === 0
    metrics.ready.set(isReady ? 1 : 0)
    metrics.commitsHang.set(readiness.commitsHang() ? 1 : 0)
    if (wasReady && !isReady)
      log.warn({ missing }, 'not ready: requests are answered with 503 and jobs wait')
    if (!wasReady && isReady) log.info('ready again: requests are answered and jobs continue')
  }
  const timer = setInterval(() => void watch(), READINESS_WATCHED_EVERY_MS).unref()
  return () => clearInterval(timer)
}

/** Looks all the time whether the process can serve, for the log and the metrics, whether or not anybody asks. */
import type { Context } from './context.ts'
import { whyOutOfReach } from './features/transcripts/text-store.ts'

const READINESS_WATCHED_EVERY_MS = 1_500

/** Logs once when something is missing, and once when all is there again. Returns what ends it. */
export function watchReadiness(ctx: Context): () => void {
  const { readiness, log, metrics, stopping } = ctx
  let isReady = true
  metrics.ready.set(1)
  const lookAtTexts = watchTexts(ctx)
  async function watch(): Promise<void> {
    void lookAtTexts()
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

/** Number of looks between two in which the object store is asked whether it has the texts: ten minutes. */
const LOOKS_A_LIST = 400

/**
 * Returns what looks at the object store of texts: asks it now and then whether it has them, since other processes may
 * move the first ones there, and all the time while it does not give them, as readers found.
 */
function watchTexts({ db, textStore, readiness, log, metrics }: Context): () => Promise<void> {
  let outOfReach: string | null | undefined
  let [wasAway, looks] = [false, 0]
  return async () => {
    looks = (looks + 1) % LOOKS_A_LIST
    const isDue = textStore === null || outOfReach === undefined || looks === 0
    if (isDue) outOfReach = await whyOutOfReach(db, textStore).catch(() => undefined)
    const trouble = outOfReach ?? textStore?.trouble ?? null
    const isAway = trouble !== null
    metrics.textStoreAway.set(isAway ? 1 : 0)
    readiness.degraded = isAway ? [`older texts: ${outOfReach ?? 'TEXT_STORE is away'}`] : []
    if (isAway && !wasAway) log.warn({ why: trouble }, 'older texts are answered 503')
    if (!isAway && wasAway) log.info('the object store of texts is back')
    wasAway = isAway
    if (textStore?.trouble != null)
      await textStore.read('probe', { from: 0, bytes: 1 }, () => true).catch(() => undefined)
  }
}

/** Clusters: whose hits were counted already, so that no single source makes an alarm. */
import { CONTENT_ANSWERS } from '../../model/platform/usual.ts'
import type { Evidence, Hit } from '../../model/platform/visit.ts'

/** Sources whose hits are remembered; the longest unseen are forgotten. */
const CLUSTERS_MAX = 8_192
/** After which a source counts again. */
const CLUSTER_MS = 6 * 3_600_000

export type Clusters = Map<string, { count: number; sinceMs: number }>

/** What videos have is counted once for each source in a while, be it a hit or none. */
export function isNewSource(clusters: Clusters, { part, source }: Evidence, atMs: number): boolean {
  if (source === null) return false
  const hit = { verdict: CONTENT_ANSWERS, cluster: source, clusterMax: 1, atMs }
  return isFresh(clusters, { part }, hit)
}

/** Whether its cluster was counted less often than it may be; counts it. */
export function isFresh(
  clusters: Clusters,
  { part }: Pick<Evidence, 'part'>,
  {
    verdict,
    cluster,
    clusterMax,
    atMs,
  }: Pick<Hit, 'verdict' | 'cluster' | 'clusterMax'> & {
    atMs: number
  },
): boolean {
  const key = `${part} ${verdict} ${cluster}`
  const known = clusters.get(key)
  const isOver = known === undefined || atMs - known.sinceMs > CLUSTER_MS
  const { count, sinceMs } = isOver ? { count: 0, sinceMs: atMs } : known
  clusters.delete(key) // so that it is the newest again
  clusters.set(key, { count: Math.min(clusterMax, count + 1), sinceMs })
  if (clusters.size > CLUSTERS_MAX) {
    const [oldest] = clusters.keys()
    if (oldest !== undefined) clusters.delete(oldest)
  }
  return count < clusterMax
}

/** Gauges of what the drift watch sees: shares of verdicts of now and of the last days, and drifts that go on. */
import type { WatchedShare } from '../model/platform/drift-line.ts'
import type { DriftWatch } from '../platform/drift/drift-watch.ts'
import type { Maker } from './maker.ts'

export function createDriftGauges({ gauge }: Maker) {
  const labels = ['question', 'client', 'route', 'verdict'] as const
  return {
    share: gauge(
      'scriptorium_verdict_share',
      'Share of a verdict among the last answers of a client, a route, or all, from 0 to 1',
      labels,
    ),
    usual: gauge(
      'scriptorium_verdict_usual_share',
      'Share of the same verdict in the last days, from 0 to 1',
      labels,
    ),
    drift: gauge(
      'scriptorium_platform_drift',
      '1 while a verdict is far more frequent than in the last days; /readyz?verbose says it in words',
      labels,
    ),
  }
}

/** Sets the gauges. The labels of shares over all clients and routes are empty. */
export function setDriftGauges(
  { share, usual, drift }: ReturnType<typeof createDriftGauges>,
  watch: DriftWatch,
): void {
  for (const each of [share, usual, drift]) each.reset()
  for (const watched of watch.shares()) {
    share.set(labelsOf(watched), watched.share)
    usual.set(labelsOf(watched), watched.usual)
  }
  for (const found of watch.drifts()) drift.set(labelsOf(found), 1)
}

function labelsOf({ question, client, route, verdict }: WatchedShare) {
  return { question, client: client ?? '', route: route ?? '', verdict }
}

/** What the drift watch sees, as gauges: shares of verdicts of now and of the last days, and drifts that go on. */
import { Gauge, type Registry } from 'prom-client'
import type { DriftWatch } from '../platform/drift/drift-watch.ts'

const LABELS = ['question', 'client', 'route', 'verdict'] as const

export type DriftGauges = {
  share: Gauge<(typeof LABELS)[number]>
  usual: Gauge<(typeof LABELS)[number]>
  drift: Gauge<(typeof LABELS)[number]>
}

export function createDriftGauges(registers: Registry[]): DriftGauges {
  const gauge = (name: string, help: string): DriftGauges['share'] =>
    new Gauge({ name, help, labelNames: LABELS, registers })
  return {
    share: gauge(
      'scriptorium_verdict_share',
      'Share of a verdict among the last answers of a client, a route, or both, from 0 to 1',
    ),
    usual: gauge(
      'scriptorium_verdict_usual_share',
      'Share of the same verdict in the last days, from 0 to 1',
    ),
    drift: gauge(
      'scriptorium_platform_drift',
      '1 while a verdict is far more frequent than in the last days; /readyz?verbose says it in words',
    ),
  }
}

/** Parts without a client or route are of all of them: their label is empty. */
export function setDriftGauges({ share, usual, drift }: DriftGauges, watch: DriftWatch): void {
  for (const each of [share, usual, drift]) each.reset()
  for (const { question, of, verdict, detector, usual: usually } of watch.shares()) {
    // A pair for each client and route would be many series; their sums say enough.
    if (of.client !== null && of.route !== null) continue
    const labels = { question, client: of.client ?? '', route: of.route ?? '', verdict }
    share.set(labels, detector.share)
    usual.set(labels, usually)
  }
  for (const { question, clients, routes, verdict } of watch.drifts())
    drift.set({ question, client: clients.join(' '), route: routes.join(' '), verdict }, 1)
}

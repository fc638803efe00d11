/** Mails the alerts that need no history to the operators, who mostly have no Prometheus. */
import os from 'node:os'
import type { Outbox } from '../features/mail/outbox.ts'
import { hasOperators, sweepTold, tellOfCause } from '../features/operator/tell-operators.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { alertWatch, type GaugeAlert } from '../model/operator/alert.ts'
import { MAILED_ALERTS } from '../model/operator/alerts.ts'
import { mailOfAlert } from '../model/operator/mails.ts'
import type { DriftWatch } from '../platform/drift/drift-watch.ts'
import type { Db } from '../store/database.ts'

/** The interval of looks, in which the alerts' minutes are counted. */
export const ALERTS_LOOKED_AT_EVERY_MS = 60_000

type Looking = { db: Db; outbox: Outbox; metrics: Metrics; watch: DriftWatch; now: () => Date }

/** Returns the step that looks once at the values of /metrics and mails what has held for long enough. */
export function alertStep(ctx: Looking, publicUrl: string): () => Promise<void> {
  const { db, outbox, metrics, watch } = ctx
  const firing = alertWatch(MAILED_ALERTS)
  return async () => {
    await sweepTold(db)
    if (!(await hasOperators(db))) return
    const now = ctx.now()
    for (const alert of firing(await metrics.look(db, { now, watch }))) {
      const mail = mailOfAlert(alert, { details: detailsOf(ctx, alert), publicUrl })
      await tellOfCause({ db, outbox }, { cause: alert.name, now, mail })
    }
  }
}

/** Returns what this process knows beyond the alert's own words. */
function detailsOf({ watch }: Looking, { when }: GaugeAlert): readonly string[] {
  if (when.some(({ gauge }) => gauge === 'scriptorium_platform_drift')) return watch.lines()
  if (when.some(({ per }) => per === 'process'))
    return [`It is process ${process.pid} on ${os.hostname()}.`]
  return []
}

/** Sends what waits to be sent: deliveries to webhooks, in order for each, and emails of the outbox. */
import { setTimeout as sleep } from 'node:timers/promises'
import { EXAMPLE_JOB } from '../api/openapi-examples.ts'
import { linksFrom, presentJob } from '../api/present.ts'
import type { Context } from '../context.ts'
import { sendDueMail } from '../features/mail/outbox.ts'
import { openTransport } from '../features/mail/transport.ts'
import {
  claimDue,
  deliver,
  type DeliveryParts,
  sweepDeliveries,
} from '../features/webhooks/deliver.ts'
import { openSender } from '../features/webhooks/sender.ts'
import { LIMITS } from '../kit/config/config.ts'
import { startLoop } from '../kit/loop.ts'
import type { ClaimedDelivery } from '../store/webhook-deliveries.ts'
import { loopOptions } from './periodic-tasks.ts'

// Sends the emails that wait in the outbox; every process does, so that none depends on another.

/** Number of emails sent at once, so that one that a mail server keeps waiting holds up none of the others. */
const MAILS_AT_ONCE = 4
const MAIL_POLL_MS = 10_000

export type Mailing = {
  /** Begins no more, and resolves when those under way are over. */
  stop(): Promise<void>
}

export async function startMailing(ctx: Context): Promise<Mailing> {
  const stopping = new AbortController()
  const { signal } = stopping
  const transport = await openTransport(ctx.config, ctx.log)

  async function sendAll(): Promise<void> {
    while (!signal.aborted) {
      const attempt = await sendDueMail(ctx.db, { box: ctx.box, transport })
      if (attempt === null) return
      const { outcome, to, error } = attempt
      ctx.metrics.mails.inc({ outcome })
      if (outcome === 'failed')
        ctx.log.error({ err: error, to }, 'an email was not accepted, and is sent again later')
      if (outcome === 'given_up')
        ctx.log.error({ err: error, to }, 'an email was not accepted, and is not sent any more')
    }
  }

  const sending = startLoop(
    async () => void (await Promise.all(Array.from({ length: MAILS_AT_ONCE }, sendAll))),
    loopOptions(ctx, { what: 'sending emails', everyMs: MAIL_POLL_MS, signal }),
  )
  const unsubscribe = ctx.signals.on('scriptorium_mail', sending.wake)
  return {
    async stop() {
      stopping.abort()
      unsubscribe()
      await sending.done
    },
  }
}

// Sends deliveries to webhooks: takes those that are due while there is room, and ends them in order at a stop.

const DELIVERIES_AT_ONCE_MAX = 128
const DELIVERY_POLL_MS = 1_000

export type Deliveries = {
  /** Begins no more deliveries, lets those under way end for STOP_GRACE, and gives the rest back. */
  stop(): Promise<void>
}

/** Starts to send. `publicUrl` is the beginning of links in a delivered job. */
export function startDeliveries(ctx: Context, publicUrl: string): Deliveries {
  const { db, log, config, signals } = ctx
  const [stopping, leaving] = [new AbortController(), new AbortController()]
  const { signal } = stopping
  const parts = deliveryParts(ctx, publicUrl)
  const underWay = new Set<Promise<void>>()

  function start(claimed: ClaimedDelivery): void {
    const done: Promise<void> = deliver(parts, claimed, leaving.signal)
      // A delivery whose end was not written down is due again when its lease is over.
      .catch((error: unknown) =>
        log.warn({ err: error, deliveryId: claimed.deliveryId }, 'a delivery was not written down'),
      )
      .finally(() => {
        underWay.delete(done)
        sending.wake()
      })
    underWay.add(done)
  }

  async function step(): Promise<void> {
    while (!signal.aborted && underWay.size < DELIVERIES_AT_ONCE_MAX) {
      const claimed = await claimDue(db, DELIVERIES_AT_ONCE_MAX - underWay.size)
      if (claimed.length === 0) return
      claimed.forEach(start)
    }
  }

  const loop = (what: string, everyMs: number, work: () => Promise<void>) =>
    startLoop(work, loopOptions(ctx, { what, everyMs, signal }))
  const sending = loop('sending to webhooks', DELIVERY_POLL_MS, step)
  const sweeping = loop('sweeping deliveries', LIMITS.sweepEveryMs, () => sweepDeliveries(db))
  const unsubscribe = signals.on('scriptorium_delivery', sending.wake)
  return {
    async stop() {
      stopping.abort()
      unsubscribe()
      await sending.done // a delivery that was being claimed is under way by now
      const settled = Promise.all(underWay)
      await Promise.race([settled, sleep(config.STOP_GRACE * 1000, undefined, { ref: false })])
      leaving.abort(new Error('the process is to stop'))
      await settled
      await sweeping.done
      await parts.sender.close()
    },
  }
}

function deliveryParts(ctx: Context, publicUrl: string): DeliveryParts {
  const { db, pool, box, outbox, config, metrics } = ctx
  const links = linksFrom(publicUrl)
  return {
    db,
    pool,
    publicUrl,
    sender: openSender({ isPrivateAllowed: config.WEBHOOK_ALLOW_PRIVATE }),
    box,
    outbox,
    present: (job) => (job === null ? EXAMPLE_JOB : presentJob(job, links)),
    onAttempt: (outcome) => metrics.webhookAttempts.inc({ outcome }),
  }
}

/** Sends what waits to be sent: deliveries to webhooks, in order for each, and emails of the outbox. */
import { exampleJob } from '../api/jobs/example-job.ts'
import { linksFrom } from '../api/links.ts'
import { presentJob } from '../api/jobs/present.ts'
import type { Context } from '../context.ts'
import { sendMail } from '../features/mail/outbox.ts'
import { openTransport } from '../features/mail/transport.ts'
import { claimDue, deliver, type DeliveryParts } from '../features/webhooks/deliver.ts'
import { openSender } from '../features/webhooks/sender.ts'
import { claimMail, type WaitingMail } from '../store/mails.ts'
import type { ClaimedDelivery } from '../store/webhook-deliveries.ts'
import { type EndWork, startClaiming } from './background-work.ts'

/** Number of emails sent at once, so that one that a mail server keeps waiting holds up none of the others. */
const MAILS_AT_ONCE = 4
const MAIL_POLL_MS = 10_000

/**
 * Starts to send the emails that wait in the outbox, where the process can, so that none depends on another. Without
 * SMTP_URL it writes them to its own disk, and nobody looks at a worker's.
 */
export async function startMailing(ctx: Context): Promise<EndWork> {
  const { db, box, config, log, metrics } = ctx
  if (config.SMTP_URL === null && !config.ROLES.has('api')) {
    log.warn('SMTP_URL is not set: emails wait for a process with a mail server or the role api')
    return async () => undefined
  }
  const transport = await openTransport(config, log)
  return startClaiming<WaitingMail>(ctx, {
    what: 'sending emails',
    everyMs: MAIL_POLL_MS,
    wokenBy: 'scriptorium_mail',
    atOnceMax: MAILS_AT_ONCE,
    async claim() {
      const mail = await claimMail(db)
      return mail === null ? [] : [mail]
    },
    async work(mail) {
      const attempt = await sendMail(db, { box, transport }, mail).catch((error: unknown) => {
        // An email whose end was not written down is due again by itself.
        log.warn({ err: error }, 'an attempt to send an email was not written down')
      })
      if (attempt === undefined) return
      const { outcome, to, error } = attempt
      metrics.mails.inc({ outcome })
      if (outcome === 'failed')
        log.error({ err: error, to }, 'an email was not accepted, and is sent again later')
      if (outcome === 'given_up')
        log.error({ err: error, to }, 'an email was not accepted, and is not sent any more')
    },
  })
}

const DELIVERIES_AT_ONCE_MAX = 128
const DELIVERY_POLL_MS = 1_000

/**
 * Starts to send deliveries. `publicUrl` is the beginning of links in a delivered job. At the end those under way may
 * go on for STOP_GRACE; the rest is given back.
 */
export function startDeliveries(ctx: Context, publicUrl: string): EndWork {
  const { db, pool, box, outbox, config, metrics, log } = ctx
  const links = linksFrom(publicUrl)
  const sender = openSender({ isPrivateAllowed: config.WEBHOOK_ALLOW_PRIVATE })
  const parts: DeliveryParts = {
    db,
    pool,
    publicUrl,
    sender,
    box,
    outbox,
    present: (job) => (job === null ? exampleJob(links) : presentJob(job, links)),
    onAttempt: (outcome) => metrics.webhookAttempts.inc({ outcome }),
  }
  const end = startClaiming<ClaimedDelivery>(ctx, {
    what: 'sending to webhooks',
    everyMs: DELIVERY_POLL_MS,
    wokenBy: 'scriptorium_delivery',
    atOnceMax: DELIVERIES_AT_ONCE_MAX,
    graceMs: config.STOP_GRACE * 1000,
    claim: (underWay) => claimDue(db, DELIVERIES_AT_ONCE_MAX - underWay.length),
    work: (claimed, leaving) =>
      deliver(parts, claimed, leaving).catch((error: unknown) => {
        // A delivery whose end was not written down is due again when its lease is over.
        const { deliveryId } = claimed
        log.warn({ err: error, deliveryId }, 'a delivery was not written down')
      }),
  })
  return async () => {
    await end()
    await sender.close()
  }
}

/** Sends the emails that wait in the outbox; every process does, so that none depends on another. */
import type { Context } from '../context.ts'
import { sendDueMail } from '../features/mail/outbox.ts'
import { openTransport } from '../features/mail/transport.ts'
import { startLoop } from '../kit/loop.ts'
import { loopOptions } from './periodic-tasks.ts'

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

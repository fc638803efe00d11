/** POST /webhooks/stripe: events of the payment service; no key, but a signature over the raw body. */
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import type { Payments } from '../../features/money/stripe.ts'
import { takeEvent } from '../../features/money/payments.ts'
import type { ApiContext } from '../api-context.ts'

/** Events are a few kilobytes; this is the most that is read of one. */
const PAYMENT_EVENT_BYTES = 512 * 1024

/** Routes of the webhook; without payments the address does not exist. */
export function stripeWebhookRoutes(
  { db, log }: ApiContext,
  payments: Payments | null,
): FastifyPluginAsync {
  return async (app) => {
    if (payments === null) return
    app.removeAllContentTypeParsers()
    const raw = { parseAs: 'buffer', bodyLimit: PAYMENT_EVENT_BYTES } as const
    app.addContentTypeParser('*', raw, async (_request: unknown, body: Buffer) => body)

    // Named, so that the body is read at all: its bytes, whose signature comes before their form.
    const body = Type.Unsafe<unknown>({ properties: { id: {}, type: {}, created: {}, data: {} } })
    const schema = { hide: true, body }
    const config = { takesNoSecret: true } // a signature is good for its event alone
    const options = { schema, config, bodyLimit: PAYMENT_EVENT_BYTES }
    app.post('/webhooks/stripe', options, async (request) => {
      const event = payments.readEvent(request.body, request.headers['stripe-signature'])
      const { id: eventId, type } = event
      const { outcome, note, needsOperator } = await takeEvent(db, event)
      const fields = { eventId, type, outcome, note }
      if (needsOperator)
        log.error(fields, 'a payment event needs the operator; see: admin payment claims')
      else log.info(fields, 'payment event taken')
      return { outcome }
    })
  }
}

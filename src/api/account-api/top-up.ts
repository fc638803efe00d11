/** /account/top-up: adding money by the payment service, where an operator set one. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { ApiContext } from '../api-context.ts'
import { formatUsd, parseUsd } from '../../model/money/money.ts'
import { readBooked } from '../../features/money/invoices.ts'
import { openPayments } from '../../features/money/stripe.ts'
import { Problem } from '../../kit/problem.ts'
import { REPLIES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const offerSchema = { hide: true, response: { 200: REPLIES.TopUpOffer } }
const schema = {
  hide: true,
  response: { 200: REPLIES.Checkout },
  body: Type.Object({ amountUsd: Type.String({ maxLength: 16 }) }, { additionalProperties: false }),
}

const bookedSchema = {
  hide: true,
  params: Type.Object({ checkoutId: Type.String({ pattern: '^\\w{1,255}$' }) }),
  response: { 200: REPLIES.Booked },
}

export function topUpRoutes({ db, config, publicUrl }: ApiContext): FastifyPluginAsyncTypebox {
  const payments = openPayments(config)
  return async (app) => {
    /** Answers with the amounts that may be paid, in USD; none where only the operator adds credit. */
    app.get('/account/top-up', { schema: offerSchema }, async () => ({
      amounts: (payments?.amounts ?? []).map(formatUsd),
    }))

    /** Answers whether a payment is booked: a customer who comes back from paying waits for it. */
    app.get('/account/top-up/:checkoutId', { schema: bookedSchema }, async (request) => {
      const { accountId } = visitorOf(request)
      const { checkoutId } = request.params
      const micros = await readBooked(db, { accountId, checkoutId })
      return { amount: micros === null ? null : formatUsd(micros) }
    })

    app.post('/account/top-up', { schema }, async (request) => {
      if (payments === null) {
        throw new Problem('invalid_request', {
          message: 'This server does not take payments; ask its operator for credit.',
        })
      }
      const { accountId, email } = visitorOf(request)
      const { url } = await payments.createCheckout({
        accountId,
        email,
        micros: parseUsd(request.body.amountUsd) ?? 0n,
        successUrl: `${publicUrl}/money?paid={CHECKOUT_SESSION_ID}`,
        cancelUrl: `${publicUrl}/money`,
      })
      return { url }
    })
  }
}

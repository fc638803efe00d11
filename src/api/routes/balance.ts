/** GET /balance: what the account can spend. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatUsd, PRICE_MICROS } from '../../billing/money.ts'
import { viewOf } from '../../billing/read-balance.ts'
import { balanceOf } from '../auth.ts'
import { answer, BalanceSchema, problems } from '../contract.ts'

const schema = {
  summary: 'Read the prepaid balance; money reserved for running jobs is already subtracted',
  operationId: 'getBalance',
  tags: ['Account'],
  response: { 200: answer(BalanceSchema, 'What can be spent now'), ...problems('server_busy') },
}

export function balanceRoutes(): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/balance', { schema, config: { reads: 'balance' } }, async (request) => {
      const { availableMicros, affordableTranscripts } = viewOf(balanceOf(request))
      return {
        balance: formatUsd(availableMicros),
        balanceMicros: Number(availableMicros),
        currency: 'USD' as const,
        pricePerTranscript: formatUsd(PRICE_MICROS),
        affordableTranscripts,
      }
    })
  }
}

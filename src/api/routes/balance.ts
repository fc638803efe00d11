/** GET /balance: what the account can spend. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { balanceOf } from '../auth.ts'
import { answer, BalanceSchema, problems } from '../contract.ts'
import { presentBalance } from '../present.ts'

const schema = {
  summary: 'Read the prepaid balance; money reserved for running jobs is already subtracted',
  operationId: 'getBalance',
  tags: ['Account'],
  response: { 200: answer(BalanceSchema, 'What can be spent now'), ...problems('server_busy') },
}

export function balanceRoutes(): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/balance',
      { schema, config: { reads: 'balance', scope: 'account:read' } },
      async (request) => presentBalance(balanceOf(request)),
    )
  }
}

/**
 * GET /balance and GET /jobs/{id}/receipt: what the account can spend, and what a final job delivered and cost, signed
 * (an extension).
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { openSigner, readReceipt } from '../../features/money/receipts.ts'
import { found, Problem } from '../../kit/problem.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, balanceOf, READING } from '../auth.ts'
import { answer } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'
import { BalanceSchema, ReceiptSchema } from './schema.ts'
import { presentBalance } from './present.ts'

const schema = {
  summary: 'Read the prepaid balance; money reserved for running jobs is already subtracted',
  operationId: 'getBalance',
  tags: ['Account'],
  response: { 200: answer(BalanceSchema, 'What can be spent now') },
}

export function balanceRoutes(): FastifyPluginAsyncTypebox {
  return async (app) => {
    const config = { reads: 'balance', scope: 'account:read' } as const
    app.get('/balance', { schema, config }, async (request) => presentBalance(balanceOf(request)))
  }
}

const receiptSchema = {
  summary: 'Read the signed receipt of a final job; an open job has none (404)',
  operationId: 'getReceipt',
  params: Type.Object({ id: JobId }),
  tags: ['Account'],
  response: { 200: answer(ReceiptSchema, 'The receipt; it never changes') },
}

export function receiptRoutes({ db, config, publicUrl }: ApiContext): FastifyPluginAsyncTypebox {
  const by = { signer: openSigner(db, config.RECEIPT_SIGNING_KEY), issuer: publicUrl }
  return async (app) => {
    app.get('/jobs/:id/receipt', { schema: receiptSchema, config: READING }, async (request) => {
      const owned = { accountId: accountOf(request), jobId: request.params.id }
      const answer = found(await readReceipt(db, by, owned))
      if (answer.kind === 'not_final') {
        const message = `The job is ${answer.state}; its receipt exists once it is final.`
        throw new Problem('not_found', { message })
      }
      return answer.receipt
    })
  }
}

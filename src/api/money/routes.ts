/**
 * GET /balance and GET /jobs/{id}/receipt: what the account can spend, and what a final job delivered and cost, signed
 * (an extension).
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { openSigner, readReceipt } from '../../features/money/receipts.ts'
import { found, Problem } from '../../kit/problem.ts'
import { FINAL_STATES } from '../../model/jobs/job.ts'
import { ENTRY_KINDS } from '../../model/money/ledger.ts'
import { RECEIPT_TYPE } from '../../model/money/receipt.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, balanceOf, READING } from '../auth.ts'
import { answer, nullable, Usd } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'
import { BalanceSchema } from './schema.ts'
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

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Micros = Type.String({ description: 'Whole millionths of a USD' })

const Receipt = Type.Object(
  {
    type: Type.Literal(RECEIPT_TYPE),
    issuer: Type.String({
      description:
        'Address of the service; its keys are at /.well-known/scriptorium-keys.json there',
    }),
    jobId: JobId,
    accountId: Type.String(),
    state: Type.Enum([...FINAL_STATES]),
    createdAt: Type.String({ format: 'date-time' }),
    finishedAt: Type.String({ format: 'date-time' }),
    urlSetSha256: Sha256,
    delivered: Type.Array(
      Type.Object({ index: Type.Integer(), videoId: Type.String(), textSha256: Sha256 }),
    ),
    currency: Type.Literal('USD'),
    transcripts: Type.Integer(),
    pricePerTranscript: Usd,
    reserved: Usd,
    charged: Usd,
    released: Usd,
    ledger: Type.Object({
      headBefore: Sha256,
      headAfter: Sha256,
      entries: Type.Array(
        Type.Object({
          number: Type.String(),
          kind: Type.Enum([...ENTRY_KINDS]),
          postedMicros: Micros,
          heldMicros: Micros,
          reference: Type.String(),
          reason: nullable(Type.String()),
          createdAt: Type.String({ format: 'date-time' }),
          previousHash: Sha256,
          hash: Sha256,
        }),
      ),
    }),
    signature: Type.Object({
      algorithm: Type.Literal('Ed25519'),
      keyId: Type.String(),
      value: Type.String({
        description:
          'In base64, over everything else as canonical JSON: names sorted, no white space',
      }),
    }),
  },
  { title: 'Receipt' },
)

const receiptSchema = {
  summary: 'Read the signed receipt of a final job; an open job has none (404)',
  operationId: 'getReceipt',
  params: Type.Object({ id: JobId }),
  tags: ['Account'],
  response: { 200: answer(Receipt, 'The receipt; it never changes') },
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

/** The balance of an account, and the receipt of a final job. */
import { Type } from 'typebox'
import { FINAL_STATES } from '../../model/jobs/job.ts'
import { ENTRY_KINDS } from '../../model/money/ledger.ts'
import { RECEIPT_TYPE } from '../../model/money/receipt.ts'
import { nullable, Usd } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'

export const BalanceSchema = Type.Object(
  {
    balance: Usd,
    balanceMicros: Type.Integer({ description: 'Millionths of a dollar' }),
    currency: Type.Literal('USD'),
    pricePerTranscript: Usd,
    affordableTranscripts: Type.Integer(),
  },
  { title: 'Balance' },
)

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Micros = Type.String({ description: 'Whole millionths of a USD' })

export const ReceiptSchema = Type.Object(
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

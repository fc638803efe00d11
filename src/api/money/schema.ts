/** What the account can spend. */
import { Type } from 'typebox'
import { Usd } from '../contract.ts'

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

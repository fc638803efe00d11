/** Rules of GET /balance (specification 2.5). */
import assert from 'node:assert/strict'
import { type Rule, rule } from '../rule.ts'
import { microsOf } from '../shapes.ts'

export const accountRules: Rule[] = [
  rule('The balance is told in USD, in micros and in transcripts, all the same', async (kit) => {
    const balance = await kit.get('/balance')
    assert.equal(balance['pricePerTranscript'], '0.008')
    assert.equal(microsOf(balance['balance']), balance['balanceMicros'])
    assert.equal(balance['affordableTranscripts'], Math.floor(balance['balanceMicros'] / 8000))
  }),
]

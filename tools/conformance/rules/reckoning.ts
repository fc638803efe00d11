/** The last rule: the price of everything the rules ordered. */
import assert from 'node:assert/strict'
import { type Rule, rule } from '../rule.ts'
import { microsOf } from '../shapes.ts'

export const reckoningRules: Rule[] = [
  rule(
    'The account has paid 0.008 USD for every transcript that was delivered here, and nothing is held',
    async (kit) => {
      const jobs = await Promise.all([...kit.started.keys()].map((id) => kit.untilFinal(id)))
      const charged = jobs.reduce((sum, job) => sum + microsOf(job['billing'].charged), 0)
      const delivered = jobs.reduce((sum, job) => sum + job['progress'].delivered, 0)
      assert.equal(charged, delivered * 8000)
      const { balanceMicros } = await kit.get('/balance')
      assert.equal(
        balanceMicros,
        (kit.balanceMicrosBefore ?? 0) - charged,
        'nobody else may use the account meanwhile',
      )
    },
  ),
]

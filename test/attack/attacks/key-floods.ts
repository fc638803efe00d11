/** Attacks on an account's limits by more keys. The account's own clock admits more of them the longer they take. */
import assert from 'node:assert/strict'
import type { Attack } from '../attack.ts'
import { balance, scoped, signsUp } from './keys.ts'

const KEY_BUCKET = 60
const ACCOUNT_BUCKET = 1200
const ACCOUNT_REFILL_PER_SECOND = 20

export const KEY_FLOODS: readonly Attack[] = [
  {
    name: 'keys made and revoked in a circle',
    class: 'floods',
    run: (target) =>
      scoped(async (scope) => {
        const { visitor } = await signsUp(target, scope, 'circle@example.org')
        const startedAt = performance.now()
        let admitted = 0
        for (let round = 0; round < 40; round += 1) {
          const { body: made } = await visitor.asks('POST', '/account/keys', { name: 'circle' })
          if (made.apiKey === undefined) break // the account's pages are refused, too
          const calls = await Promise.all(
            Array.from({ length: KEY_BUCKET }, () => balance(visitor.address, made.apiKey)),
          )
          admitted += calls.filter((status) => status === 200).length
          await visitor.asks('DELETE', `/account/keys/${made.keyId}`)
        }
        const most =
          ACCOUNT_BUCKET +
          Math.ceil((performance.now() - startedAt) / 1000) * ACCOUNT_REFILL_PER_SECOND
        assert.ok(admitted <= most, `${admitted} requests, where an account has ${most}`)
        return `${admitted} of 2400 requests were admitted`
      }),
  },
]

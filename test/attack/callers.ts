/** Who asks: nobody, a key, an operator with a session at the website. */
import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { grantOperator } from '../../src/features/operator/operators.ts'
import { type Host, type Member, signUp } from './member.ts'

export type Caller = {
  name: string
  headers: Record<string, string>
  /** Gets the caller's rights again where they have ended, and returns whether they had. */
  renew(): Promise<boolean>
}

/** Returns an operator who showed the second factor, and another one where the session of the first has ended. */
export async function operator(target: Host): Promise<Caller & Pick<Member, 'accountId'>> {
  const { db } = target.fleet.database
  let one = await signUp(target)
  const caller: Caller & Pick<Member, 'accountId'> = {
    accountId: one.accountId,
    name: 'an operator',
    headers: {},
    async renew() {
      const { status, body } = await one.visitor.asks('GET', '/account/operator')
      if (status === 200 && body.isProven === true) return false
      one = await signUp(target)
      caller.accountId = one.accountId
      await enters()
      return true
    },
  }
  async function enters(): Promise<void> {
    const { visitor, accountId } = one
    await grantOperator(db as never, { accountId, actor: 'test', reason: 'test' })
    const { secret } = (await visitor.asks('POST', '/account/operator/factor')).body
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    assert.equal((await visitor.asks('POST', '/account/operator/proof', { code })).status, 200)
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    caller.headers = { cookie, origin: target.origin }
  }
  await enters()
  return caller
}

/** Somebody with a session at the attacked website: an owner, or an attacker with an account of their own. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Visitor } from '../account/visitor.ts'
import type { Target } from './attack.ts'

export type Member = { visitor: Visitor; email: string; accountId: string }

/** Signs up and in over HTTP. The address is proven in the database, since mail is not what is attacked. */
export async function signUp({ address, origin, fleet }: Target): Promise<Member> {
  const email = `member-${randomBytes(6).toString('hex')}@example.org`
  const visitor = new Visitor({ address, origin })
  assert.equal((await visitor.signsUp(email)).status, 200)
  await fleet.database.pool.query('update sign_in_user set email_verified = true where email = $1', [email])
  assert.equal((await visitor.signsIn(email)).status, 200)
  const { accountId } = await visitor.gets('/account/session')
  assert.match(accountId, /^acc_/)
  return { visitor, email, accountId }
}

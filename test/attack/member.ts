/** A member with a session at the attacked website: an owner, or an attacker with an account of their own. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { insertUser } from '../../src/store/sign-in.ts'
import { deleteSignUps } from '../../src/store/address-changes.ts'
import { Visitor } from '../account/visitor.ts'
import { until } from '../support/until.ts'
import type { Target } from './attack.ts'

/** Where a member signs up. */
export type Host = Pick<Target, 'address' | 'origin'> & { fleet: Pick<Target['fleet'], 'database'> }

export type Member = { visitor: Visitor; email: string; accountId: string }

/** Signs up and in over HTTP. The address is proven in the database, since mail is not under attack. */
export async function signUp({ address, origin, fleet }: Host): Promise<Member> {
  const email = `member-${randomBytes(6).toString('hex')}@example.org`
  const visitor = new Visitor({ address, origin })
  assert.equal((await visitor.signsUp(email)).status, 200)
  await proveAddress({ fleet }, email)
  assert.equal((await visitor.signsIn(email)).status, 200)
  const { accountId } = await visitor.gets('/account/session')
  assert.match(accountId, /^acc_/)
  return { visitor, email, accountId }
}

/** Proves the address of a sign-up that is under way, as opening the mailed link does. */
export async function proveAddress({ fleet }: Pick<Host, 'fleet'>, email: string): Promise<void> {
  const { db, pool } = fleet.database
  await until('the sign-up is kept', async () => {
    const {
      rows: [signUp],
    } = await pool.query<{ password: string }>('select password from sign_up where email = $1', [
      email,
    ])
    if (signUp === undefined) return false
    await insertUser(db as never, { id: randomUUID(), email, password: signUp.password })
    await deleteSignUps(db as never, email)
    return true
  })
}

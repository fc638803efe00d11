/** Passwords on threads of their own: bounded, apart from compression, and in better-auth's form. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { openPasswordPool } from '../../src/features/accounts/password-pool.ts'
import { readConfig } from '../../src/kit/config/config.ts'
import { Problem } from '../../src/kit/problem.ts'

const pool = openPasswordPool({ cost: 1_024, atOnceMax: 2, waitingMax: 6 })
/** The cost is that of every deployment. */
const real = openPasswordPool({ cost: readConfig({}).passwordCost, atOnceMax: 2 })
after(() => Promise.all([pool.close(), real.close()]))

test('a password is right, or it is not, whoever hashed it', async () => {
  const [ours, theirs] = [
    await real.hash('a long enough sentence'),
    await hashPassword('a long enough sentence'),
  ]
  for (const hash of [ours, theirs])
    assert.equal(await real.verify({ password: 'a long enough sentence', hash }), true)
  assert.equal(await verifyPassword({ password: 'a long enough sentence', hash: ours }), true)
  const wrong = { password: 'a long enough sentences', hash: ours }
  assert.equal(await real.verify(wrong), false)
})

test('each hash has a salt of its own, and what is no hash is no password’s', async () => {
  assert.notEqual(
    await pool.hash('a long enough sentence'),
    await pool.hash('a long enough sentence'),
  )
  for (const hash of ['', ':', 'salt:', 'salt:zz'])
    assert.equal(await pool.verify({ password: '', hash }), false)
})

test('more than it takes is refused at once with server_busy, and what was taken is done', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => pool.hash('a long enough sentence')),
  )
  const refused = outcomes
    .filter((one) => one.status === 'rejected')
    .map(({ reason }) => reason as Problem)
  assert.equal(refused.length, 12)
  assert.ok(
    refused.every(
      (one) =>
        one instanceof Problem &&
        one.code === 'server_busy' &&
        Number(one.headers['Retry-After']) > 0,
    ),
  )
  assert.ok(await pool.hash('a long enough sentence'), 'there is room again')
})

test('compressing does not wait for passwords', async () => {
  const order: string[] = []
  const hashes = Array.from({ length: 8 }, () =>
    real.hash('a long enough sentence').then(() => order.push('hash')),
  )
  const compress = promisify(gzip)
  await Promise.all([
    ...hashes,
    ...Array.from({ length: 8 }, () => compress(Buffer.alloc(4096)).then(() => order.push('gzip'))),
  ])
  const before = order.slice(0, order.lastIndexOf('gzip')).filter((one) => one === 'hash')
  assert.ok(before.length < 4, 'on the four threads that compress, four would have come first')
})

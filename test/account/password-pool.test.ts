/** Passwords on threads of their own: bounded, apart from compression, and in better-auth's form. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { openPasswordPool } from '../../src/features/accounts/password-pool.ts'
import { readConfig } from '../../src/config/config.ts'
import { Problem } from '../../src/kit/problem.ts'
import { TEST_DEADLINES } from '../support/settings.ts'

const pool = openPasswordPool({ cost: 1_024, deadlines: TEST_DEADLINES, atOnceMax: 2 })
/** The cost is that of every deployment. */
const real = openPasswordPool({
  cost: readConfig({}).passwordCost,
  deadlines: TEST_DEADLINES,
  atOnceMax: 2,
})
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

/** Has visitors wait behind work that ends when `goOn` is called; `served` names them in the order of their turns. */
async function openLine(waitingMax: { ofNetwork: number; ofAll: number }) {
  const line = openPasswordPool({
    cost: 1_024,
    deadlines: TEST_DEADLINES,
    atOnceMax: 1,
    waitingMax,
  })
  after(() => line.close())
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  const served: string[] = []
  const begun = Promise.withResolvers<void>()
  const first = line.inTurn({ ip: '192.0.2.1', isKnown: false }, () => {
    begun.resolve()
    return promise
  })
  await begun.promise
  const visits = (ip: string, { isKnown = false } = {}): Promise<unknown> =>
    line.inTurn({ ip, isKnown }, async () => served.push(ip))
  return { goOn, served, first, visits }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Problem &&
  error.code === 'server_busy' &&
  Number(error.headers['Retry-After']) > 0

test('a flood of one /48 or /24 waits for itself, and a known device goes before all', async () => {
  const { goOn, served, first, visits } = await openLine({ ofNetwork: 3, ofAll: 8 })
  const flood = [1, 2, 3].map((n) => visits(`2001:db8:1:${n}::1`))
  await assert.rejects(visits('2001:db8:1:4::1'), isBusy)
  const others = [visits('198.51.100.1'), visits('198.51.100.2'), visits('203.0.113.1')]
  const known = visits('2001:db8:1:5::1', { isKnown: true })
  goOn()
  await Promise.all([first, ...flood, ...others, known])
  assert.deepEqual(served.slice(0, 4), [
    '2001:db8:1:5::1',
    '2001:db8:1:1::1',
    '198.51.100.1',
    '203.0.113.1',
  ])
  assert.equal(await visits('2001:db8:1:4::1'), served.length, 'there is room again')
})

test('where as many wait as may, strangers are refused at once, and known devices are not', async () => {
  const { goOn, first, visits } = await openLine({ ofNetwork: 2, ofAll: 3 })
  const waiting = [1, 2, 3].map((n) => visits(`10.${n}.0.1`))
  await assert.rejects(visits('10.4.0.1'), isBusy)
  const known = visits('10.5.0.1', { isKnown: true })
  goOn()
  await Promise.all([first, ...waiting, known])
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

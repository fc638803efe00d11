/** The token bucket raced: exact under concurrency and over several processes. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { openDatabase } from '../../src/store/database.ts'
import { hashSecret } from '../../src/model/accounts/tokens.ts'
import { type AuthenticatedKey, authenticateKey } from '../../src/store/authentication.ts'
import { sweepRateLimits } from '../../src/features/accounts/access.ts'
import { testService } from '../support/service.ts'
import { stopClock } from '../support/stopped-clock.ts'

const SIZE = 60

const { database, customer, another } = await testService({ after }, { env: { ROLES: 'api' } })
// The clock stops before any connection that takes tokens is opened.
const clock = await stopClock(database.pool)
const addresses = [await another(), await another(), await another()].map(
  ({ address }) => address ?? '',
)
const pools = Array.from({ length: 3 }, (_, at) =>
  openDatabase({ url: database.url, connectionsMax: 8, name: `visitor ${at}` }),
)
after(() => Promise.all(pools.map((pool) => pool.close())))

async function newKey() {
  const { accountId } = await customer('0', { isLimited: true })
  const { keyId, apiKey } = await transact(database.db, (tx) =>
    issueKey(tx, { accountId, name: 'raced' }),
  )
  const visit = async (at: number): Promise<AuthenticatedKey> =>
    (await authenticateKey(pools[at % pools.length]!.pool, hashSecret(apiKey)))!
  /** Makes this many visits at once, over three pools, and counts the admitted ones. */
  const rush = async (visits: number): Promise<{ admitted: number; all: AuthenticatedKey[] }> => {
    const all = await Promise.all(Array.from({ length: visits }, (_, at) => visit(at)))
    return { admitted: all.filter(({ isAdmitted }) => isAdmitted).length, all }
  }
  return { keyId, apiKey, visit, rush }
}

test('300 requests at once over three services: exactly 60 are admitted', async () => {
  const { apiKey } = await newKey()
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, at) =>
      fetch(`${addresses[at % addresses.length]}/api/v1/balance`, {
        headers: { Authorization: `Bearer ${apiKey}` },
      }),
    ),
  )
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(answers.filter(({ status }) => status === 200).length, SIZE)
  assert.equal(refused.length, 300 - SIZE)
  for (const { headers } of refused) {
    assert.deepEqual([headers.get('x-ratelimit-remaining'), headers.get('retry-after')], ['0', '1'])
  }
  await Promise.all(answers.map((answer) => answer.arrayBuffer()))
})

test('every token is given once: Remaining counts down without a gap or a repeat', async () => {
  const { rush } = await newKey()
  const { admitted, all } = await rush(SIZE)
  assert.equal(admitted, SIZE)
  assert.deepEqual(
    all.map(({ remaining }) => remaining).sort((a, b) => a - b),
    Array.from({ length: SIZE }, (_, at) => at),
  )
})

test('one token a second comes back, at most 60, and a refusal costs none', async () => {
  const { rush } = await newKey()
  assert.equal((await rush(2 * SIZE)).admitted, SIZE)
  let given = 0
  let passed = 0
  for (const seconds of [1, 2.5, 7.25, 59]) {
    assert.equal((await rush(20)).admitted, 0) // refusals may not slow the refill
    await clock.pass(seconds)
    passed += seconds
    given += (await rush(100)).admitted
    assert.equal(given, Math.floor(passed), `after ${seconds} s`)
  }
  await clock.pass(1_000_000)
  assert.equal((await rush(100)).admitted, SIZE, 'after a long pause')
})

test('a thousand refusals in a row do not move the next token: the level is what was left and the time since', async () => {
  const { keyId, visit, rush } = await newKey()
  await rush(SIZE)
  await database.pool.query('update rate_bucket set tokens = 0.25 where id = $1', [keyId])
  let admitted = 0
  for (let n = 0; n < 1000; n += 1) {
    await clock.pass(1 / 64) // a binary fraction, whose sums are exact
    if ((await visit(0)).isAdmitted) admitted += 1
  }
  const { rows } = await database.pool.query<{ tokens: number; seconds: number }>(
    `select tokens, extract(epoch from c.at - updated_at)::double precision as seconds
      from rate_bucket, public.stopped_clock c where id = $1`,
    [keyId],
  )
  const [end] = rows
  assert.equal(admitted, 15, '15.625 s have passed, and a quarter was left')
  assert.ok(end !== undefined && Math.abs(end.tokens + end.seconds - 0.875) < 1e-6)
})

test('a clock that was set back gives no token, takes none and goes on from where it is', async () => {
  const { keyId, visit, rush } = await newKey()
  await rush(SIZE + 5)
  await database.pool.query(
    `update rate_bucket set tokens = 0.5, updated_at = updated_at + interval '1 hour' where id = $1`,
    [keyId],
  )
  const seen = await visit(0)
  assert.deepEqual([seen.isAdmitted, seen.remaining, seen.nextTokenSeconds], [false, 0, 0.5])
  await clock.pass(0.5)
  assert.ok((await visit(0)).isAdmitted)
  assert.ok(!(await visit(0)).isAdmitted)
})

test('a revoked and an expired key visit nothing', async () => {
  const { keyId, visit } = await newKey()
  assert.ok((await visit(0)).isAdmitted)
  await database.pool.query(
    `update api_key set expires_at = now() - interval '1 second' where id = $1`,
    [keyId],
  )
  assert.equal(await visit(0), null)
  await database.pool.query(
    'update api_key set expires_at = null, revoked_at = now() where id = $1',
    [keyId],
  )
  assert.equal(await visit(0), null)
})

test('buckets that nobody asked for in two hours are swept, and full when somebody asks', async () => {
  const { keyId, visit, rush } = await newKey()
  await rush(30)
  await sweepRateLimits(pools[0]!.db)
  assert.equal((await visit(0)).remaining, SIZE - 31, 'one in use is kept')
  await clock.pass(2 * 3600 + 1)
  await sweepRateLimits(pools[0]!.db)
  const { rowCount } = await database.pool.query('select from rate_bucket where id = $1', [keyId])
  assert.equal(rowCount, 0)
  assert.equal((await visit(0)).remaining, SIZE - 1)
})

/** The token bucket raced: exact under concurrency and over several processes. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { issueKey } from '../../src/accounts/issue-key.ts'
import { openDatabase, transact } from '../../src/postgres/database.ts'
import { hashSecret } from '../../src/accounts/api-key.ts'
import { type AuthenticatedKey, authenticateKey } from '../../src/store/authentication.ts'
import { sweepRateLimits } from '../../src/accounts/sweep-sign-in.ts'
import { testService } from '../support/service.ts'

const SIZE = 60

const { database, address, customer, another } = await testService(
  { after },
  { env: { ROLES: 'api' } },
)
const others = [await another(), await another()].map(({ address }) => address ?? '')
const pools = Array.from({ length: 3 }, (_, at) =>
  openDatabase({ url: database.url, connectionsMax: 8, name: `visitor ${at}` }),
)
after(() => Promise.all(pools.map((pool) => pool.close())))

/** A bucket whose clock was set back by this many seconds: as if so much time had passed. */
async function pass(keyId: string, seconds: number): Promise<void> {
  await database.pool.query(
    `update rate_bucket set updated_at = updated_at - $2 * interval '1 second' where id = $1`,
    [keyId, seconds],
  )
}

async function newKey() {
  const { accountId } = await customer('0')
  const { keyId, apiKey } = await transact(database.db, (tx) =>
    issueKey(tx, { accountId, name: 'raced' }),
  )
  const visit = async (at: number): Promise<AuthenticatedKey> =>
    (await authenticateKey(pools[at % pools.length]!.pool, hashSecret(apiKey)))!
  /** So many visits at once, over three pools; how many were admitted, and how long it took. */
  const rush = async (
    visits: number,
  ): Promise<{ admitted: number; all: AuthenticatedKey[]; seconds: number }> => {
    const startedAt = performance.now()
    const all = await Promise.all(Array.from({ length: visits }, (_, at) => visit(at)))
    return {
      admitted: all.filter(({ isAdmitted }) => isAdmitted).length,
      all,
      seconds: (performance.now() - startedAt) / 1000,
    }
  }
  return { keyId, apiKey, visit, rush }
}

test('300 requests at once over three services: exactly 60 are admitted, and what the time of it added', async () => {
  const { apiKey } = await newKey()
  const startedAt = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, at) =>
      fetch(`${[address, ...others][at % 3]}/api/v1/balance`, {
        headers: { Authorization: `Bearer ${apiKey}` },
      }),
    ),
  )
  const added = Math.floor((performance.now() - startedAt) / 1000)
  const admitted = answers.filter(({ status }) => status === 200).length
  assert.ok(admitted >= SIZE && admitted <= SIZE + added, `${admitted} with ${added} added`)
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(refused.length, 300 - admitted)
  for (const { headers } of refused) {
    assert.deepEqual([headers.get('x-ratelimit-remaining'), headers.get('retry-after')], ['0', '1'])
  }
  await Promise.all(answers.map((answer) => answer.arrayBuffer()))
})

test('every token is given once: Remaining counts down without a gap or a repeat', async () => {
  const { rush } = await newKey()
  const { admitted, all, seconds } = await rush(SIZE)
  assert.equal(admitted, SIZE)
  const left = all.map(({ remaining }) => remaining).sort((a, b) => a - b)
  if (seconds < 1)
    assert.deepEqual(
      left,
      Array.from({ length: SIZE }, (_, at) => at),
    )
})

test('one token a second comes back, at most 60, and a refusal costs none', async () => {
  const { keyId, rush } = await newKey()
  await rush(2 * SIZE)
  for (const seconds of [1, 2.5, 7.25, 59]) {
    await rush(20) // refused for the most part: they may not slow the refill
    await pass(keyId, seconds)
    const { admitted, seconds: took } = await rush(100)
    assert.ok(
      admitted >= Math.floor(seconds) && admitted <= Math.ceil(seconds + took) + 1,
      `${admitted} after ${seconds} s`,
    )
  }
  await pass(keyId, 1_000_000)
  const { admitted, seconds } = await rush(100)
  assert.ok(
    admitted >= SIZE && admitted <= SIZE + Math.ceil(seconds),
    `${admitted} after a long pause`,
  )
})

test('a thousand refusals in a row do not move the next token: the level is what was left and the time since', async () => {
  const { keyId, visit, rush } = await newKey()
  await rush(SIZE)
  const {
    rows: [start],
  } = await database.pool.query<{ at: Date }>(
    `update rate_bucket set tokens = 0.25, updated_at = clock_timestamp() where id = $1 returning updated_at as at`,
    [keyId],
  )
  let [admitted, refused] = [0, 0]
  for (let n = 0; n < 1000; n += 1) {
    if ((await visit(0)).isAdmitted) admitted += 1
    else refused += 1
  }
  // Compared by the database's clock alone, so that a slow machine changes nothing.
  const {
    rows: [end],
  } = await database.pool.query<{ tokens: number; seconds: number }>(
    `select tokens, extract(epoch from updated_at - $2)::double precision as seconds from rate_bucket where id = $1`,
    [keyId, start!.at],
  )
  assert.ok(refused > 0, 'none was refused')
  assert.ok(
    Math.abs(end!.tokens + admitted - (0.25 + end!.seconds)) < 0.002,
    JSON.stringify({ admitted, refused, ...end }),
  )
})

test('a clock that was set back gives no token, takes none and goes on from where it is', async () => {
  const { keyId, visit, rush } = await newKey()
  await rush(SIZE + 5)
  await database.pool.query(
    `update rate_bucket set tokens = 0.5, updated_at = clock_timestamp() + interval '1 hour' where id = $1`,
    [keyId],
  )
  const seen = await visit(0)
  assert.deepEqual([seen.isAdmitted, seen.remaining], [false, 0])
  assert.ok(Math.abs(seen.nextTokenSeconds - 0.5) < 0.01)
  await pass(keyId, 1)
  assert.ok((await visit(0)).isAdmitted)
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
  await sweepRateLimits(database.db)
  assert.ok((await visit(0)).remaining < 45, 'one in use is kept')
  await pass(keyId, 2 * 3600 + 1)
  await sweepRateLimits(database.db)
  const { rowCount } = await database.pool.query('select from rate_bucket where id = $1', [keyId])
  assert.equal(rowCount, 0)
  assert.equal((await visit(0)).remaining, SIZE - 1)
})

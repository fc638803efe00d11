/** The token bucket raced: exact under concurrency and over several processes. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { issueKey } from '../../src/accounts/issue-key.ts'
import { revokeKey } from '../../src/accounts/revoke-key.ts'
import { listApiKeys } from '../../src/store/accounts.ts'
import { openDatabase, transact } from '../../src/postgres/database.ts'
import { hashSecret } from '../../src/accounts/api-key.ts'
import { type KeyVisit, sweepBuckets, visitApiKey } from '../../src/store/visits.ts'
import { testService } from '../support/service.ts'

const SIZE = 60
const ACCOUNT_SIZE = 1200
const ACCOUNT_REFILL_PER_SECOND = 20

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
  const visit = async (at: number): Promise<KeyVisit> =>
    (await visitApiKey(pools[at % pools.length]!.pool, hashSecret(apiKey)))!
  /** So many visits at once, over three pools; how many were admitted, and how long it took. */
  const rush = async (
    visits: number,
  ): Promise<{ admitted: number; all: KeyVisit[]; seconds: number }> => {
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

/** The level of the account's own bucket set by hand. */
async function setAccount(accountId: string, tokens: number): Promise<void> {
  await database.pool.query(
    `update rate_bucket set tokens = $2, updated_at = clock_timestamp() where id = 'account:' || $1`,
    [accountId, tokens],
  )
}

const levelsOf = async (accountId: string): Promise<Record<string, number>> => {
  const { rows } = await database.pool.query<{ id: string; tokens: number }>(
    `select id, tokens from rate_bucket where id = 'account:' || $1 or id in (select id from api_key where account_id = $1)`,
    [accountId],
  )
  return Object.fromEntries(
    rows.map(({ id, tokens }) => [id.startsWith('account:') ? 'account' : id, tokens]),
  )
}

test('25 keys of one account at once, over three pools: exactly what the account has is given', async () => {
  const { accountId } = await customer('0')
  const keys = await Promise.all(
    Array.from({ length: 25 }, (_, at) =>
      transact(database.db, (tx) => issueKey(tx, { accountId, name: `${at}` })),
    ),
  )
  const hashes = keys.map(({ apiKey }) => hashSecret(apiKey))
  const startedAt = performance.now()
  const all = await Promise.all(
    Array.from({ length: 25 * (SIZE + 2) }, (_, at) =>
      visitApiKey(pools[at % pools.length]!.pool, hashes[at % hashes.length]!),
    ),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const admitted = all.filter((one) => one!.isAdmitted).length
  const most = Math.min(
    25 * SIZE + 25 * Math.ceil(seconds),
    ACCOUNT_SIZE + Math.ceil(seconds * ACCOUNT_REFILL_PER_SECOND),
  )
  assert.ok(admitted >= ACCOUNT_SIZE && admitted <= most, `${admitted} in ${seconds} s`)
  const spent = all.filter((one) => one!.isAccountSpent)
  assert.ok(spent.length > 0)
  for (const one of spent) {
    assert.equal(one!.remaining, 0)
    assert.ok(one!.nextTokenSeconds > 0 && one!.nextTokenSeconds <= 1)
  }
})

test('a refusal by the account takes nothing of the key, and one by the key nothing of the account', async () => {
  const { accountId } = await customer('0')
  const { keyId, apiKey } = await transact(database.db, (tx) =>
    issueKey(tx, { accountId, name: 'one' }),
  )
  const other = await transact(database.db, (tx) => issueKey(tx, { accountId, name: 'other' }))
  const ask = (key: string): Promise<Response> =>
    fetch(`${address}/api/v1/balance`, { headers: { Authorization: `Bearer ${key}` } })
  assert.equal((await ask(apiKey)).status, 200)
  assert.equal(
    (await ask(other.apiKey)).headers.get('x-ratelimit-remaining'),
    '59',
    'the headers tell of the key',
  )

  await setAccount(accountId, -100)
  const before = await levelsOf(accountId)
  const refused = await ask(apiKey)
  const { error } = (await refused.json()) as { error: { code: string; message: string } }
  assert.deepEqual(
    [
      refused.status,
      error.code,
      refused.headers.get('x-ratelimit-limit'),
      refused.headers.get('x-ratelimit-remaining'),
    ],
    [429, 'rate_limited', '60', '0'],
  )
  assert.match(error.message, /by this account, over all its keys/)
  const retryAfter = Number(refused.headers.get('retry-after'))
  assert.ok(
    retryAfter >= 5 && retryAfter <= 6,
    `101 tokens at 20 a second are 5.05 s, not ${retryAfter}`,
  )
  assert.deepEqual(await levelsOf(accountId), before)

  await setAccount(accountId, 500)
  await database.pool.query(
    'update rate_bucket set tokens = -10, updated_at = clock_timestamp() where id = $1',
    [keyId],
  )
  const full = await levelsOf(accountId)
  const byKey = await ask(apiKey)
  assert.deepEqual([byKey.status, byKey.headers.get('retry-after')], [429, '11'])
  assert.doesNotMatch(await byKey.text(), /account/)
  assert.deepEqual(await levelsOf(accountId), full)
})

test('a key that was just made does not widen what the account may ask', async () => {
  const { accountId } = await customer('0')
  let admitted = 0
  const startedAt = performance.now()
  for (let round = 0; round < 22; round += 1) {
    const { keyId, apiKey } = await transact(database.db, (tx) =>
      issueKey(tx, { accountId, name: 'circle' }),
    )
    const all = await Promise.all(
      Array.from({ length: SIZE }, (_, at) =>
        visitApiKey(pools[at % pools.length]!.pool, hashSecret(apiKey)),
      ),
    )
    admitted += all.filter((one) => one!.isAdmitted).length
    await transact(database.db, (tx) => revokeKey(tx, { keyId, accountId }))
  }
  const seconds = (performance.now() - startedAt) / 1000
  assert.ok(
    admitted >= ACCOUNT_SIZE &&
      admitted <= ACCOUNT_SIZE + Math.ceil(seconds * ACCOUNT_REFILL_PER_SECOND),
    `${admitted} in ${seconds} s`,
  )
})

test('of 200 keys made at once an account gets its hundred', async () => {
  const { accountId } = await customer('0') // has its first key
  const made = await Promise.allSettled(
    Array.from({ length: 200 }, (_, at) =>
      transact(pools[at % pools.length]!.db, (tx) => issueKey(tx, { accountId, name: `${at}` })),
    ),
  )
  const refused = made.filter((one) => one.status === 'rejected')
  assert.equal(made.length - refused.length, 99)
  assert.match(String((refused[0] as PromiseRejectedResult).reason), /at most 100 keys; revoke one/)
  const live = (await listApiKeys(database.db, accountId)).filter(
    ({ revokedAt }) => revokedAt === null,
  )
  assert.equal(live.length, 100)
})

test('a key that was never used goes when it is revoked; of the used ones a hundred stay listed', async () => {
  const { accountId } = await customer('0')
  const [first] = await listApiKeys(database.db, accountId)
  assert.ok(await transact(database.db, (tx) => revokeKey(tx, { keyId: first!.id, accountId })))
  assert.equal(
    await transact(database.db, (tx) => revokeKey(tx, { keyId: first!.id, accountId })),
    false,
  )
  assert.deepEqual(await listApiKeys(database.db, accountId), [])

  await database.pool.query(
    `
    insert into api_key (id, account_id, name, prefix, secret_hash, bucket, bucket_size, refill, last_used_at, revoked_at)
    select 'old-' || n || $1, $1, 'old', 'sk_', sha256(('old' || n || $1)::bytea), 'old-' || n, 60, 1, now(), now() - interval '1 day'
    from generate_series(1, 105) n`,
    [accountId],
  )
  const { keyId, apiKey } = await transact(database.db, (tx) =>
    issueKey(tx, { accountId, name: 'used' }),
  )
  assert.ok(await visitApiKey(pools[0]!.pool, hashSecret(apiKey)))
  assert.ok(await transact(database.db, (tx) => revokeKey(tx, { keyId, accountId })))
  const listed = await listApiKeys(database.db, accountId)
  assert.equal(listed.length, 100)
  assert.ok(listed.some(({ id }) => id === keyId))
})

test('buckets that nobody asked for a day are swept, and full when somebody asks', async () => {
  const { keyId, visit, rush } = await newKey()
  await rush(30)
  await sweepBuckets(database.db)
  assert.ok((await visit(0)).remaining < 45, 'one in use is kept')
  await pass(keyId, 24 * 3600 + 1)
  await sweepBuckets(database.db)
  const { rowCount } = await database.pool.query('select from rate_bucket where id = $1', [keyId])
  assert.equal(rowCount, 0)
  assert.equal((await visit(0)).remaining, SIZE - 1)
})

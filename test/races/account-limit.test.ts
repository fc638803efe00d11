/** An account's limits over all its keys, and on the number of keys, raced. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { issueKey, revokeKey } from '../../src/features/accounts/keys.ts'
import { listApiKeys } from '../../src/store/accounts.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { openDatabase } from '../../src/store/database.ts'
import { hashSecret } from '../../src/model/accounts/tokens.ts'
import { authenticateKey } from '../../src/store/authentication.ts'
import { testService } from '../support/service.ts'
import { stopClock } from '../support/stopped-clock.ts'

const SIZE = 60
const ACCOUNT_SIZE = 1200
/** Tokens left to the account before 25 keys ask at once, and how often each asks. */
const LEFT = 80
const ASKED_EACH = 10

const { database, customer, another } = await testService({ after }, { env: { ROLES: 'api' } })
// The clock stops before any connection that takes tokens is opened.
await stopClock(database.pool)
const { address } = await another()
const pools = Array.from({ length: 3 }, (_, at) =>
  openDatabase({ url: database.url, connectionsMax: 8, name: `visitor ${at}` }),
)
after(() => Promise.all(pools.map((pool) => pool.close())))

/** Sets the level of the account's own bucket. */
async function setAccount(accountId: string, tokens: number): Promise<void> {
  await database.pool.query(`update rate_bucket set tokens = $2 where id = 'account:' || $1`, [
    accountId,
    tokens,
  ])
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
  const { accountId } = await customer('0', { isLimited: true })
  const keys = await Promise.all(
    Array.from({ length: 25 }, (_, at) =>
      transact(database.db, (tx) => issueKey(tx, { accountId, name: `${at}` })),
    ),
  )
  const hashes = keys.map(({ apiKey }) => hashSecret(apiKey))
  await authenticateKey(pools[0]!.pool, hashes[0]!)
  await setAccount(accountId, LEFT)
  const all = await Promise.all(
    Array.from({ length: 25 * ASKED_EACH }, (_, at) =>
      authenticateKey(pools[at % pools.length]!.pool, hashes[at % hashes.length]!),
    ),
  )
  assert.equal(all.filter((one) => one!.isAdmitted).length, LEFT)
  const spent = all.filter((one) => one!.isAccountSpent)
  assert.equal(spent.length, 25 * ASKED_EACH - LEFT)
  for (const one of spent) {
    assert.equal(one!.remaining, 0)
    assert.equal(one!.nextTokenSeconds, 1 / 20)
  }
})

test('a refusal by the account takes nothing of the key, and one by the key nothing of the account', async () => {
  const { accountId } = await customer('0', { isLimited: true })
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
  assert.equal(refused.headers.get('retry-after'), '6', '101 tokens at 20 a second are 5.05 s')
  assert.deepEqual(await levelsOf(accountId), before)

  await setAccount(accountId, 500)
  await database.pool.query('update rate_bucket set tokens = -10 where id = $1', [keyId])
  const full = await levelsOf(accountId)
  const byKey = await ask(apiKey)
  assert.deepEqual([byKey.status, byKey.headers.get('retry-after')], [429, '11'])
  assert.doesNotMatch(await byKey.text(), /account/)
  assert.deepEqual(await levelsOf(accountId), full)
})

test('a key that was just made does not widen what the account may ask', async () => {
  const { accountId } = await customer('0', { isLimited: true })
  let admitted = 0
  for (let round = 0; round < 22; round += 1) {
    const { keyId, apiKey } = await transact(database.db, (tx) =>
      issueKey(tx, { accountId, name: 'circle' }),
    )
    const all = await Promise.all(
      Array.from({ length: SIZE }, (_, at) =>
        authenticateKey(pools[at % pools.length]!.pool, hashSecret(apiKey)),
      ),
    )
    admitted += all.filter((one) => one!.isAdmitted).length
    await transact(database.db, (tx) => revokeKey(tx, { keyId, accountId }))
  }
  assert.equal(admitted, ACCOUNT_SIZE)
})

test('of 200 keys made at once an account gets its hundred', async () => {
  const { accountId } = await customer('0', { isLimited: true }) // the account has its first key
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
  const { accountId } = await customer('0', { isLimited: true })
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
  assert.ok(await authenticateKey(pools[0]!.pool, hashSecret(apiKey)))
  assert.ok(await transact(database.db, (tx) => revokeKey(tx, { keyId, accountId })))
  const listed = await listApiKeys(database.db, accountId)
  assert.equal(listed.length, 100)
  assert.ok(listed.some(({ id }) => id === keyId))
})

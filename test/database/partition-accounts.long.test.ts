/** The prepared step to partitions of history and ledger by account, taken under a running service: all goes on as before. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type pg from 'pg'
import { addCredit } from '../../src/features/money/balance.ts'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { partitionAccounts } from '../support/growth.ts'
import { testService } from '../support/service.ts'
import { channelUrl } from '../repeats/asking-again.ts'

const { platform, database, customer } = await testService({ after })
const { db, pool } = database
const owner = await customer('10')
const channel = platform.world.channel('small')

/** So many rows that they are copied in several transactions. */
const ROWS = 4_500

async function fillHistory(jobId: string): Promise<void> {
  await pool.query(
    `insert into account (id, email) select 'past-' || n, 'past-' || n from generate_series(1, 9) n`,
  )
  await pool.query(`insert into balance (account_id) select id from account where id like 'past-%'`)
  await pool.query(
    `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
    select 'past-' || 1 + n % 9, 'set', 'v' || n, 'negative', 1, $1, now() from generate_series(1, $2::int) n`,
    [jobId, ROWS],
  )
}

function keyOf(row: number): [string, string] {
  return [`past-${1 + (row % 9)}`, `v${row}`]
}

/** Changes, deletes and adds rows until the step is taken. Returns how many of each. */
async function atWork(
  client: pg.ClientBase,
  { name, jobId, signal }: { name: string; jobId: string; signal: AbortSignal },
): Promise<number[]> {
  const done = [0, 0, 0]
  for (let turn = 0; !signal.aborted; turn += 1) {
    const [changed, deleted] = [1 + ((turn * 37) % ROWS), 1 + ((turn * 101) % ROWS)]
    const statements: [string, unknown[]][] = [
      [
        'update history set tries = tries + 1 where account_id = $1 and video_id = $2',
        keyOf(changed),
      ],
      ['delete from history where account_id = $1 and video_id = $2', keyOf(deleted)],
      [
        `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
        values ($1, 'set', $2, 'delivered', 1, $3, now())`,
        [keyOf(turn)[0], `new-${name}-${turn}`, jobId],
      ],
    ]
    for (const [at, [text, values]] of statements.entries())
      done[at] = (done[at] ?? 0) + ((await client.query(text, values)).rowCount ?? 0)
  }
  return done
}

/** Rows that one table has and the other has not. */
async function missing(one: string, other: string, where = 'true'): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from (select * from ${one} where ${where} except select * from ${other} where ${where}) m`,
  )
  return rows[0]?.n ?? -1
}

test('every row of history and ledger goes to the table of its account, whatever is written meanwhile', async () => {
  const first = await owner.orders({ urls: channelUrl(channel), maxVideos: 3 })
  assert.equal(first.job['progress'].delivered, 3)
  await fillHistory(first.job['id'])
  const over = new AbortController()
  const { signal } = over
  const jobId = first.job['id']
  const writers = ['one', 'two'].map(async (name) =>
    atWork(await database.connect(), { name, jobId, signal }),
  )
  for (const one of writers) one.catch(() => undefined)
  const ordering = orderUntil(over.signal)
  let counts: number[] = []
  await partitionAccounts(await database.connect(), async (name) => {
    if (name !== 'partition-accounts-3.sql') return
    over.abort() // what is compared is what was there at the exchange
    const [one = [], two = []] = await Promise.all(writers)
    counts = one.map((count, at) => count + (two[at] ?? 0))
    await ordering
  })
  assert.ok(
    counts.every((count) => count > 0),
    `changed, deleted and added: ${counts.join(' ')}`,
  )
  assert.ok((await ordering) > 0, 'jobs ended meanwhile')
  const past = `account_id like 'past-%'`
  assert.equal(await missing('history_before', 'history', past), 0)
  assert.equal(await missing('history', 'history_before', past), 0)
  assert.equal(await missing('ledger_entry_before', 'ledger_entry'), 0)

  const { rows: parts } = await pool.query(
    'select distinct tableoid from history union select distinct tableoid from ledger_entry',
  )
  assert.ok(parts.length > 4, `${parts.length} parts have rows`)
})

/** A customer's jobs, one after the other. Returns how many. */
async function orderUntil(signal: AbortSignal): Promise<number> {
  let jobs = 0
  for (; !signal.aborted; jobs += 1) {
    const { job } = await owner.orders({ urls: channelUrl(channel), maxVideos: 1 })
    assert.equal(job['state'], 'finished')
  }
  return jobs
}

test('a service goes on: repeats know what was delivered, money adds up, nothing is booked twice', async () => {
  const videos = platform.world.channel('small')
  const again = await owner.orders({ urls: channelUrl(videos), maxVideos: 3 })
  assert.equal(again.job['state'], 'finished')
  assert.equal((await verifyLedger(db)).differences, 0)

  const [payer, other] = [await customer('1'), await customer('1')]
  const credit = { micros: 8_000n, reference: 'checkout:once', reason: null }
  await transact(db, (tx) => addCredit(tx, { ...credit, accountId: payer.accountId }))
  for (const { accountId } of [payer, other])
    await assert.rejects(
      transact(db, (tx) => addCredit(tx, { ...credit, accountId })),
      { code: '23505' },
    )
  assert.equal((await verifyLedger(db)).differences, 0)
})

test('an account is looked for in its own tables alone, and nothing refers to what is not there', async () => {
  for (const table of ['history', 'ledger_entry']) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `explain select * from ${table} where account_id = 'past-1'`,
    )
    const plan = rows.map((line) => line['QUERY PLAN']).join('\n')
    assert.equal(new Set(plan.match(new RegExp(`\\b${table}_\\d+\\b`, 'g'))).size, 1, plan)
  }
  const { rows: unproven } = await pool.query(
    `select conname from pg_constraint where not convalidated and connamespace = 'public'::regnamespace`,
  )
  assert.deepEqual(unproven, [])
  await assert.rejects(
    pool.query(
      `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
      values ('nobody', 'set', 'v', 'negative', 1, 'no job', now())`,
    ),
    { code: '23503' },
  )
})

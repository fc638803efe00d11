/** `ledger verify`: names every difference precisely, and reports none only where there is none. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { readStatement, streamStatementCsv } from '../../src/features/money/balance.ts'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { available } from '../../src/model/money/ledger.ts'
import { adminOn, adminProcess } from '../admin/admin-command.ts'
import { testDatabase } from '../support/database.ts'
import { within } from '../support/until.ts'
import { tamperingsOf } from './tampering.ts'
import { openAccount, orderJob, videoLine, wholeJob } from '../support/money-fixtures.ts'

const database = await testDatabase({ after })
const { db, url } = database

const rich = await openAccount(db, 1_000_000n)
const poor = await openAccount(db, 8_000n)
await openAccount(db, 0n)
const { jobId } = await wholeJob(db, {
  accountId: rich,
  line: videoLine(1),
  maxVideos: 5,
  delivered: 2,
  refused: 1,
})
await wholeJob(db, { accountId: rich, line: videoLine(2), maxVideos: 1, delivered: 1 })
await wholeJob(db, {
  accountId: poor,
  line: videoLine(3),
  maxVideos: 9,
  delivered: 0,
  refused: 1,
})
await orderJob(db, { accountId: rich, line: videoLine(4), maxVideos: 3 })

const { admin } = adminOn(url)

test('a ledger nobody tampered with verifies, in pages of any size', async () => {
  const expected = { accounts: 2, entries: 10, jobs: 4, differences: 0, listed: [] }
  assert.deepEqual(await verifyLedger(db), expected)
  for (const size of [1, 2, 3, 7])
    assert.deepEqual(await verifyLedger(db, { entries: size, jobs: size }), expected)
})

for (const { name, drop = 'select', sql, says, things } of tamperingsOf({ jobId, rich, poor })) {
  test(`verify tells of ${name}`, async () => {
    const client = await database.connect()
    await assert.rejects(
      transact(db, async (tx) => {
        const { sql: raw } = await import('kysely')
        for (const statement of [...drop.split('; '), ...sql.split('; ')])
          await raw.raw(statement).execute(tx)
        const report = await verifyLedgerWithin(tx)
        const told = report.listed.map(({ what }) => what).join('\n')
        for (const sentence of says) assert.match(told, sentence)
        if (things !== undefined) assert.equal(report.differences, things, told)
        throw new Error('undo')
      }),
      /^Error: undo$/,
    )
    await client.end()
  })
}

/** Verifies within a transaction: the audit opens a snapshot of its own, but here it must see uncommitted changes. */
function verifyLedgerWithin(
  tx: Parameters<typeof verifyLedger>[0],
): ReturnType<typeof verifyLedger> {
  const inside = Object.create(tx) as typeof tx
  inside.transaction = () =>
    ({
      setIsolationLevel: () => ({
        setAccessMode: () => ({ execute: (work: (given: typeof tx) => unknown) => work(tx) }),
      }),
    }) as never
  return verifyLedger(inside)
}

test('the command says so with its exit code', async () => {
  const good = await admin('ledger', 'verify')
  assert.equal(good.code, 0)
  assert.match(
    good.out,
    /^10 entries of 2 accounts and 4 jobs: all sums, chains, charges and rows agree$/m,
  )

  await database.pool.query(
    `update balance set posted_micros = posted_micros + 1 where account_id = '${poor}'`,
  )
  const bad = await adminProcess(url, 'ledger', 'verify', '--json')
  await database.pool.query(
    `update balance set posted_micros = posted_micros - 1 where account_id = '${poor}'`,
  )
  assert.equal(bad.code, 1)
  const { ok, differences, listed } = JSON.parse(bad.out)
  assert.deepEqual([ok, differences], [false, 1])
  assert.equal(listed[0].accountId, poor)
})

test('a statement lists every entry newest first with the balance after it, in pages and as CSV', async () => {
  const all = await readStatement(db, { accountId: rich, offset: 0, limit: 100 })
  assert.deepEqual(
    all.entries.map((line) => [line.number, line.kind, available(line.after)]),
    [
      [7n, 'reserve', 952_000n],
      [6n, 'charge', 976_000n],
      [5n, 'reserve', 976_000n],
      [4n, 'release', 984_000n],
      [3n, 'charge', 960_000n],
      [2n, 'reserve', 960_000n],
      [1n, 'top_up', 1_000_000n],
    ],
  )
  for (const limit of [1, 2, 3]) {
    const entries = []
    for (let offset: number | null = 0; offset !== null;) {
      const page: typeof all = await readStatement(db, { accountId: rich, offset, limit })
      entries.push(...page.entries)
      offset = page.nextOffset
    }
    assert.deepEqual(entries, all.entries)
  }
  assert.deepEqual((await readStatement(db, { accountId: rich, offset: 7, limit: 5 })).entries, [])

  const pieces: string[] = []
  for await (const piece of streamStatementCsv(db, rich)) pieces.push(piece)
  const rows = parse(pieces.join(''), { columns: true }) as Record<string, string>[]
  assert.deepEqual(
    rows.map((row) => [row['number'], row['changeUsd'], row['balanceUsd']]),
    [
      ['7', '-0.024', '0.952'],
      ['6', '0.000', '0.976'],
      ['5', '-0.008', '0.976'],
      ['4', '0.024', '0.984'],
      ['3', '0.000', '0.960'],
      ['2', '-0.040', '0.960'],
      ['1', '1.000', '1.000'],
    ],
  )
  const printed = await admin('ledger', 'statement', '--account', rich, '--format', 'csv')
  assert.equal(printed.out, pieces.join(''))
  const paged = await admin(
    'ledger',
    'statement',
    '--account',
    rich,
    '--limit',
    '2',
    '--offset',
    '1',
    '--json',
  )
  const { total, nextOffset, entries } = JSON.parse(paged.out)
  assert.deepEqual(
    [total, nextOffset, entries[0].number, entries[0].balanceUsd],
    [7, 3, 6, '0.976'],
  )
})

test('a command of the operator ends as soon as it is done', async () => {
  // An idle connection would keep the process running for a minute.
  const ended = within('the process ends', adminProcess(url, 'payment', 'claims'))
  assert.equal((await ended).code, 0)
})

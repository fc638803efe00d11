/**
 * A failover that lost what was told is noticed, whoever was told, and whether or not the processes that told it still
 * run; one that lost nothing is no incident.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { DatabaseContext } from '../../src/context.ts'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { checkLedger, giveCredit } from '../../src/features/operator/acts.ts'
import { sentenceOf } from '../../src/kit/settings.ts'
import { openDatabaseContext } from '../../src/open-context.ts'
import { listIncidents } from '../../src/store/incidents.ts'
import { listAllActs } from '../../src/store/operators.ts'
import { adminOn } from '../admin/admin-command.ts'
import { openGate } from '../machines/gate.ts'
import { startPromotable } from '../support/promoted-copy.ts'
import { testConfig } from '../support/settings.ts'
import { until } from '../support/until.ts'

/** Packets of the server's that a start takes, and some more. */
const ANSWERS_OF_START = 24

/** A machine with its DATA_DIR; it opens the database as its processes do. */
function machineOf(t: TestContext) {
  const DATA_DIR = fs.mkdtempSync(path.join(os.tmpdir(), 'machine-'))
  t.after(() => fs.rmSync(DATA_DIR, { recursive: true, force: true }))
  return {
    env: { DATA_DIR },
    open: (url: string) => openDatabaseContext(testConfig({ DATABASE_URL: url, DATA_DIR })),
  }
}

async function opensAccount({ db }: DatabaseContext): Promise<string> {
  const owner = { email: 'lost@example.org', micros: 5_000_000n }
  return (await createAccountWithKey(db, owner)).accountId
}

async function isGiven({ db }: DatabaseContext, accountId: string): Promise<string> {
  const given = await giveCredit(db, { accountId, micros: 1n, actor: 'tester', reason: 'a test' })
  return given?.reference ?? ''
}

const openKinds = async ({ db }: DatabaseContext): Promise<string[]> =>
  (await listIncidents(db, { days: 1, limit: 9 }))
    .filter(({ endedAt }) => endedAt === null)
    .map(({ kind }) => kind)

test('what two machines told is missed after their restart, until an operator accepts it', async (t) => {
  const [one, two] = [machineOf(t), machineOf(t)]
  const { old, makeCopy } = await startPromotable(t)
  const before = await one.open(old.url)
  const accountId = await opensAccount(before)
  await before.close()
  const copy = await makeCopy()
  const references: string[] = []
  for (const machine of [one, two]) {
    const context = await machine.open(old.url)
    references.push(await isGiven(context, accountId))
    await context.close()
  }
  await old.stop()
  await copy.promote()

  const running = await one.open(copy.url)
  t.after(running.close)
  assert.equal(running.failovers.epoch(), 1)
  assert.deepEqual(await openKinds(running), ['commits_lost'])
  await (await two.open(copy.url)).close()
  await opensThoughLocked(running, () => two.open(copy.url))

  const { admin, value } = adminOn(copy.url, two.env)
  const verified = await admin('ledger', 'verify', '--json')
  assert.equal(verified.code, 1)
  const { ok, differences, gaps } = JSON.parse(verified.out)
  assert.deepEqual([ok, differences, gaps.length], [false, 0, 1])
  assert.deepEqual([gaps[0].timeline, gaps[0].entries, gaps[0].accounts], [2, 2, 1])
  assert.deepEqual(
    gaps[0].listed.map((lost: { number: string; reference: string }) => lost.reference).sort(),
    references.toSorted(),
  )
  assert.match((await admin('ledger', 'verify')).out, /timeline 2 of system \d+ began/)

  const reason = 'the customers were asked'
  assert.match((await admin('failover', 'accept')).err, /--reason/)
  assert.equal((await value('failover', 'accept', '--reason', reason))['accepted'].length, 1)
  assert.equal((await admin('ledger', 'verify')).code, 0)
  assert.deepEqual(await openKinds(running), [])
  const acts = await listAllActs(running.db, { before: null, limit: 9 })
  const accepted = acts.find(({ act }) => act === 'accept_failover')
  assert.deepEqual([accepted?.reason, accepted?.accountId], [reason, null])

  await isGiven(running, accountId)
  await (await one.open(copy.url)).close()
  assert.equal((await admin('ledger', 'verify')).code, 0, 'what was accepted stays accepted')
  assert.deepEqual((await value('failover', 'accept', '--reason', reason))['accepted'], [])
})

/** What is noted is left alone, as its rows may be held by a commit that waits for a standby. */
async function opensThoughLocked(
  { pool }: DatabaseContext,
  open: () => Promise<DatabaseContext>,
): Promise<void> {
  const holder = await pool.connect()
  try {
    for (const words of ['begin', ...['database_timeline', 'incident'].map(lockedRows)])
      await holder.query(words)
    await (await open()).close()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

const lockedRows = (table: string): string => `select from ${table} for update`

test('a running process notices it by itself, and by the position alone', async (t) => {
  const machine = machineOf(t)
  const { old, makeCopy } = await startPromotable(t)
  await (await machine.open(old.url)).close()
  const copy = await makeCopy()
  const both = hostsOf(old.url, copy.url)
  const running = await machine.open(both)
  t.after(running.close)
  running.failovers.start()
  await running.pool.query('create table lost (id int)')
  const position = await positionOf(running)
  running.failovers.confirm(position)
  await old.stop()
  await copy.promote()
  await until('the epoch rises', () => running.failovers.epoch() === 1)
  const { out } = await adminOn(both, machine.env).admin('ledger', 'verify', '--json')
  const [gap] = JSON.parse(out).gaps
  assert.equal(gap.toldPosition, position.position)
  assert.notEqual(gap.beganAt, null)
  assert.equal(gap.entries, 0)
})

test('a failover that lost nothing is noted, and is no incident', async (t) => {
  const machine = machineOf(t)
  const { old, makeCopy } = await startPromotable(t)
  const before = await machine.open(old.url)
  await opensAccount(before)
  before.failovers.confirm(await positionOf(before))
  await before.close()
  const copy = await makeCopy()
  await old.stop()
  await copy.promote()
  const running = await machine.open(copy.url)
  t.after(running.close)
  assert.equal(running.failovers.epoch(), 0)
  assert.deepEqual(await openKinds(running), [])
  const { rows } = await running.pool.query(
    'select timeline, is_lossy, began_at is not null as knows from database_timeline order by 1',
  )
  assert.deepEqual(rows, [
    { timeline: 1, is_lossy: false, knows: false },
    { timeline: 2, is_lossy: false, knows: true },
  ])
  assert.equal((await adminOn(copy.url, machine.env).admin('ledger', 'verify')).code, 0)
})

test('a ledger that was made anew on the same server has lost nothing', async (t) => {
  const machine = machineOf(t)
  const { old, makeCopy } = await startPromotable(t)
  const before = await machine.open(old.url)
  await isGiven(before, await opensAccount(before))
  await before.pool.query('drop schema public cascade; create schema public')
  await before.close()
  const anew = await machine.open(old.url)
  const accountId = await opensAccount(anew)
  const copy = await makeCopy()
  const reference = await isGiven(anew, accountId)
  await anew.close()
  await old.stop()
  await copy.promote()
  const running = await machine.open(copy.url)
  t.after(running.close)
  const { gaps } = await checkLedger(running.db, 'tester')
  assert.deepEqual(
    gaps.map(({ listed }) => listed.map((lost) => lost.reference)),
    [[reference]],
  )
})

test('a process that starts while the server fails over waits for it, whatever it was about to ask', async (t) => {
  const { env, open } = machineOf(t)
  const { old } = await startPromotable(t)
  await (await open(old.url)).close()
  const startAfter = async (answers: number): Promise<void> => {
    const gate = await openGate(old.url)
    gate.cutAfter(answers)
    let isOpen = false
    const config = testConfig({ ...env, DATABASE_URL: gate.url })
    const waits = new AbortController().signal
    const opening = openDatabaseContext(config, { waits }).finally(() => (isOpen = true))
    await until('it is open', () => {
      if (gate.refused() > 0) gate.open()
      return isOpen
    })
    await (await opening).close()
    await gate.close()
  }
  await Promise.all(Array.from({ length: ANSWERS_OF_START }, (_, at) => startAfter(at + 1)))
})

test('another system is refused until it is accepted on the machine', async (t) => {
  const machine = machineOf(t)
  const [from, to] = [await startPromotable(t), await startPromotable(t)]
  const before = await machine.open(from.old.url)
  await isGiven(before, await opensAccount(before))
  await before.close()
  await assert.rejects(machine.open(to.old.url), (error) =>
    sentenceOf(error).includes('another database system'),
  )
  const { admin, value } = adminOn(to.old.url, machine.env)
  assert.match((await admin('ledger', 'verify')).err, /failover accept/)
  const { system, accepted } = await value('failover', 'accept', '--reason', 'it was moved')
  assert.equal(system.timeline, 1)
  assert.equal(accepted[0].entries, 2, 'nothing was carried over')
  assert.equal((await admin('ledger', 'verify')).code, 0)
  const running = await machine.open(to.old.url)
  await running.close()
})

test('a backup is restored on another system, with the epoch and what nobody accepted', async (t) => {
  const machine = machineOf(t)
  const [from, to] = [await startPromotable(t), await startPromotable(t)]
  const before = await machine.open(from.old.url)
  await isGiven(before, await opensAccount(before))
  await before.pool.query(
    `insert into database_timeline (system_id, timeline, entries_lost) values ('other', 2, 1)`,
  )
  await before.close()
  const file = path.join(machine.env.DATA_DIR, 'backup')
  await adminOn(from.old.url, machine.env).value('backup', file)

  const { admin, value } = adminOn(to.old.url, machine.env)
  await adminOn(to.old.url, { DATA_DIR: path.join(machine.env.DATA_DIR, 'new') }).value('migrate')
  await value('restore', file)
  assert.equal((await admin('ledger', 'verify')).err.match(/failover accept/g)?.length, 1)
  const { accepted } = await value('failover', 'accept', '--reason', 'it was restored')
  assert.deepEqual(
    accepted.map((gap: { systemId: string; entries: number }) => [gap.systemId, gap.entries]),
    [['other', 1]],
  )
  const running = await machine.open(to.old.url)
  assert.equal(running.failovers.epoch(), 1)
  await running.close()
})

async function positionOf({ pool, servers }: DatabaseContext) {
  const { rows } = await pool.query<{ at: string }>(
    'select pg_current_wal_insert_lsn()::text as at',
  )
  return { position: rows[0]?.at ?? '', timeline: servers.known()?.timeline ?? 0 }
}

/** Returns the address of both servers, each named by the folder of its socket and its port. */
function hostsOf(...urls: string[]): string {
  const [first, ...others] = urls.map((url) => new URL(url))
  assert.ok(first !== undefined)
  for (const name of ['host', 'port'])
    for (const other of others)
      first.searchParams.set(
        name,
        `${first.searchParams.get(name)},${other.searchParams.get(name)}`,
      )
  return first.href
}

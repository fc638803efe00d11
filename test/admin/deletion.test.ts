/** Deleted accounts: no table keeps anything of the person or their texts, and the books still close. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import {
  deleteAccount,
  eraseAccount,
  eraseDeletedAccounts,
} from '../../src/features/accounts/delete-account.ts'
import { entryOf, REGISTER } from '../../src/store/register.ts'
import { takeEvent } from '../../src/features/money/payments.ts'
import { addFreeCalls, takeFreeCalls } from '../../src/store/free-calls.ts'
import { sweepTexts } from '../../src/features/transcripts/sweep-texts.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { startMailBox } from '../account/mail-box.ts'
import { visitorsOf } from '../account/visitor.ts'
import { ofJob } from '../machines/fleet.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { testService } from '../support/service.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import { adminOn } from './admin-command.ts'
import { openEverything } from './everything.ts'
import { EXPORT_FILES } from '../../src/model/files/catalogue.ts'

const EMAIL = 'gone.person@example.org'
const LINE = 'https://www.youtube.com/@dailynotes'
const WORD = { actor: 'tester', reason: 'a test', leftMoney: null }

const mailBox = await startMailBox({ after })
const running = await testService(
  { after },
  { env: { ...mailBox.env, WEBHOOK_ALLOW_PRIVATE: 'true', JOB_VIDEOS: '2' } },
)
const { database, platform, customer, address } = running
const { db, pool } = database
const folder = temporaryFolder({ after })
const { value, refusal, admin } = adminOn(database.url, { BACKUP_DIR: folder })

/** Returns every table of ours with one of these words in any column. */
async function tablesWith(needles: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = 'public' and tablename not in ('list_page', 'list_copy', 'channel_name', 'video_details')`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const hits = await pool.query<{ needle: string }>(
      `select distinct n as needle from ${name} t, unnest($1::text[]) n where strpos(t::text, n) > 0`,
      [needles],
    )
    found.push(...hits.rows.map(({ needle }) => `${name}: ${needle}`))
  }
  return found
}

async function countRows(tables: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await pool.query(`select count(*)::int as count from ${table}`)
    counts[table] = rows[0].count
  }
  return counts
}

test('deleting an account leaves nothing of its owner in any table, while ledger and receipts still verify', async () => {
  const { accountId, receipt, needles } = await openEverything(running, mailBox, EMAIL)
  const erasedTables = Object.entries(REGISTER).flatMap(([table, { erased }]) =>
    erased === 'stripped' || (typeof erased === 'object' && 'kept' in erased) ? [] : [table],
  )
  const before = await countRows(erasedTables)
  assert.deepEqual(
    Object.entries(before).filter(([, count]) => count === 0),
    [],
    'each table that is erased has a row to erase',
  )
  const unseen = needles.filter((needle) => needle.startsWith('sk_') === false)
  assert.ok((await tablesWith(unseen)).length > 8)
  await value('backup', path.join(folder, 'before.backup'))
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'no backup')

  assert.match(
    await refusal('account', 'delete', EMAIL, '--reason', 'asked by mail'),
    /owns \$\d\.\d+ and nothing was done; pay it back and say --balance paid-back/,
  )
  assert.equal((await value('account', 'show', EMAIL))['state'], 'active')
  const deleted = await value(
    'account',
    'delete',
    EMAIL,
    '--reason',
    'asked by mail',
    '--balance',
    'paid-back',
  )
  platform.clear()
  assert.deepEqual([deleted['state'], deleted['cancelledJobs'].length], ['deleted', 1])
  assert.deepEqual(
    deleted['backups'].map(({ file, isDue }: Json) => [path.basename(file), isDue]),
    [['before.backup', false]],
  )

  // A worker that learns of the deletion too late writes these.
  await addFreeCalls(db, accountId, { listing: 1, refused: 1 })
  assert.equal(await takeFreeCalls(db, { accountId, calls: 1, allowance: 100 }), false)
  assert.deepEqual(await tablesWith(needles), [])
  assert.deepEqual(
    Object.entries(await countRows(erasedTables)).filter(([, count]) => count > 0),
    [],
  )
  await checkVerified(receipt)
  const shown = await value('account', 'show', accountId)
  assert.deepEqual(
    [shown['state'], shown['email'], shown['available'], shown['keys'], shown['signIn']],
    ['deleted', `${accountId}@deleted.invalid`, '0.000', [], []],
  )
  assert.match(shown['entries'][0].reason, /what was left was paid back/)
  assert.match(await refusal('account', 'resume', accountId), /is not suspended/)
  const named = ['--account', accountId] as const
  assert.match(
    await refusal('credit', 'add', ...named, '--usd', '5', '--reason', 'late'),
    /is deleted/,
  )
  assert.match(await refusal('key', 'create', ...named, '--name', 'late'), /is deleted/)
  assert.equal(
    (await value('account', 'delete', accountId, '--reason', 'again'))['leftUsd'],
    '0.000',
  )
})

async function checkVerified(receipt: Json): Promise<void> {
  const file = path.join(folder, 'receipt.json')
  fs.writeFileSync(file, JSON.stringify(receipt))
  const { ok, receipt: findings } = await value('ledger', 'verify', '--receipt', file)
  assert.deepEqual([ok, findings], [true, []])
  const [first] = receipt['delivered']
  const forged = { ...receipt, delivered: [{ ...first, videoId: 'another' }] }
  fs.writeFileSync(file, JSON.stringify(forged))
  assert.equal((await admin('ledger', 'verify', '--receipt', file)).code, 1)
}

test('the address of a deleted account is free: its owner may come again, to an empty account', async () => {
  const again = visitorsOf(running).visitor()
  await again.signsUp(EMAIL)
  await again.opens((await mailBox.newestTo(EMAIL)).link ?? '')
  const { accountId } = await again.gets('/account/session')
  assert.equal((await pool.query('select from job where account_id = $1', [accountId])).rowCount, 0)
})

/** Checks the books: jobs whose rows are erased are proven by their receipts, all others as always. */
async function checkMoney(): Promise<void> {
  const { differences } = await value('ledger', 'verify')
  assert.equal(differences, 0)
}

test('a payment that arrives for a deleted account is refused and told to the operator', async () => {
  const { accountId } = await customer('0')
  await deleteAccount(db, { accountId, ...WORD })
  const effect = {
    kind: 'paid' as const,
    paymentId: 'pi_late',
    checkoutId: 'cs_late',
    accountId,
    micros: 10_000_000n,
  }
  const taken = await takeEvent(db, {
    id: 'evt_late',
    type: 'checkout.session.completed',
    createdAt: new Date(),
    effect,
  })
  assert.deepEqual([taken.outcome, taken.needsOperator], ['refused', true])
  assert.match(taken.note, /not here any more/)
  assert.equal((await value('account', 'show', accountId))['available'], '0.000')
  const metrics = await (await fetch(`${address}/metrics`)).text()
  assert.match(metrics, /^scriptorium_payment_events_refused 1$/m)
})

/** The customer whose old texts go, and whose account then goes, too. */
let who: Customer

test('texts older than RETENTION_DAYS go, and rows, report, receipt and a repeat tell honestly of them', async () => {
  who = await customer('1')
  const { job } = await who.orders({ urls: ['@dailynotes'], maxVideos: 2 })
  const { job: young } = await who.orders({ urls: [LINE], maxVideos: 1 })
  const receipt = await who.gets(`/jobs/${job['id']}/receipt`)
  await pool.query(`update job set finished_at = finished_at - interval '31 days' where id = $1`, [
    job['id'],
  ])
  assert.equal(await sweepTexts(db, 32), 0)
  assert.equal(await sweepTexts(db, 30), 1)
  assert.equal(await sweepTexts(db, 30), 0)

  const rows = await who.readsRows(job)
  const [row] = rows.filter(({ status }) => status === 'success')
  assert.deepEqual([row?.['text'], row?.['segments'], row?.['files']], [null, null, {}])
  assert.match(row?.['errorMessage'], /The text was deleted on \d{4}-\d\d-\d\d/)
  const files = ['zip', 'all.txt', '1.txt', '1.json'].map((file) => `files/${file}`)
  for (const file of [...files, ...EXPORT_FILES]) {
    const { status, body } = await who.asks('GET', `/jobs/${job['id']}/${file}`)
    assert.deepEqual([status, body['error'].code], [404, 'not_found'], file)
    assert.match(body['error'].message, /The text was deleted on/)
  }
  assert.match((await who.downloads(`/jobs/${job['id']}/files/report.csv`)).toString(), /success/)
  const { delivered } = await who.gets(`/jobs/${job['id']}/receipt`)
  assert.deepEqual(delivered, receipt['delivered'])
  await checkMoney()
  const kept = (await who.readsRows(young)).filter(({ status }) => status === 'success')
  assert.ok(kept.length > 0 && kept.every(({ text }) => typeof text === 'string'))
  const [collection] = (await who.gets('/library'))['collections']
  const path = `/library/${collection.id}/files/export.md`
  const exported = (await who.downloads(path)).toString()
  const texts = [/^transcripts: (\d+)$/m.exec(exported)?.[1], exported.match(/^# /gm)?.length]
  assert.deepEqual(texts, [String(kept.length), kept.length], 'what is left, and said so')
  const again = await who.orders({ urls: ['@dailynotes'], maxVideos: 1 })
  const told = again.rows.find(({ videoId }) => videoId === row?.['videoId'])
  assert.equal(told?.['status'], 'unchanged', 'what was delivered is not charged twice unasked')
})

test('an erasure that is interrupted goes on where it was, and looks once more for what came late', async () => {
  const { accountId } = who
  const [job] = (await who.gets('/jobs?limit=1'))['jobs']
  const receipt = await who.gets(`/jobs/${job['id']}/receipt`)
  await pool.query(
    `insert into history (account_id, url_set_hash, video_id, outcome, tries, job_id, attempted_at)
    select $1, 'many', n::text, 'delivered', 0, $2, now() from generate_series(1, 4500) n`,
    [accountId, job['id']],
  )
  await deleteAccount(db, { accountId, ...WORD, leftMoney: 'given-up' })
  assert.equal((await who.asks('GET', '/balance')).status, 401)
  // The erasure fails after the texts' rows, before the job is marked as erased.
  const entries = Object.entries(REGISTER)
  const rowsAt = entries.findIndex(([table]) => table === 'video_row')
  const dies = Object.fromEntries(
    entries.toSpliced(rowsAt + 1, 0, ['no_such_table', entryOf(REGISTER, 'video_row')]),
  )
  await assert.rejects(eraseAccount(db, accountId, dies), /no_such_table/)
  assert.equal(await ofJob(database, job['id'], 'erased_at'), null)
  assert.equal(await eraseDeletedAccounts(db), 0, 'work that was under way may still write')

  assert.ok((await eraseDeletedAccounts(db, -1)) >= 1)
  assert.equal(await eraseDeletedAccounts(db, -1), 0)
  for (const table of ['history', 'api_key', 'video_row'])
    assert.equal(
      (
        await pool.query(
          `select from ${table} where ${table === 'video_row' ? `job_id = '${job['id']}'` : `account_id = '${accountId}'`}`,
        )
      ).rowCount,
      0,
      table,
    )
  await checkVerified(receipt)
  await checkMoney()
})

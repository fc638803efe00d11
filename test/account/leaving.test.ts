/** Taking everything along and leaving: the export of an account, and its deletion by its owner. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'
import { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { adminOn } from '../admin/admin-command.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { startMailBox } from './mail-box.ts'
import { membersOf, type Visitor } from './visitor.ts'

const VERIFIER = path.resolve(import.meta.dirname, '../../tools/scripts/verify-receipt.ts')

const mailBox = await startMailBox({ after })
const backups = temporaryFolder({ after })
const env = { ...mailBox.env, WELCOME_CREDIT_USD: '1', BACKUP_DIR: backups }
const running = await testService({ after }, { env })
const signsIn = membersOf(running, mailBox)
const { address, database } = running

async function member(email: string): Promise<{ one: Visitor; customer: Customer }> {
  const one = await signsIn(email)
  const { accountId } = await one.gets('/account/session')
  const { apiKey } = (await one.asks('POST', '/account/keys', { name: 'mine' })).body
  return { one, customer: new Customer({ address, accountId, apiKey }) }
}

async function filesIn(zip: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const reader = await fromBufferPromise(zip, { lazyEntries: true })
  for await (const entry of reader.eachEntry())
    files.set(entry.fileName, await buffer(await reader.openReadStreamPromise(entry)))
  return files
}

/** The account of all that is exported and deleted: bought once. */
const EMAIL = 'collector@example.org'
const { one, customer } = await member(EMAIL)

test('the export of an account has its statement, jobs, receipts and texts, and no secret', async () => {
  const { job, rows } = await customer.orders({
    urls: ['@dailynotes'],
    maxVideos: 3,
    formats: ['srt'],
  })
  await customer.orders({ urls: ['https://www.youtube.com/watch?v=aaaaaaaaaaa'] })
  await one.asks('POST', '/account/keys', { name: 'capped', monthlyCap: '0.5' })
  const cookie = [...one.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${address}/account/export.zip`, { headers: { cookie } })
  assert.equal(response.headers.get('content-type'), 'application/zip')
  assert.match(String(response.headers.get('content-disposition')), /scriptorium-[\d-]+.*\.zip/)
  const files = await filesIn(Buffer.from(await response.arrayBuffer()))

  const account = JSON.parse(String(files.get('account.json')))
  assert.deepEqual(account.signsInWith, [EMAIL])
  assert.deepEqual(
    account.keys.map((key: any) => [key.name, key.monthlyCapUsd]),
    [
      ['capped', '0.500'],
      ['mine', null],
    ],
  )
  assert.ok(![...files.values()].some((file) => file.includes(customer.apiKey)))
  const spent = rows.filter(({ status }) => status === 'success').length * 0.008
  assert.ok(spent > 0)
  assert.ok(Math.abs(Number(account.availableUsd) - (1 - spent)) < 0.0005, account.availableUsd)
  assert.match(String(files.get('statement.csv')), /charge/)
  const readme = String(files.get('README.txt'))
  for (const name of [...files.keys()].slice(1))
    assert.ok(readme.includes(path.basename(name)), `README.txt tells of ${name}`)

  const folders = [...files.keys()].filter((name) => name.endsWith('job.json'))
  assert.equal(folders.length, 2)
  const folder = path.dirname(folders.find((name) => name.includes(String(job['id']))) ?? '')
  const receipt = JSON.parse(String(files.get(`${folder}/receipt.json`)))
  assert.deepEqual(receipt, await customer.gets(`/jobs/${job['id']}/receipt`))
  const report = await customer.downloads(`/jobs/${job['id']}/files/report.csv`)
  assert.equal(String(files.get(`${folder}/report.csv`)), String(report))
  const texts = await filesIn(files.get(`${folder}/transcripts.zip`) ?? Buffer.alloc(0))
  const hashes = new Set(
    [...texts]
      .filter(([name]) => name.endsWith('.json') && !name.endsWith('.words.json'))
      .map(([, file]) => sha256(joined(file))),
  )
  assert.deepEqual(hashes, new Set(receipt.delivered.map((one: any) => one.textSha256)))
  const lines = String(files.get(`${folder}/videos.jsonl`))
    .trimEnd()
    .split('\n')
  const known = lines.map((line) => JSON.parse(line))
  assert.equal(known.length, rows.length)
  for (const { index, tracks, source, hasWordTimes } of known) {
    if (source === null) continue
    const row = await customer.gets(`/jobs/${job['id']}/videos/${index}`)
    assert.deepEqual([tracks, hasWordTimes], [row['tracks'], row['hasWordTimes']])
    assert.equal(source.sha256, row['source'].sha256)
  }
  const timed = known.filter(({ hasWordTimes }) => hasWordTimes).length
  assert.ok(timed > 0)
  assert.equal([...texts.keys()].filter((name) => name.endsWith('.words.json')).length, timed)
  const taken = temporaryFolder({ after })
  const [proof, keys, statement] = [
    `${folder}/receipt.json`,
    'signing-keys.json',
    'statement.csv',
  ].map((name) => {
    const file = path.join(taken, path.basename(name))
    fs.writeFileSync(file, files.get(name) ?? '')
    return file
  })
  const checked = spawnSync(
    process.execPath,
    [VERIFIER, String(proof), '--keys', String(keys), '--statement', String(statement)],
    { encoding: 'utf8' },
  )
  assert.match(checked.stdout, /^Receipt verified: /, checked.stderr)
  const failed = folders.find((name) => !name.includes(String(job['id']))) ?? ''
  assert.ok(!files.has(`${path.dirname(failed)}/transcripts.zip`))
})

test('`admin account export` writes the same files, never over another file', async () => {
  const file = path.join(temporaryFolder({ after }), 'out.zip')
  const { value, refusal } = adminOn(database.url)
  const { bytes } = await value('account', 'export', EMAIL, file)
  assert.equal(fs.statSync(file).size, bytes)
  const files = await filesIn(fs.readFileSync(file))
  assert.equal([...files.keys()].filter((name) => name.endsWith('transcripts.zip')).length, 1)
  assert.match(await refusal('account', 'export', EMAIL, file), /EEXIST|exists/)
  assert.match(await refusal('account', 'export', 'nobody@example.org', file), /no account/)
})

test('backups that hold an account which its owner deleted are named, and those that are too old', async () => {
  const email = 'backed-up@example.org'
  const { one } = await member(email)
  const { value, admin } = adminOn(database.url, { BACKUP_DIR: backups })
  const files = ['1-old', '2-before', '3-after'].map((name) => path.join(backups, name))
  const [old = '', before = '', later = ''] = files
  await value('backup', old)
  const text = gunzipSync(fs.readFileSync(old)).toString('latin1')
  const aged = text.replace(/"createdAt":"[^"]+"/, '"createdAt":"2026-01-01T00:00:00.000Z"')
  assert.notEqual(aged, text)
  fs.writeFileSync(old, gzipSync(Buffer.from(aged, 'latin1')))
  await value('backup', before)
  const known = (await value('storage'))['backups'].files
  const held: number[] = known.map((each: Json) => each['deletedAccounts'])
  const asked = { email, givesUpMoney: true }
  assert.equal((await one.asks('POST', '/account/delete', asked)).status, 200)
  await value('backup', later)

  await until('what was stored is counted', async () => {
    const { rows } = await database.pool.query('select from account_usage where stored_bytes > 0')
    return rows.length > 0
  })
  for (const command of ['storage', 'usage']) {
    const all = await value(command)
    const named = (command === 'usage' ? all['storage'] : all)['backups'].files
    assert.deepEqual(
      named.map(({ file, isDue, deletedAccounts }: Json) => [file, isDue, deletedAccounts]),
      [
        [old, true, 0], // the account was made after this backup
        [before, false, (held[1] ?? 0) + 1],
        [later, false, 0],
      ],
    )
    const { out } = await admin(command)
    assert.match(out, /1-old of 2026-01-01T00:00:00.000Z: too old, remove it now\n/)
    assert.match(out, /2-before of \S+, still holds \d+ deleted accounts?: remove it by 20/)
    assert.match(out, /transcripts that each day added:\n {2}20\S+: \d+ bytes\n/)
  }
  const { acts } = await value('acts', '--limit', '1')
  assert.equal(acts[0].act, 'delete_account')
  assert.match(acts[0].detail, /^backups still hold it: \S+2-before \(remove it by 20\S+Z\)$/)
  const missing = adminOn(database.url, { BACKUP_DIR: path.join(backups, 'nowhere') })
  assert.match((await missing.admin('storage')).out, /BACKUP_DIR \S+nowhere cannot be read: ENOENT/)
})

test('an owner deletes their account with its address, a fresh sign-in and a word on the money', async () => {
  const left = await customer.balance()
  const asks = (body: unknown) => one.asks('POST', '/account/delete', body)
  const session = `user_id = (select id from sign_in_user where email = '${EMAIL}')`

  assert.equal((await asks({ email: 'other@example.org', givesUpMoney: true })).status, 400)
  const { pool } = database
  await pool.query(
    `update sign_in_session set created_at = now() - interval '11 minutes' where ${session}`,
  )
  const stale = await asks({ email: EMAIL, givesUpMoney: true })
  assert.deepEqual([stale.status, /sign out and in again/i.test(stale.text)], [403, true])
  await pool.query(`update sign_in_session set created_at = now() where ${session}`)
  const rich = await asks({ email: EMAIL, givesUpMoney: false })
  assert.deepEqual([rich.status, rich.text.includes(left)], [400, true], rich.text)
  assert.equal((await customer.asks('GET', '/balance')).status, 200)

  assert.equal((await asks({ email: ' Collector@example.org', givesUpMoney: true })).status, 200)
  assert.equal((await customer.asks('GET', '/balance')).status, 401)
  assert.equal((await one.asks('GET', '/account/balance')).status, 401)
  assert.equal((await one.signsIn(EMAIL)).status, 401)
  await until('the rows of the account are gone', async () => {
    const { rows } = await pool.query(
      'select from video_row r join job j on j.id = r.job_id where j.account_id = $1',
      [customer.accountId],
    )
    return rows.length === 0
  })
  const acts = await pool.query(
    'select act, strpos(a::text, $2) as at from operator_act a where account_id = $1',
    [customer.accountId, EMAIL],
  )
  assert.deepEqual(acts.rows, [{ act: 'delete_account', at: 0 }])
  const { ok } = await adminOn(database.url).value('ledger', 'verify')
  assert.notEqual(ok, false)
})

/** Joins the `text` of segments as the contract does. */
function joined(segments: Buffer): string {
  const all = JSON.parse(String(segments)) as { text: string }[]
  return all.map(({ text }) => text).join(' ')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

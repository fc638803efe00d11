/** Receipts: signed, checkable without us, and broken by any change. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { truthOf } from '../../emulator/truth.ts'
import { addCredit, streamStatementCsv } from '../../src/features/money/balance.ts'
import {
  checkReceipt,
  openSigner,
  readPublishedKeys,
  rotateSigningKey,
} from '../../src/features/money/receipts.ts'
import { readSeed } from '../../src/kit/ed25519.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { testDatabase } from '../support/database.ts'
import { testService } from '../support/service.ts'

const SCRIPT = path.resolve(import.meta.dirname, '../../tools/scripts/verify-receipt.ts')
const run = promisify(execFile)

const { platform, customer, database, address } = await testService({ after })
const { db } = database
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'receipts-'))
after(() => fs.rm(folder, { recursive: true }))

const buyer = await customer('1')
const { videos } = truthOf(platform.world, { limit: 40 })
const awkward = ['=1+1', '', "'quoted", ' "a", b\r\nc ', '-']
for (const reason of awkward) {
  await transact(db, (tx) =>
    addCredit(tx, { accountId: buyer.accountId, micros: 1n, reference: `grant:${reason}`, reason }),
  )
}
const { job } = await buyer.orders({ urls: videos.map((video) => video.videoId), maxVideos: 40 })
const receipt = await buyer.gets(`/jobs/${job.id}/receipt`)
const results = await buyer.gets(`/jobs/${job.id}/results?limit=200`)
const keys = `${address}/.well-known/scriptorium-keys.json`

/** Runs the independent verifier; `ok` is whether its exit code is 0. */
async function verify(shown: Json, ...options: string[]): Promise<{ ok: boolean; said: string }> {
  const file = path.join(folder, `${randomBytes(6).toString('hex')}.json`)
  await fs.writeFile(file, JSON.stringify(shown))
  try {
    const { stdout } = await run(process.execPath, [SCRIPT, file, '--keys', keys, ...options])
    return { ok: true, said: stdout }
  } catch (error) {
    const { stderr, code } = error as { stderr: string; code: number }
    assert.equal(code, 1, stderr)
    return { ok: false, said: stderr }
  }
}

async function statementFile(change: (csv: string) => string = (csv) => csv): Promise<string> {
  const file = path.join(folder, `${randomBytes(6).toString('hex')}.csv`)
  const pieces: string[] = []
  for await (const piece of streamStatementCsv(db, buyer.accountId)) pieces.push(piece)
  await fs.writeFile(file, change(pieces.join('')))
  return file
}

test('a receipt names every delivered video with the hash of its text, the charge and the chain', () => {
  const delivered = results.videos.filter((row: Json) => row.status === 'success')
  assert.ok(delivered.length > 0)
  assert.deepEqual(
    receipt.delivered,
    delivered.map((row: Json) => ({
      index: row.index,
      videoId: row.videoId,
      textSha256: createHash('sha256').update(row.text).digest('hex'),
    })),
  )
  assert.equal(receipt.charged, job.billing.charged)
  assert.equal(receipt.reserved, job.billing.reserved)
  assert.equal(receipt.transcripts, job.billing.chargedTranscripts)
  assert.deepEqual(
    receipt.ledger.entries.map((entry: Json) => entry.kind),
    ['reserve', 'charge', 'release'],
  )
  assert.equal(receipt.ledger.headBefore, receipt.ledger.entries[0].previousHash)
  assert.equal(receipt.ledger.headAfter, receipt.ledger.entries[2].hash)
})

test('a receipt made again is the same, and there is none for a running or a foreign job', async () => {
  assert.deepEqual(await buyer.gets(`/jobs/${job.id}/receipt`), receipt)
  const stranger = await customer('1')
  assert.equal((await stranger.asks('GET', `/jobs/${job.id}/receipt`)).status, 404)
  assert.equal((await stranger.asks('GET', '/jobs/nothing/receipt')).status, 404)

  platform.apply({ faults: [{ do: 'hang' }] })
  const running = await stranger.startsJob({ urls: videos[0]!.videoId })
  const none = await stranger.asks('GET', `/jobs/${running.id}/receipt`)
  assert.equal(none.status, 404)
  assert.match(
    none.body.error.message,
    /^The job is (queued|running); its receipt exists once it is final\.$/,
  )
  await stranger.asks('POST', `/jobs/${running.id}/cancel`)
  await stranger.waitsFor(running)
  platform.apply({ faults: [] })
  const empty = await stranger.gets(`/jobs/${running.id}/receipt`)
  assert.deepEqual([empty.state, empty.charged, empty.delivered], ['cancelled', '0.000', []])
})

test('anybody can check a receipt, the texts it is about and the whole chain without us', async () => {
  const resultsFile = path.join(folder, 'results.json')
  await fs.writeFile(resultsFile, JSON.stringify(results))
  const { ok, said } = await verify(
    receipt,
    '--statement',
    await statementFile(),
    '--results',
    resultsFile,
  )
  assert.ok(ok, said)
  assert.match(
    said,
    new RegExp(
      `job ${job.id} delivered ${receipt.transcripts} transcripts for ${receipt.charged} USD`,
    ),
  )
})

test('the verifier finds the published keys by the issuer that the receipt names', async () => {
  const file = path.join(folder, 'alone.json')
  await fs.writeFile(file, JSON.stringify(receipt, null, 2))
  const { stdout } = await run(process.execPath, [SCRIPT, file])
  assert.match(stdout, new RegExp(`of ${receipt.issuer}/.well-known/scriptorium-keys.json`))
})

test('a receipt changed anywhere, or signed by somebody else, is no receipt', async () => {
  const other = { ...receipt, signature: { ...receipt.signature, keyId: '0123456789abcdef' } }
  const cheaper = { ...receipt, charged: '0.000' }
  const moved = structuredClone(receipt)
  moved.ledger.entries[1].createdAt = '2020-01-01T00:00:00.000Z'
  const swapped = structuredClone(receipt)
  swapped.delivered[0].textSha256 = swapped.delivered[0].textSha256.replace(/^./, (c: string) =>
    c === '0' ? '1' : '0',
  )
  const cases: [string, Json, RegExp][] = [
    ['another key', other, /publishes no key/],
    [
      'another charge',
      cheaper,
      /signature does not match[\s\S]*charged is not transcripts times price/,
    ],
    ['another entry', moved, /signature does not match[\s\S]*entry \d+ does not have the hash/],
    ['another text', swapped, /signature does not match/],
  ]
  for (const [name, shown, sentence] of cases) {
    const { ok, said } = await verify(shown)
    assert.equal(ok, false, name)
    assert.match(said, sentence, name)
  }
})

test('a statement with an entry changed or left out, or texts that were not delivered, are found out', async () => {
  const changed = await statementFile((csv) => csv.replace('grant:=1+1', 'grant:=1+2'))
  assert.match(
    (await verify(receipt, '--statement', changed)).said,
    /statement: entry \d+ was changed/,
  )
  const shorter = await statementFile((csv) => csv.split('\r\n').toSpliced(2, 1).join('\r\n'))
  assert.match((await verify(receipt, '--statement', shorter)).said, /is missing/)
  const resultsFile = path.join(folder, 'other.json')
  const videos = results.videos.map((row: Json) =>
    row.text === null ? row : { ...row, text: `${row.text}!` },
  )
  await fs.writeFile(resultsFile, JSON.stringify({ ...results, videos }))
  assert.match(
    (await verify(receipt, '--results', resultsFile)).said,
    /the text of \d+ is not the receipt's/,
  )
})

test('after a change of keys old receipts stay checkable and every machine signs with the new one', async () => {
  const { id } = await rotateSigningKey(db)
  const again = await buyer.gets(`/jobs/${job.id}/receipt`)
  assert.equal(again.signature.keyId, id)
  assert.notEqual(receipt.signature.keyId, id)
  const { keys: published } = (await (await fetch(keys)).json()) as { keys: Json[] }
  assert.deepEqual(
    published.map((key) => key.id),
    [id, receipt.signature.keyId],
  )
  assert.equal((await verify(receipt)).ok, true)
  assert.equal((await verify(again)).ok, true)
  const shown = published.map((key) => {
    return key.retiredAt === null ? key : { ...key, retiredAt: '2020-01-01T00:00:00.000Z' }
  })
  const kept = path.join(folder, 'keys.json')
  await fs.writeFile(kept, JSON.stringify({ keys: shown }))
  assert.match((await verify(receipt, '--keys', kept)).said, /was retired before the job ended/)
  assert.equal((await verify(again, '--keys', kept)).ok, true)
  assert.deepEqual(await checkReceipt(db, openSigner(db, null), receipt as never), [])
  assert.match(
    (
      await checkReceipt(db, openSigner(db, null), { ...receipt, charged: '9.000' } as never)
    ).join(),
    /signature does not match/,
  )
})

test('ten processes that need a key at once make one', async () => {
  const fresh = await testDatabase({ after })
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () => (await openSigner(fresh.db, null).current()).id),
  )
  assert.equal(new Set(ids).size, 1)
  assert.equal((await readPublishedKeys(fresh.db, openSigner(fresh.db, null))).length, 1)
})

test('a key of the setting signs instead, is published, and nonsense stops the start', async () => {
  const seed = randomBytes(32)
  const signer = openSigner(db, seed.toString('base64'))
  const pair = await signer.current()
  assert.ok((await readPublishedKeys(db, openSigner(db, null))).some((key) => key.id === pair.id))
  assert.deepEqual(readSeed(seed.toString('base64url')), seed)
  for (const text of ['', 'short', seed.toString('hex'), `${seed.toString('base64')}=`]) {
    assert.throws(() => openSigner(db, text), /RECEIPT_SIGNING_KEY must be/, text)
  }
})

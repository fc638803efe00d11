/**
 * Texts in an object store: whatever is read of them is as it was in the database, what is deleted is gone from the
 * store, and while the store is away everything else goes on.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, afterEach, test } from 'node:test'
import { deleteAccount, eraseDeletedAccounts } from '../../src/features/accounts/delete-account.ts'
import { backup, restore } from '../../src/features/backup/backup.ts'
import { sweepTexts } from '../../src/features/transcripts/sweep-texts.ts'
import { holdingPacks, packTexts } from '../../src/features/transcripts/pack-texts.ts'
import type { TextStore } from '../../src/features/transcripts/text-store.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { testDatabase } from '../support/database.ts'
import { objectStoreStandIn } from '../support/object-store.ts'
import { testService } from '../support/service.ts'

import { temporaryFolder } from '../support/embedded-process.ts'
import { untilDegraded } from './degraded.ts'
import { ownLines, surfacesWith } from './every-surface.ts'

const store = await objectStoreStandIn({ after })
const { service, platform, database, customer } = await testService(
  { after },
  { env: { ...store.env, WORD_TIMES: 'true' } },
)
const { db, pool } = database
const textStore = service.context.textStore as TextStore
const SMALL = `https://www.youtube.com/${platform.world.channel('small').handle}`

afterEach(async () => {
  Object.assign(store, { fault: null, faultyRequests: Infinity })
  for (const object of store.objects.values()) object.modifiedAt = new Date(0)
  await pool.query('delete from transcript_body') // customers of the same videos have the same words
  await pack()
  assert.equal(store.objects.size, 0)
})

const pack = (isAll = true) => packTexts({ db, pool, textStore, minSeconds: 0, isAll })
const unpacked = async (): Promise<number> =>
  (await pool.query(`select from transcript_body where octet_length(body) > 0`)).rowCount ?? 0

async function ordered(buyer: Customer) {
  const { job, rows } = await buyer.orders({ urls: [SMALL], maxVideos: 4 })
  const texts = rows.filter(({ status }: Json) => status === 'success')
  return { job, rows, row: texts[0]!, texts }
}

const FILES = ['zip', 'zip?exports=md,jsonl,words,wordsvtt', 'all.txt']
const filesOf = async (buyer: Customer, job: Json): Promise<Buffer[]> => {
  const files: Buffer[] = []
  for (const file of FILES) files.push(await buyer.downloads(`/jobs/${job['id']}/files/${file}`))
  for (let index = 1; index <= 4; index += 1)
    files.push((await buyer.asks('GET', `/jobs/${job['id']}/files/${index}.words.json`)).bytes)
  return files
}

test('packed texts are read on every surface as before, and files have the same bytes', async () => {
  const buyer = await customer()
  const { job, rows, row, texts } = await ordered(buyer)
  const lines = ownLines(row, rows)
  const { collections } = await buyer.gets('/library')
  const things = {
    jobs: [job['id']],
    library: collections.map(({ id }: Json) => id),
    projects: [],
    index: row['index'] as number,
    q: lines[0]!.trim().split(' ').slice(0, 4).join(' '),
  }
  const [surfaces, files] = [await surfacesWith(buyer, lines, things), await filesOf(buyer, job)]
  assert.ok(surfaces.length >= 20, surfaces.join('\n'))

  const packed = await pack()
  assert.equal(packed.texts, texts.length)
  assert.equal(await unpacked(), 0)
  assert.equal(store.objects.size, 1)
  store.asked.length = 0
  assert.deepEqual(await filesOf(buyer, job), files)
  assert.ok(store.asked.length < 12, store.asked.join('\n'))
  assert.ok(store.asked.every((line) => line.startsWith('GET /texts/some/prefix/')))
  assert.deepEqual(await surfacesWith(buyer, lines, things), surfaces)
  assert.deepEqual(await pack(), { texts: 0, bytes: 0, removed: 0 }, 'nothing is left to be done')

  // An index that is made of packed texts finds the same.
  const q = `/search?q=${encodeURIComponent(things.q)}`
  const { hits } = await buyer.gets(q)
  fs.rmSync(path.join(service.context.config.DATA_DIR, 'library'), { recursive: true })
  assert.deepEqual((await buyer.gets(q))['hits'], hits)
})

test('a request that was cut, refused or changed on the way is repeated', async () => {
  const buyer = await customer()
  const { job, row } = await ordered(buyer)
  const file = `/jobs/${job['id']}/files/${row['index']}.srt`
  const before = await buyer.downloads(file)
  await pack()
  for (const fault of ['cut', 'busy', 'away', 'wrong'] as const) {
    Object.assign(store, { fault, faultyRequests: 1 })
    assert.deepEqual(await buyer.downloads(file), before, fault)
    assert.equal(store.faultyRequests, 0)
  }
})

test('while the store gives no text, its files are 503, and everything else goes on', async () => {
  const buyer = await customer()
  const { job, rows, row } = await ordered(buyer)
  const q = ownLines(row, rows)[0]!.trim().split(' ').slice(0, 4).join(' ')
  const found = await buyer.gets(`/search?q=${encodeURIComponent(q)}`)
  const [file, ...others] = [`${row['index']}.srt`, 'zip', 'export.md', 'export.4cat.csv'].map(
    (name) => `/jobs/${job['id']}/${name.startsWith('export') ? name : `files/${name}`}`,
  )
  await pack()
  for (const fault of ['away', 'busy', 'cut', 'wrong', 'forbidden', 'missing'] as const) {
    store.fault = fault
    for (const asked of [file!, ...others]) {
      const { status, body, headers } = await buyer.asks('GET', asked)
      assert.equal(status, 503, `${fault} ${asked}`)
      assert.match(body['error'].message, /kept in another store/)
      assert.ok(Number(headers.get('retry-after')) > 0)
    }
    const answer = await buyer.gets(`/search?q=${encodeURIComponent(q)}`)
    assert.equal(answer['total'], found['total'])
    assert.match(JSON.stringify(answer['hits']), /cannot be read at the moment/)
    if (fault !== 'missing') await untilDegraded(service, ['older texts: TEXT_STORE is away'])
    const next = await ordered(await customer())
    assert.equal(next.job['state'], 'finished')
    assert.ok(next.texts.length > 0)
  }
  store.fault = null
  assert.equal((await buyer.downloads(file!)).length > 0, true)
  await untilDegraded(service, undefined)
})

/** Returns whether any object has the words of a text, which are read from the database's own answer. */
async function packsWith(words: Buffer): Promise<number> {
  return [...store.objects.values()].filter(({ content }) => content.includes(words)).length
}

async function bodyOf(job: Json, index: number): Promise<Buffer> {
  const asked = 'select body from transcript_body where job_id = $1 and index = $2'
  return (await pool.query<{ body: Buffer }>(asked, [job['id'], index])).rows[0]!.body
}

test('a deleted text is gone from the store after the next sweep, and its neighbours are as they were', async () => {
  const buyer = await customer()
  const { job, row, texts } = await ordered(buyer)
  const [gone, kept] = texts.slice(0, 2).map(({ index }) => index as number)
  const words = await bodyOf(job, gone!)
  await pack()
  assert.equal(await packsWith(words), 1)
  const before = await buyer.downloads(`/jobs/${job['id']}/files/${kept}.json`)
  assert.equal(row['index'], gone)
  const { status } = await buyer.asks('DELETE', `/jobs/${job['id']}/videos/${gone}/text`)
  assert.equal(status, 204)
  await pack(false)
  assert.equal(
    await packsWith(words),
    1,
    'a sweep rests for an hour, so that a pack is written once',
  )
  await pool.query(`update spoilt_pack set at = at - interval '1 hour'`)
  assert.equal((await pack(false)).removed, 0)
  assert.equal(await packsWith(words), 1, 'a standby may not know the new pack yet')
  assert.equal((await pack(false)).removed, 1)
  assert.equal(await packsWith(words), 0)
  assert.deepEqual(await buyer.downloads(`/jobs/${job['id']}/files/${kept}.json`), before)
  assert.equal((await pool.query('select from spoilt_pack')).rowCount, 0)
})

test('a pack whose texts are all gone is removed, by erasure and by age alike', async () => {
  const buyer = await customer()
  const { job, row } = await ordered(buyer)
  const words = await bodyOf(job, row['index'])
  await pack()
  await pool.query(`update job set finished_at = finished_at - interval '3 days' where id = $1`, [
    job['id'],
  ])
  await sweepTexts(db, 2)
  await pack()
  assert.equal(await packsWith(words), 0)

  const leaver = await customer()
  const order = await ordered(leaver)
  const other = await bodyOf(order.job, order.row['index'])
  await pack()
  assert.equal(await packsWith(other), 1)
  await deleteAccount(db, {
    accountId: leaver.accountId,
    actor: 'tester',
    reason: 'a test',
    leftMoney: 'given-up',
  })
  await pool.query(
    `update account set deleted_at = deleted_at - interval '1 day' where deleted_at is not null`,
  )
  await eraseDeletedAccounts(db)
  await pack()
  assert.equal(await packsWith(other), 0)
})

test('an object to which no row leads is removed once it is old, and nothing outside the folder', async () => {
  await pack()
  const folder = (await pool.query('select folder from text_store')).rows[0].folder as string
  const at = (name: string): string => `/texts/some/prefix/${name}`
  const [young, old] = ['0', '1'].map((n) =>
    at(`${folder}/${n.repeat(8)}-0000-4000-8000-${n.repeat(12)}`),
  )
  const [other, foreign] = [at('another-folder/pack'), '/texts/notes.txt']
  const content = Buffer.from('words')
  const before = store.objects.size
  store.objects.set(young!, { content, modifiedAt: new Date() })
  for (const key of [old!, other!, foreign!])
    store.objects.set(key, { content, modifiedAt: new Date(0) })
  await pack()
  assert.deepEqual(
    [young, old, other, foreign].map((key) => store.objects.has(key!)),
    [true, false, true, true],
  )
  for (const key of [young!, other!, foreign!]) store.objects.delete(key)
  assert.equal(store.objects.size, before)
})

test('a pack that could not be written or read back takes no text out of the database', async () => {
  const buyer = await customer()
  const { job, texts } = await ordered(buyer)
  const files = await filesOf(buyer, job)
  for (const fault of ['busy', 'wrong'] as const) {
    store.fault = fault
    await assert.rejects(pack())
    store.fault = null
    assert.equal(await unpacked(), texts.length)
    assert.deepEqual(await filesOf(buyer, job), files)
  }
  assert.equal((await pack(false)).texts, 0, 'a few texts wait for more')
  await pool.query(`update text_store set packed_until = 'epoch'`) // the other tests' jobs ended later
  await pool.query(`update job set finished_at = finished_at - interval '25 hours' where id = $1`, [
    job['id'],
  ])
  assert.equal((await pack(false)).texts, texts.length)
  assert.deepEqual(await filesOf(buyer, job), files)
})

test('only one process packs, and none while a backup is written', async () => {
  const { texts } = await ordered(await customer())
  const [meanwhile] = await holdingPacks(pool, async () => [await pack(false)])
  assert.deepEqual(meanwhile, { texts: 0, bytes: 0, removed: 0 })
  assert.equal((await pack()).texts, texts.length)
})

test('a backup holds packed texts, so that a database without a store has them', async (t) => {
  const buyer = await customer()
  const { job } = await ordered(buyer)
  await ordered(await customer())
  const asked = `select b.*, octet_length(b.body) from transcript_body b order by job_id, index`
  await pack()
  await ordered(await customer()) // texts of both kinds are there
  const file = path.join(temporaryFolder(t), 'whole.backup')
  store.fault = 'away'
  await assert.rejects(backup(pool, file, { textStore }), /a backup holds all texts/)
  store.fault = null
  await assert.rejects(backup(pool, file), /TEXT_STORE is not set/)
  assert.equal(fs.existsSync(file), false)
  const { rows } = await backup(pool, file, { textStore })
  const target = await testDatabase(t)
  assert.deepEqual((await restore(target.pool, file)).rows, rows)
  assert.equal(rows['transcript_body'], (await pool.query(asked)).rowCount)
  const restored = await target.pool.query(asked)
  for (const { job_id, index, body, word_times } of restored.rows) {
    assert.ok(body.length > 0)
    const lies = [...store.objects.values()].some(({ content }) => content.includes(body))
    const stays = (await bodyOf({ id: job_id }, index)).equals(body)
    assert.ok(lies || stays)
    assert.ok(word_times === null || word_times.length > 0)
  }
  assert.ok(restored.rows.some(({ job_id }) => job_id === job['id']))
})

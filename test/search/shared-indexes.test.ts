/** Search indexes that hosts share through the object store: one builds, another fetches, and nothing else differs. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, test } from 'node:test'
import { type Logger, pino } from 'pino'
import { INDEX_VERSION, openIndexFolder } from '../../src/features/search/index-folder.ts'
import { openIndexProcesses } from '../../src/features/search/index-processes.ts'
import {
  fetchIndex,
  type IndexContext,
  shareIndexes,
} from '../../src/features/search/shared-indexes.ts'
import { packTexts } from '../../src/features/transcripts/pack-texts.ts'
import type { TextStore } from '../../src/features/transcripts/text-store.ts'
import { ThreadsClosed } from '../../src/kit/threads.ts'
import type { Service } from '../../src/serve.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { objectStoreStandIn } from '../support/object-store.ts'
import { testService } from '../support/service.ts'
import { TEST_DEADLINES } from '../support/settings.ts'

const store = await objectStoreStandIn({ after })
const { service, database, another, customer } = await testService(
  { after },
  { env: { ...store.env, DATA_DIR: temporaryFolder({ after }) } },
)
const { db, pool } = database
const textStore = service.context.textStore as TextStore
const Q = 'the'

afterEach(() => {
  store.fault = null
})

/** Shares what the service has, as its sweep does where there are many texts. */
async function share(of: Service = service, textsMin = 1, changes = {}): Promise<void> {
  await withIndexes(of, changes, async (ctx) => shareIndexes(ctx, textsMin))
}

/** Works with the service's folder, with some other parts. */
async function withIndexes(
  of: Service,
  { epoch, ...parts }: { epoch?: () => number; textStore?: TextStore; log?: Logger },
  work: (ctx: IndexContext) => Promise<unknown>,
): Promise<void> {
  const log = pino({ enabled: false })
  const place = path.join(of.context.config.DATA_DIR, 'library')
  const folder = openIndexFolder(place, 1_000_000_000, epoch)
  const processes = openIndexProcesses({ readers: 1, deadlines: TEST_DEADLINES })
  await work({ pool, textStore, processes, folder, log, ...parts })
  await processes.close()
}

async function finds(who: Customer): Promise<Json> {
  for (;;) {
    const found = await who.gets(`/search?q=${Q}&limit=50`)
    if (found['indexed'] === found['owned']) return found
  }
}

/** Returns the customer at a host that has no index yet. */
async function atNewHost(who: Customer): Promise<Customer & { host: Service }> {
  const host = await another({ ROLES: 'api', DATA_DIR: temporaryFolder({ after }) })
  const there = new Customer({ ...who, address: host.address ?? '' })
  return Object.assign(there, { host })
}

/** Returns the requests for parts of indexes while `work` runs. */
async function fetchedBy(work: () => Promise<unknown>): Promise<string[]> {
  store.asked.length = 0
  await work()
  return store.asked.filter((asked) => /^GET \S+-\d+ /.test(asked))
}

const copies = async (): Promise<number> =>
  (await pool.query('select from index_copy')).rowCount ?? 0
const pack = () => packTexts({ db, pool, textStore, minSeconds: 0, isAll: true })
const parts = (): string[] => [...store.objects.keys()].filter((key) => /-\d+$/.test(key))

const who = await customer()
await who.orders({ urls: ['@smallworkshop'], maxVideos: 8 })

test('what one host has built, another fetches; it adds what came since, and finds the same', async () => {
  const found = await finds(who)
  await share()
  assert.equal(await copies(), 1)
  const there = await atNewHost(who)
  const fetched = await fetchedBy(async () => assert.deepEqual(await finds(there), found))
  assert.equal(fetched.length, 1)

  await who.orders({ urls: ['@dailynotes'], maxVideos: 8 })
  const later = await atNewHost(who)
  const all = await finds(who)
  assert.ok(all['total'] > found['total'])
  assert.deepEqual(await finds(later), all)
  assert.deepEqual(await finds(there), all)
})

test('an index is copied again where it has grown by a half, and the copy before goes', async () => {
  await share()
  assert.equal(parts().length, 2)
  const written = store.asked.length
  await share()
  assert.deepEqual(store.asked.slice(written), [])
  for (const object of store.objects.values()) object.modifiedAt = new Date(0)
  await pack()
  assert.equal(parts().length, 1)
  const there = await atNewHost(who)
  assert.equal((await fetchedBy(async () => finds(there))).length, 1)
})

for (const fault of ['away', 'cut', 'wrong', 'missing', 'forbidden'] as const)
  test(`where the store is ${fault}, an index is built`, async () => {
    const found = await finds(who)
    const there = await atNewHost(who)
    store.fault = fault
    store.faultyRequests = 3
    assert.deepEqual(await finds(there), found)
    assert.deepEqual(leftIn(there.host), [])
  })

const leftIn = (host: Service): string[] =>
  fs
    .readdirSync(path.join(host.context.config.DATA_DIR, 'library'))
    .filter((name) => name.endsWith('.unfinished'))

test('a copy that is no index is forgotten, and the index is built', async () => {
  const found = await finds(who)
  const [key = ''] = parts()
  const object = store.objects.get(key)!
  object.content = Buffer.from('no index at all')
  const { crc32 } = await import('node:zlib')
  const sums = [[crc32(object.content)], object.content.length]
  await pool.query('update index_copy set parts = $1, bytes = $2', sums)
  assert.deepEqual(await finds(await atNewHost(who)), found)
  assert.equal(await copies(), 0)
})

test('a copy of another format is left alone', async () => {
  await share()
  await pool.query(`update index_copy set format = '1.0'`)
  const there = await atNewHost(who)
  assert.deepEqual(await fetchedBy(async () => finds(there)), [])
})

test('an account of few texts shares none', async () => {
  await pool.query('delete from index_copy')
  await share(service, 1_000)
  assert.equal(await copies(), 0)
})

test('with words of deleted texts a copy is never fetched, and it goes with its objects', async () => {
  await share()
  assert.equal(await copies(), 1)
  const [video] = (await finds(who))['hits']
  const { status } = await who.asks(
    'DELETE',
    `/jobs/${video['jobId']}/videos/${video['index']}/text`,
  )
  assert.equal(status, 204)
  const there = await atNewHost(who)
  assert.deepEqual(await fetchedBy(async () => finds(there)), [])
  for (const object of store.objects.values()) object.modifiedAt = new Date(0)
  await pack()
  assert.deepEqual([await copies(), parts()], [0, []])
})

test('an index that is copied or fetched during a failover is of the epoch before', async () => {
  await finds(who)
  await pool.query('delete from index_copy')
  let epoch = 0
  const raising = <Args extends unknown[], T>(work: (...args: Args) => T) => {
    return (...args: Args): T => {
      epoch = 1
      return work(...args)
    }
  }
  const { put, read } = textStore
  await share(service, 1, { epoch: () => epoch, textStore: { ...textStore, put: raising(put) } })
  const { rows } = await pool.query('select format from index_copy')
  assert.deepEqual(rows, [{ format: `${INDEX_VERSION}.0` }])

  epoch = 0
  const host = (await atNewHost(who)).host
  const library = path.join(host.context.config.DATA_DIR, 'library')
  fs.mkdirSync(library)
  const parts = { epoch: () => epoch, textStore: { ...textStore, read: raising(read) } }
  await withIndexes(host, parts, async (ctx) => fetchIndex(ctx, who.accountId))
  assert.deepEqual(fs.readdirSync(library), [`${who.accountId}.db`])
})

test('an index that cannot be copied keeps no other from being copied', async () => {
  await finds(who)
  const other = await customer()
  await other.orders({ urls: ['@smallworkshop'], maxVideos: 2 })
  await finds(other)
  const [first = '', second = ''] = [who.accountId, other.accountId].sort()
  await pool.query('delete from index_copy')
  const library = path.join(service.context.config.DATA_DIR, 'library')
  for (const ending of ['', '-wal', '-shm'])
    fs.rmSync(path.join(library, `${first}.db${ending}`), { force: true })
  fs.writeFileSync(path.join(library, `${first}.db`), 'no index at all')
  await share()
  const { rows } = await pool.query('select account_id from index_copy')
  assert.deepEqual(rows, [{ account_id: second }])
})

test('a host that ends copies no more of a large index', async () => {
  await finds(who)
  await pool.query('delete from index_copy')
  const file = path.join(service.context.config.DATA_DIR, 'library', `${who.accountId}.db`)
  const index = new DatabaseSync(file)
  index.exec('create table room as select zeroblob(20000000)')
  index.close()
  let puts = 0
  await withIndexes(service, {}, async (ctx) => {
    const put = async (): Promise<void> => {
      puts += 1
      await ctx.processes.close()
    }
    await assert.rejects(
      shareIndexes({ ...ctx, textStore: { ...textStore, put } }, 1),
      ThreadsClosed,
    )
  })
  assert.equal(puts, 1)
  assert.deepEqual(leftIn(service), [])
})

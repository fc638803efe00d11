/** Search over HTTP: a customer finds their own delivered texts, and nobody else's. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { deleteAccount } from '../../src/features/accounts/delete-account.ts'
import { openIndexFolder } from '../../src/features/search/index-folder.ts'
import { openIndexProcesses } from '../../src/features/search/index-processes.ts'
import { sweepIndexes } from '../../src/features/search/sweep-indexes.ts'
import { testService } from '../support/service.ts'
import { publishDay } from '../../src/model/platform/publish-day.ts'
import { TEST_DEADLINES } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { SEARCHES_WAITING } from '../../src/features/search/search.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'search-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))
const { customer, database, service } = await testService({ after }, { env: { DATA_DIR: folder } })
const indexOf = (who: Customer): string => path.join(folder, 'library', `${who.accountId}.db`)

/** Asks until everything is indexed: a slow machine answers with a part at first. */
async function finds(who: Customer, asked: Record<string, string>): Promise<Json> {
  for (;;) {
    const found = await who.gets(`/search?${new URLSearchParams(asked)}`)
    assert.ok(found['indexed'] <= found['owned'])
    if (found['indexed'] === found['owned']) return found
  }
}

async function statusOf(who: Customer, asked: Record<string, string>): Promise<Json> {
  const { status, body, headers } = await who.asks('GET', `/search?${new URLSearchParams(asked)}`)
  return { status, message: body['error']?.message, field: headers.get('x-invalid-field') }
}

const marked = ({ snippet }: Json): string =>
  snippet.map(({ text, isMatch }: Json) => (isMatch ? `[${text}]` : text)).join('')
const indexes = ({ hits }: Json): number[] =>
  hits.map(({ index }: Json) => index).sort((a: number, b: number) => a - b)

const who = await customer()
const { job, rows } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 12 })
const texts = rows.filter(({ status }) => status === 'success')

test('a phrase is found where it is said, and marked there', async () => {
  const found = await finds(who, { q: '"small team keeps"' })
  const said = texts.filter(({ text }) => /small team\s+keeps/i.test(text))
  assert.ok(said.length > 0 && said.length < texts.length)
  assert.equal(found['total'], said.length)
  assert.deepEqual(
    indexes(found),
    said.map(({ index }) => index).sort((a, b) => a - b),
  )
  for (const hit of found['hits']) {
    const row = texts.find(({ index }) => index === hit.index)!
    assert.match(marked(hit), /\[small team\s+keeps\]/i)
    assert.ok(row['segments'].some(({ startMs }: Json) => startMs === hit.startMs))
    assert.match(hit.channelId, /^UC[\w-]{22}$/)
    assert.equal(hit.url, `${row['url']}&t=${Math.floor(hit.startMs / 1000)}s`)
    const { jobId, videoId, title, channelName, publishedAt, languageCode } = hit
    assert.deepEqual(
      { jobId, videoId, title, channelName, publishedAt, languageCode },
      {
        jobId: job['id'],
        videoId: row['videoId'],
        title: row['title'],
        channelName: row['channelName'],
        publishedAt: row['publishedAt'],
        languageCode: row['languageCode'],
      },
    )
  }
})

test('words, beginnings and exclusions choose transcripts; channels and months count all of them', async () => {
  const has = (pattern: RegExp) => texts.filter(({ text }) => pattern.test(text)).length
  const both = texts.filter(({ text }) => /\briver\b/i.test(text) && /\bbridge\b/i.test(text))
  const found = await finds(who, { q: 'RIVER bridge', limit: '2' })
  assert.equal(found['total'], both.length)
  assert.equal(found['hits'].length, Math.min(2, both.length))
  const sum = (list: Json[]): number => list.reduce((all, { count }) => all + count, 0)
  assert.equal(sum(found['channels']), both.length)
  assert.equal(sum(found['months']), both.length)
  assert.equal(found['channels'][0].channelName, texts[0]!['channelName'])
  assert.equal(found['channels'][0].channelId, found['hits'][0].channelId)
  for (const { month } of found['months']) assert.match(month, /^20\d\d-\d\d$/)

  assert.equal((await finds(who, { q: 'machi*' }))['total'], has(/\bmachi/i))
  const without = texts.filter(({ text }) => /\bthe\b/i.test(text) && !/\briver\b/i.test(text))
  assert.equal((await finds(who, { q: 'the -river' }))['total'], without.length)
})

test('filters, order and pages', async () => {
  const all = await finds(who, { q: 'the', sort: 'newest', limit: '50' })
  assert.equal(all['total'], texts.length)
  const dates = all['hits'].map(({ publishedAt }: Json) => Date.parse(publishedAt))
  assert.deepEqual(
    dates,
    dates.toSorted((a: number, b: number) => b - a),
  )
  const paged = []
  for (let offset: number | null = 0; offset !== null;) {
    const page: Json = await finds(who, {
      q: 'the',
      sort: 'newest',
      limit: '5',
      offset: `${offset}`,
    })
    paged.push(...page['hits'])
    offset = page['nextOffset']
  }
  assert.deepEqual(paged, all['hits'])

  const middle = all['hits'][5].publishedAt
  const day = publishDay(middle) ?? ''
  const since = await finds(who, { q: 'the', after: day })
  const isSince = ({ publishedAt }: Json): boolean => (publishDay(publishedAt) ?? '') >= day
  assert.equal(since['total'], all['hits'].filter(isSince).length)
  const until = await finds(who, { q: 'the', before: new Date(middle).toISOString() })
  assert.equal(until['total'] + since['total'] >= all['total'], true)
  assert.equal((await finds(who, { q: 'the', language: 'en' }))['total'], texts.length)
  assert.equal((await finds(who, { q: 'the', language: 'de' }))['total'], 0)
  const channel = texts[0]!['channelName']
  assert.equal((await finds(who, { q: 'the', channel }))['total'], texts.length)
  assert.equal((await finds(who, { q: 'the', channel: 'Other' }))['total'], 0)
})

test('what cannot be asked is refused by the name of its field', async () => {
  for (const [asked, field] of [
    [{}, 'q'],
    [{ q: '' }, 'q'],
    [{ q: '-river' }, 'q'],
    [{ q: 'a*' }, 'q'],
    [{ q: 'x'.repeat(201) }, 'q'],
    [{ q: 'the', sort: 'oldest' }, 'sort'],
    [{ q: 'the', limit: '51' }, 'limit'],
    [{ q: 'the', offset: '10001' }, 'offset'],
    [{ q: 'the', after: 'soon' }, 'after'],
    [{ q: 'the', before: '2026-02-30' }, 'before'],
    [{ q: 'the', after: '2026-02-02', before: '2026-02-01' }, 'after'],
    [{ q: 'the', language: 'english!' }, 'language'],
  ] as [Record<string, string>, string][]) {
    const refused = await statusOf(who, asked)
    assert.deepEqual([refused['status'], refused['field']], [400, field], JSON.stringify(asked))
    assert.doesNotMatch(refused['message'], /published(After|Before)/)
  }
})

test('nobody finds what another account was delivered', async () => {
  const found = await finds(await customer(), { q: 'the' })
  assert.deepEqual([found['owned'], found['total'], found['hits']], [0, 0, []])
})

test('what a job delivers later is found by the next search', async () => {
  const before = await finds(who, { q: 'the' })
  const more = await who.orders({ urls: ['@smallworkshop'], maxVideos: 5 })
  const added = more.rows.filter(({ status }) => status === 'success')
  assert.ok(added.length > 0)
  const now = await finds(who, { q: 'the' })
  assert.equal(now['owned'], before['owned'] + added.length)
  assert.equal(now['total'], before['total'] + added.length)
})

test('a text that the store has no more is in no answer, and the index is made without it', async () => {
  const other = await customer()
  const ordered = await other.orders({ urls: ['@smallworkshop'], maxVideos: 3 })
  const { total, hits } = await finds(other, { q: 'the' })
  assert.ok(total > 1)
  const key = [ordered.job['id'], hits[0].index]
  for (const table of ['transcript_body', 'transcript'])
    await database.pool.query(`delete from ${table} where job_id = $1 and index = $2`, key)
  const found = await finds(other, { q: 'the' })
  assert.equal(found['total'], total - 1)
  assert.ok(!indexes(found).includes(hits[0].index))
})

test('a damaged, foreign or deleted index is made again, and no search tells of it', async () => {
  const expected = await finds(who, { q: 'river' })
  const restarted = async (break_: () => void): Promise<Json> => {
    break_()
    return finds(who, { q: 'river' })
  }
  const remove = (): void => {
    for (const ending of ['', '-wal', '-shm']) fs.rmSync(indexOf(who) + ending, { force: true })
  }
  assert.deepEqual(await restarted(remove), expected)
  const overwrite = (): void => {
    remove()
    fs.writeFileSync(indexOf(who), Buffer.alloc(20_000, 'not a database '))
  }
  assert.deepEqual(await restarted(overwrite), expected)
  assert.equal(service.context.stopping.signal.aborted, false)
})

test('the index of a deleted account is removed, and no other', async () => {
  const gone = await customer()
  await gone.orders({ urls: ['@smallworkshop'], maxVideos: 1 })
  for (const one of [gone, who]) await finds(one, { q: 'river' })
  const library = openIndexFolder(path.join(folder, 'library'), 1_000_000_000)
  const processes = openIndexProcesses({ readers: 1, deadlines: TEST_DEADLINES })
  after(() => processes.close())
  const input = { ...service.context, processes, folder: library }
  await sweepIndexes(input)
  assert.ok(fs.existsSync(indexOf(gone)))
  await deleteAccount(database.db, {
    accountId: gone.accountId,
    actor: 'tester',
    reason: 'a test',
    leftMoney: 'given-up',
  })
  await sweepIndexes(input)
  assert.deepEqual(
    [gone, who].map((one) => fs.existsSync(indexOf(one))),
    [false, true],
  )
})

test('an account that owns nothing finds nothing, and leaves no index', async () => {
  const nobody = await customer()
  const found = await finds(nobody, { q: 'river' })
  const { indexed, owned, total, hits, channels, months } = found
  assert.deepEqual([indexed, owned, total, hits, channels, months], [0, 0, 0, [], [], []])
  assert.ok(!fs.existsSync(indexOf(nobody)))
})

test('an account that asks too much at once is told to wait, and others are not', async () => {
  const other = await customer()
  const path_ = `/search?${new URLSearchParams({ q: 'the' })}`
  const lock = await database.connect()
  await lock.query('begin; lock table job in access exclusive mode') // every search reads this table first
  const refused: Json[] = []
  const asks = Array.from({ length: 30 }, async () => {
    const answer = await who.asks('GET', path_)
    if (answer.status === 429) refused.push(answer)
    return answer.status
  })
  const asksToo = other.asks('GET', path_)
  const mayWait = 1 + SEARCHES_WAITING
  await until('the others are refused', () => refused.length === 30 - mayWait)
  await lock.query('rollback')
  assert.equal((await asksToo).status, 200)
  for (const { headers } of refused) assert.match(String(headers.get('retry-after')), /^[1-9]/)
  const answered = (await Promise.all(asks)).filter((status) => status === 200)
  assert.equal(answered.length, mayWait)
})

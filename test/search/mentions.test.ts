/** Mentions over HTTP: every place where something is said is listed and counted, on pages and as one CSV. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mentions-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))
const { customer, database } = await testService({ after }, { env: { DATA_DIR: folder } })

async function finds(who: Customer, asked: Record<string, string>): Promise<Json> {
  for (;;) {
    const found = await who.gets(`/search/mentions?${new URLSearchParams(asked)}`)
    if (found['indexed'] === found['owned']) return found
  }
}

const who = await customer()
const { rows } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 12 })
const texts = rows.filter(({ status }) => status === 'success')
const times = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length
const sum = (list: Json[], of: string): number => list.reduce((all, one) => all + one[of], 0)

test('every mention is on a page, with its second, and all are counted by video, channel and month', async () => {
  const said = texts.reduce((all, { text }) => all + times(text, /\b(?:engine|river)\b/gi), 0)
  const first = await finds(who, { q: 'Engine OR river', limit: '7' })
  assert.ok(said > 20)
  assert.equal(first['total'], said)
  assert.equal(first['transcripts'], first['videos'].length)
  for (const counts of ['videos', 'channels', 'months'])
    assert.equal(sum(first[counts], 'mentions'), said, counts)
  assert.equal(sum(first['months'], 'transcripts'), first['transcripts'])
  const mentions: Json[] = []
  for (let offset: number | null = 0; offset !== null;) {
    const page = await finds(who, { q: 'Engine OR river', limit: '7', offset: `${offset}` })
    mentions.push(...page['mentions'])
    offset = page['nextOffset']
  }
  assert.equal(mentions.length, said)
  for (const { videoId, mentions: count } of first['videos']) {
    const of = mentions.filter((mention) => mention['videoId'] === videoId)
    const row = texts.find((text) => text['videoId'] === videoId)!
    assert.equal(of.length, count)
    assert.equal(of.length, times(row['text'], /\b(?:engine|river)\b/gi))
    assert.deepEqual(
      of.map(({ startMs }) => startMs),
      row['segments'].flatMap(({ startMs, text }: Json) =>
        Array.from(text.matchAll(/\b(?:engine|river)\b/gi), () => startMs),
      ),
    )
    for (const { url, startMs, text, snippet } of of) {
      assert.equal(url, `${row['url']}&t=${Math.floor(startMs / 1000)}s`)
      assert.match(text, /engine|river/i)
      assert.equal(snippet.map((piece: Json) => piece.text).join(''), text)
    }
  }
  const [video] = first['videos']
  const ofOne = await finds(who, { q: 'Engine OR river', video: video.videoId })
  assert.equal(ofOne['total'], video.mentions)
  const search = await who.gets(`/search?${new URLSearchParams({ q: 'engine OR river' })}`)
  for (const hit of search['hits'])
    assert.equal(
      hit.mentions,
      first['videos'].find(({ videoId }: Json) => videoId === hit.videoId).mentions,
    )
})

test('a channel is chosen by its id', async () => {
  const { channels } = await finds(who, { q: 'the' })
  const { total } = await finds(who, { q: 'the', channel: channels[0].channelId })
  assert.equal(total, channels[0].mentions)
  assert.equal((await finds(who, { q: 'the', channel: `UC${'x'.repeat(22)}` }))['total'], 0)
})

test('the CSV has a line for each mention, readable by spreadsheets and run by none', async () => {
  const { total, mentions } = await finds(who, { q: 'the', limit: '200' })
  const answer = await who.asks('GET', '/search/mentions.csv?q=the')
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(answer.headers.get('content-disposition') ?? '', /mentions of the\.csv/)
  const { bytes } = answer
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
  const lines = parse(bytes, { bom: true, columns: true }) as Record<string, string>[]
  assert.equal(lines.length, total)
  assert.deepEqual(
    lines.slice(0, 200).map(({ url, quote }) => [url, quote]),
    mentions.map(({ url, text }: Json) => [url, text.replace(/^(?=[=+\-@])/, "'")]),
  )
})

test('a list that cannot be finished is cut, and never ends like a whole one', async () => {
  const other = await customer()
  await other.orders({ urls: ['@smallworkshop'], maxVideos: 40 })
  const { transcripts } = await finds(other, { q: 'the' })
  assert.ok(transcripts > 20, 'more than one piece is sent')
  const lock = await database.connect()
  await lock.query('begin; lock table transcript_body in access exclusive mode')
  const answer = await other.opens('/search/mentions.csv?q=the')
  await until('its first piece is being read', async () => {
    const { rows: waiting } = await database.pool.query('select 1 from pg_locks where not granted')
    return waiting.length > 0
  })
  const index = path.join(folder, 'library', `${other.accountId}.db`)
  for (const ending of ['', '-wal', '-shm']) fs.rmSync(index + ending, { force: true })
  await lock.query('rollback')
  await assert.rejects(answer.toArray(), /aborted/)
})

test('what cannot be asked is refused before anything is sent', async () => {
  for (const [query, field] of [
    ['q=*', 'q'],
    ['q=-engine', 'q'],
    ['q=engine&video=x', 'video'],
    ['q=engine&before=soon', 'before'],
  ]) {
    for (const place of ['mentions', 'mentions.csv']) {
      const { status, headers } = await who.asks('GET', `/search/${place}?${query}`)
      assert.deepEqual([status, headers.get('x-invalid-field')], [400, field])
    }
  }
})

test('nobody lists what another account was delivered', async () => {
  const nobody = await customer()
  const found = await finds(nobody, { q: 'the' })
  assert.deepEqual([found['total'], found['mentions'], found['videos']], [0, [], []])
  const csv = await nobody.downloads('/search/mentions.csv?q=the')
  assert.equal(csv.toString().trim().split('\r\n').length, 1)
})

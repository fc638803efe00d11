/** The programs of docs/recipes.md, run as they are written there. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { packClients } from '../../tools/scripts/pack-clients.ts'
import { needs } from '../support/needs.ts'
import { testService } from '../support/service.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const CHANNEL = 'https://www.youtube.com/@smallworkshop'
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recipes-'))
after(() => fs.rmSync(folder, { recursive: true }))

assert.ok(await packClients())
const library = path.join(folder, 'node_modules/@scriptorium/client')
fs.mkdirSync(library, { recursive: true })
fs.writeFileSync(path.join(library, 'package.json'), '{"type":"module","exports":"./index.js"}')
const packed = path.join(ROOT, 'clients/dist')
fs.copyFileSync(path.join(packed, 'scriptorium-client.js'), path.join(library, 'index.js'))
fs.copyFileSync(
  path.join(packed, 'scriptorium_client.py'),
  path.join(folder, 'scriptorium_client.py'),
)
const text = fs.readFileSync(path.join(ROOT, 'docs/recipes.md'), 'utf8')
const recipes = [...text.matchAll(/^```(?:js|py)\n(?:\/\/|#) ([\w.]+)[\s\S]*?^```$/gm)]
for (const [fenced, name = ''] of recipes)
  fs.writeFileSync(path.join(folder, name), fenced.split('\n').slice(1, -1).join('\n'))

const { address, customer, platform } = await testService({ after })
const buyer = await customer('10')
const store = await standIn()
const env = {
  ...process.env,
  SCRIPTORIUM_URL: address,
  SCRIPTORIUM_API_KEY: buyer.apiKey,
  EMBEDDINGS_URL: store.address,
  EMBEDDINGS_MODEL: 'any',
  QDRANT_URL: store.address,
}

test('a whole channel is written into a folder, and a repeat writes nothing new', async () => {
  await run('channel.mjs', CHANNEL, 'channel')
  const files = fs.readdirSync(path.join(folder, 'channel'))
  await run('channel.mjs', CHANNEL, 'channel')
  const { job, rows } = await lastJob()
  assert.equal(job.progress.delivered, 0, 'the repeat found nothing more')
  assert.equal(files.length, rows.filter((row) => row.status === 'unchanged').length)
  assert.ok(files.length > 10)
})

test('only what is new since yesterday is asked for', needs('python3'), async () => {
  const yesterdays = [yesterday()]
  await run('new.py', `${CHANNEL}/videos`, 'new')
  yesterdays.push(yesterday()) // yesterday may change at midnight
  const { job } = await lastJob()
  assert.ok(yesterdays.includes(job.input.publishedAfter.slice(0, 10)))
  assert.equal(fs.readdirSync(path.join(folder, 'new')).length, job.progress.delivered)
})

test('transcripts in SQLite can be searched', needs('python3'), async () => {
  await run('into_sqlite.py', 'transcripts.db', `${CHANNEL}/shorts`)
  const texts = await textsOf(await lastJob())
  const word = /\b[a-z]{5,}\b/.exec(texts[0] ?? '')?.[0] ?? ''
  const program = `
import sqlite3, sys
db = sqlite3.connect("transcripts.db")
print(db.execute("select count(*) from video").fetchone()[0])
print(len(db.execute("select url from segment where text match ?", (sys.argv[1],)).fetchall()))`
  fs.writeFileSync(path.join(folder, 'look.py'), program)
  const [videos, hits] = (await run('look.py', word)).trim().split('\n').map(Number)
  assert.equal(videos, texts.length)
  assert.ok((hits ?? 0) > 0, word)
})

test('a vector store gets pieces with their links', async () => {
  await run('vectors.mjs', `${CHANNEL}/streams`)
  const texts = await textsOf(await lastJob())
  assert.ok(texts.length > 0)
  const stored = [...store.points.values()]
  assert.equal(stored.map(({ text: piece }) => piece).join(' ').length, texts.join(' ').length)
  assert.ok(stored.every(({ url }) => /[?&]v=.*&t=\d+s$/.test(url)))
})

test('clips are cut where the words are said, in times of the words that the account owns', async () => {
  const video = platform.world.special('asr').videoId
  await run('clips.mjs', video, 'nothing', 'talk.mp4')
  const { job } = await lastJob()
  const { words } = await buyer.gets(`/jobs/${job.id}/videos/1/words.json`)
  const [first, second] = words.slice(7)
  const phrase = `${first.text}${second.text}`.trim().toUpperCase()
  const said = await run('clips.mjs', video, phrase, 'talk.mp4')
  const times = `-ss ${first.startMs / 1000} -to ${second.endMs / 1000}`
  assert.ok(said.includes(`ffmpeg ${times} -i talk.mp4 clip-${first.startMs}.mp4\n`), said)
  assert.deepEqual(
    (await lastJob()).rows.map(({ status }) => status),
    ['unchanged'],
  )
  const none = run('clips.mjs', platform.world.special('manual').videoId, 'nothing', 'talk.mp4')
  await assert.rejects(none, /No times of words are kept of this video/)
})

test('a tool answers an agent with the words, or with what went wrong', async () => {
  Object.assign(process.env, { SCRIPTORIUM_URL: address, SCRIPTORIUM_API_KEY: buyer.apiKey })
  const { tool, run: answer } = await import(pathToFileURL(path.join(folder, 'tool.mjs')).href)
  assert.equal(tool.name, 'read_videos')
  const said = await answer({ urls: [`${CHANNEL}?again`] })
  const { rows } = await lastJob()
  for (const row of rows) assert.ok(said.includes(row.text?.slice(0, 100) ?? row.label))
  assert.match(await answer({ urls: ['https://example.org'] }), /^It did not work: /)
})

/** Returns the texts of a job's videos, wherever they are: what an earlier test bought is not bought again. */
async function textsOf({ job, rows }: Awaited<ReturnType<typeof lastJob>>): Promise<string[]> {
  const texts: string[] = []
  for (const row of rows) {
    if (row.status === 'success') texts.push(row.text)
    if (row.status !== 'unchanged') continue
    const { text } = await buyer.gets(`/jobs/${job.id}/videos/${row.index}`)
    const own = await buyer.readsRows({ id: text.jobId })
    texts.push(own.find(({ index }) => index === text.index)?.['text'])
  }
  return texts
}

function yesterday(): string {
  const at = new Date()
  at.setUTCDate(at.getUTCDate() - 1)
  return at.toISOString().slice(0, 10)
}

async function run(name: string, ...args: string[]): Promise<string> {
  const program = name.endsWith('.py') ? 'python3' : process.execPath
  const { stdout } = await promisify(execFile)(program, [name, ...args], { cwd: folder, env })
  return stdout
}

async function lastJob() {
  const { jobs } = await buyer.gets('/jobs?limit=1')
  return { job: jobs[0], rows: await buyer.readsRows(jobs[0]) }
}

/** Embeddings of one number, and a store that keeps the points it is given. */
async function standIn() {
  const points = new Map<string, { text: string; url: string }>()
  const server = http.createServer(async (request, response) => {
    const body = (await json(request)) as any
    for (const { id, payload } of body.points ?? []) points.set(id, payload)
    const data = (body.input ?? []).map((_: string, at: number) => ({ embedding: [at] }))
    response.end(JSON.stringify({ data }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, points }
}

/**
 * HEAD of every route that answers with a file, in each of its formats: it has all headers of GET, and neither it nor
 * what tells of the size or the tag alone makes a text.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request } from 'undici'
import type { Json } from '../../tools/conformance/http.ts'
import { FORMATS } from '../../src/model/files/catalogue.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import { textsOf } from '../support/pattern-texts.ts'
import { startFileService } from './file-service.ts'

const SAID: Segment[] = Array.from({ length: 3 }, (_, at) => ({
  startMs: at * 1_000,
  endMs: at * 1_000 + 900,
  text: 'said & done',
  words: [4, 2, 5].map((chars, nth) => ({ chars, offsetMs: nth * 300, confidence: null })),
}))

const service = await startFileService({ after })
const { pool } = service.ctx
const customer = await service.customer()
const videos = ['one', 'two'].map((title) => ({ title, segments: SAID }))
const job = await customer.recordsJob(videos, { formats: [...FORMATS], isFinal: true })
const headers = { authorization: `Bearer ${customer.key}` }
const posts = async (path: string, body: Json): Promise<Json> => {
  const sent = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
  } as const
  const answer = await request(`${service.url}/api/v1${path}`, {
    ...sent,
    body: JSON.stringify(body),
  })
  assert.ok(answer.statusCode < 300)
  return (await answer.body.json()) as Json
}
const { id: batch } = await posts('/batches', { urls: ['dQw4w9WgXcQ'] })
await pool.query(`update batch set state = 'finished', due_at = null where id = $1`, [batch])
const started = `started_by = 'batch', start_slot = 0, starter_id = $1`
await pool.query(`update job set ${started} where id = $2`, [batch, job.id])
const { id: collection } = await posts('/projects', { name: 'both' })
await posts(`/projects/${collection}/videos`, { job: job.id })
const described = await request(`${service.url}/api/v1/openapi.json`)
const document = (await described.body.json()) as Json

function valuesOf({ name, schema, example }: Json, path: string): string[] {
  const owner = path.startsWith('/library/') ? collection : null
  if (name === 'id') return [owner ?? (path.startsWith('/batches/') ? batch : job.id)]
  if (name === 'index') return ['1']
  return name === 'file' ? textsOf(schema.pattern) : [example ?? schema.examples[0]]
}

/** Returns the addresses of a route; ZIPs also with every export in them. */
function addressesOf(path: string, { parameters = [] }: Json): string[] {
  const needed = parameters.filter((one: Json) => one.required === true)
  const queried = needed.filter((one: Json) => one.in === 'query')
  const query = queried.map((one: Json) => `${one.name}=${valuesOf(one, path)[0]}`).join('&')
  const chosen = path.startsWith('/library/selection/') ? `jobs=${job.id}` : query
  let addresses = [chosen === '' ? path : `${path}?${chosen}`]
  for (const one of needed.filter(({ in: place }: Json) => place === 'path'))
    addresses = addresses.flatMap((address) =>
      valuesOf(one, path).map((value) => address.replace(`{${one.name}}`, value)),
    )
  const hasExports = parameters.some(({ name }: Json) => name === 'exports')
  const zips = hasExports ? addresses.filter((address) => /\/zip(?:\?|$)/.test(address)) : []
  const hasTexts = parameters.some(({ name }: Json) => name === 'texts')
  const asked = (to: string[], more: string): string[] =>
    to.map((address) => `${address}${address.includes('?') ? '&' : '?'}${more}`)
  const all = hasTexts ? asked(addresses, 'texts=all') : []
  return [...addresses, ...asked(zips, 'exports=md,jsonl,words,wordsvtt'), ...all]
}

const files = Object.entries<Json>(document['paths']).flatMap(([path, { get }]) => {
  const types = Object.keys(get?.responses['200']?.content ?? {})
  const isFile = types.some((type) => type !== 'application/json' && type !== 'text/event-stream')
  return isFile || get?.responses['206'] !== undefined ? addressesOf(path, get) : []
})

type Answer = { status: number; headers: Record<string, unknown>; bytes: number }

/** Returns the answer with those headers that are of the file. */
async function asks(
  method: 'GET' | 'HEAD',
  address: string,
  sent: Record<string, string> = {},
): Promise<Answer> {
  const answer = await request(`${service.url}/api/v1${address}`, {
    method,
    headers: { ...headers, ...sent },
  })
  const bytes = (await answer.body.arrayBuffer()).byteLength
  const ofFile = Object.entries(answer.headers).filter(
    ([name]) =>
      !/^(x-)?ratelimit|^(date|x-request-id|connection|keep-alive|transfer-encoding)$/.test(name),
  )
  return { status: answer.statusCode, headers: Object.fromEntries(ofFile), bytes }
}

const ENCODINGS = ['identity', 'gzip'] as const
const whole = new Map<string, Answer>()

/** Tries something with every file in each encoding; fails with the names of those for which it fails. */
async function ofEvery(
  tries: (address: string, sent: Record<string, string>, name: string) => Promise<void>,
): Promise<void> {
  const faults: string[] = []
  for (const address of files)
    for (const encoding of ENCODINGS) {
      const name = `${address} as ${encoding}`
      await tries(address, { 'accept-encoding': encoding }, name).catch((error: unknown) => {
        faults.push(`${name}: ${String(error)}`)
      })
    }
  assert.deepEqual(faults, [])
}

test('HEAD has all headers of GET, of every file in every format', async () => {
  assert.ok(files.length > 25, files.join('\n'))
  await ofEvery(async (address, sent, name) => {
    const got = await asks('GET', address, sent)
    assert.equal(got.status, 200)
    assert.ok(got.bytes > 0)
    assert.deepEqual(await asks('HEAD', address, sent), { ...got, bytes: 0 })
    whole.set(name, got)
  })
})

test('HEAD, what is not modified and a range beyond the end make no text', async () => {
  // A text that is made of these bytes fails its answer.
  await pool.query(`update transcript_body set body = '\\x01', word_times = '\\x01'`)
  let tagged = 0
  await ofEvery(async (address, sent, name) => {
    const expected = whole.get(name)
    assert.deepEqual(await asks('HEAD', address, sent), { ...expected, bytes: 0 })
    const { etag, 'content-length': length } = expected?.headers ?? {}
    if (typeof etag !== 'string') return
    tagged += 1
    const known = await asks('GET', address, { ...sent, 'if-none-match': etag })
    assert.deepEqual([known.status, known.headers['etag'], known.bytes], [304, etag, 0])
    if (typeof length !== 'string') return
    const beyond = await asks('GET', address, { ...sent, range: `bytes=${length}-` })
    assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${length}`])
  })
  assert.ok(tagged > 0)
  for (const file of ['words.json', 'words.vtt', 'export.md']) {
    const path =
      file === 'export.md' ? `/jobs/${job.id}/${file}` : `/jobs/${job.id}/videos/1/${file}`
    const answer = await asks('GET', path).catch(() => null)
    assert.ok(answer === null || answer.status >= 500, 'a text that is made fails')
  }
})

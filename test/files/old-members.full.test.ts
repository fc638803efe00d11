/**
 * Transcripts that release 1.0.0 stored: every answer is byte for byte the same before and after they are rewritten.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rewriteMembers } from '../../src/features/transcripts/sweep-texts.ts'
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { textsOf } from '../../src/features/transcripts/read-stored.ts'
import { readTranscript } from '../../src/features/transcripts/read-transcripts.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import { type Downloaded, type Recorded, startFileService } from './file-service.ts'
import { LINES, TITLES } from './made-up-job.ts'
import { storeAsMembers } from '../support/old-members.ts'

/** Short videos, one that is rendered in turns, one without captions. */
const VIDEOS: Recorded[] = Array.from({ length: 12 }, (_, at) => ({
  title: TITLES[at % TITLES.length]?.toWellFormed() ?? null,
  segments: at === 4 ? null : segmentsOf(at === 7 ? 3_000 : 3 + at * 7, at),
}))
const ROUTES = [
  'zip',
  'zip?names=title',
  'zip?exports=md',
  'all.txt',
  'report.csv',
  '1.txt',
  '2.srt',
  '3.vtt',
  '4.json',
  '5.txt',
  '8.json',
].map((file) => `files/${file}`)
const PAGES = ['results', 'results?limit=3&offset=2', 'results?view=rows']
const HEADERS: Record<string, string>[] = [{}, { 'accept-encoding': 'gzip' }]
/** Headers that depend on the moment, not on the job. */
const PASSING = /^(date|x-request-id|ratelimit|x-ratelimit|connection|keep-alive|server-timing)/i

const service = await startFileService({ after })
const { pool } = service.ctx
const customer = await service.customer()

function segmentsOf(count: number, seed: number): Segment[] {
  return Array.from({ length: count }, (_, at) => ({
    startMs: at * 2_300 + (seed % 3) * 100,
    endMs: at * 2_300 + 1_900 + ((at * seed) % 700),
    text: `${LINES[(at + seed) % LINES.length]} ${at}`,
  }))
}

type Answer = Pick<Downloaded, 'status' | 'headers'> & { bytes: Buffer }

async function answersOf(jobId: string): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  for (const route of [...PAGES, ...ROUTES]) {
    for (const headers of HEADERS) {
      for (const method of ['HEAD', 'GET'] as const)
        answers.set(
          `${method} ${route} ${JSON.stringify(headers)}`,
          await ask(route, headers, method),
        )
    }
  }
  const whole = answers.get('GET files/zip {}')
  assert.ok(whole !== undefined && whole.status === 200)
  const tail = whole.bytes.length - 2_000
  for (const range of ['bytes=0-99', 'bytes=1000-5000', `bytes=${tail}-`, 'bytes=-1'])
    answers.set(`zip ${range}`, await ask('files/zip', { range }))
  for (const range of ['bytes=10-300', 'bytes=-50'])
    answers.set(`all.txt ${range}`, await ask('files/all.txt', { range }))
  const match = { 'if-none-match': whole.headers['etag'] ?? '' }
  answers.set('unchanged', await ask('files/zip', match))
  return answers

  async function ask(
    route: string,
    headers: Record<string, string>,
    method: 'GET' | 'HEAD' = 'GET',
  ): Promise<Answer> {
    const {
      status,
      headers: all,
      body,
    } = await customer.downloads(`${jobId}/${route}`, headers, method)
    const kept = Object.entries(all).filter(([name]) => !PASSING.test(name))
    return { status, headers: Object.fromEntries(kept), bytes: body }
  }
}

async function countOf(table: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)
  return rows[0]?.n ?? 0
}

/** Returns the number of rows in either table. */
async function stored(): Promise<{ members: number; bodies: number }> {
  return { members: await countOf('transcript_form'), bodies: await countOf('transcript_body') }
}

async function assertSame(jobId: string, before: ReadonlyMap<string, Answer>): Promise<void> {
  const after = await answersOf(jobId)
  assert.deepEqual([...after.keys()], [...before.keys()])
  for (const [name, answer] of before) {
    const now = after.get(name)
    assert.ok(now?.bytes.equals(answer.bytes) === true, `the bytes of ${name}`)
    assert.deepEqual([now?.status, now?.headers], [answer.status, answer.headers], name)
  }
}

test('every route and file has the same bytes, headers and ranges from members, from some of each and from bodies', async () => {
  const { id } = await customer.recordsJob(VIDEOS, { formats: [...FORMATS], isFinal: true })
  const before = await answersOf(id)
  const read = { accountId: customer.accountId, jobId: id, index: 8, from: 0, charsMax: 1_000_000 }
  const source = textsOf(service.ctx, customer.accountId)
  const texts = async () => [
    await readTranscript(source, { ...read, isTimed: true }),
    await readTranscript(source, { ...read, isTimed: false }),
  ]
  const expected = await texts()
  for (const indexes of [[1, 2, 8], null]) {
    await storeAsMembers(pool, id, indexes)
    await assertSame(id, before)
    assert.deepEqual(await texts(), expected)
  }
  assert.deepEqual(await stored(), { members: 5 * 11, bodies: 0 })
  assert.deepEqual(await rewriteMembers(service.ctx), { rewritten: 11, unreadable: [] })
  assert.deepEqual(await stored(), { members: 0, bodies: 11 })
  await assertSame(id, before)
  assert.deepEqual(await texts(), expected)
  assert.equal((await rewriteMembers(service.ctx)).rewritten, 0)
})

test('what was not asked for is not there after a rewriting either, and two processes rewrite each once', async () => {
  const { id } = await customer.recordsJob(VIDEOS, { formats: ['srt'], isFinal: true })
  assert.equal(await storeAsMembers(pool, id), 11)
  const rewritten = await Promise.all([rewriteMembers(service.ctx), rewriteMembers(service.ctx)])
  assert.equal(
    rewritten.reduce((sum, one) => sum + one.rewritten, 0),
    11,
  )
  assert.equal((await customer.downloads(`${id}/files/1.srt`)).status, 200)
  assert.equal((await customer.downloads(`${id}/files/1.vtt`)).status, 404)
})

test('a form that 1.0.0 wrote otherwise is sent as it is written now, and one text that cannot be read keeps no others', async () => {
  const { id } = await customer.recordsJob(VIDEOS, { formats: ['srt'], isFinal: true })
  await storeAsMembers(pool, id)
  const ofRow = 'update transcript_form set %s where job_id = $1 and index = $2 and form = $3'
  await pool.query(ofRow.replace('%s', 'size_bytes = size_bytes + 1'), [id, 1, 'txt'])
  await pool.query(ofRow.replace('%s', `gzip = '\\x1f8b00'`), [id, 2, 'json'])
  const { rewritten, unreadable } = await rewriteMembers(service.ctx)
  assert.equal(rewritten, 10)
  assert.deepEqual(
    unreadable.map(({ jobId, index }) => ({ jobId, index })),
    [{ jobId: id, index: 2 }],
  )
  const { status, headers, body } = await customer.downloads(`${id}/files/1.txt`)
  assert.deepEqual([status, headers['content-length']], [200, String(body.length)])
  assert.equal((await customer.downloads(`${id}/files/3.txt`)).status, 200)
})

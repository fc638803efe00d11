/** The two ways of storing a transcript: every answer is the same, byte for byte, whichever its rows are stored in. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { packRecorded } from '../../src/model/transcripts/recorded-forms.ts'
import { FORMATS } from '../../src/model/transcripts/formats.ts'
import { readTranscript } from '../../src/features/transcripts/read-transcript.ts'
import { storedBody } from '../../src/model/transcripts/transcript-forms.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import { type Downloaded, type Recorded, startFileService } from './file-service.ts'
import { LINES, TITLES } from './made-up-job.ts'

/** Short ones, one that is rendered in turns, one without captions. */
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
/** Of the moment, not of the job. */
const PASSING = /^(date|x-request-id|ratelimit|x-ratelimit|connection|keep-alive|server-timing)/i

const service = await startFileService({ after }, { TRANSCRIPT_STORAGE: 'members' })
const { db, pool } = service.ctx
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

/** As if its job had been recorded with the other setting. */
async function storeAsBodies(jobId: string): Promise<void> {
  for (const [at, { segments }] of VIDEOS.entries()) {
    if (segments === null) continue
    const transcript = { languageCode: 'en', trackKind: 'manual', segments } as const
    const { body, recorded } = await storedBody(transcript, FORMATS)
    await pool.query(
      'insert into transcript_body (job_id, index, body, recorded) values ($1, $2, $3, $4)',
      [jobId, at + 1, body, packRecorded(recorded)],
    )
    await pool.query('delete from transcript_form where job_id = $1 and index = $2', [
      jobId,
      at + 1,
    ])
  }
}

async function countOf(table: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)
  return rows[0]?.n ?? 0
}

test('every route and file has the same bytes, headers and ranges from bodies as from members', async () => {
  const { id } = await customer.recordsJob(VIDEOS, { formats: [...FORMATS], isFinal: true })
  const before = await answersOf(id)
  const read = { accountId: customer.accountId, jobId: id, index: 8 }
  const texts = [
    await readTranscript(db, { ...read, isTimed: true }),
    await readTranscript(db, { ...read, isTimed: false }),
  ]
  await storeAsBodies(id)
  assert.deepEqual([await countOf('transcript_form'), await countOf('transcript_body')], [0, 11])

  const made = await answersOf(id)
  assert.deepEqual([...made.keys()], [...before.keys()])
  for (const [name, answer] of before) {
    const now = made.get(name)
    assert.ok(now?.bytes.equals(answer.bytes) === true, `the bytes of ${name}`)
    assert.deepEqual([now?.status, now?.headers], [answer.status, answer.headers], name)
  }
  assert.deepEqual(
    [
      await readTranscript(db, { ...read, isTimed: true }),
      await readTranscript(db, { ...read, isTimed: false }),
    ],
    texts,
  )
})

test('jobs may hold both, as after a change of the setting', async () => {
  const { id } = await customer.recordsJob(VIDEOS, { formats: ['srt'], isFinal: true })
  const before = await customer.downloads(`${id}/files/zip`)
  await pool.query('delete from transcript_form where job_id = $1 and index <= 6', [id])
  for (const [at, { segments }] of VIDEOS.slice(0, 6).entries()) {
    if (segments === null) continue
    const transcript = { languageCode: 'en', trackKind: 'manual', segments } as const
    const { body, recorded } = await storedBody(transcript, ['srt'])
    await pool.query(
      'insert into transcript_body (job_id, index, body, recorded) values ($1, $2, $3, $4)',
      [id, at + 1, body, packRecorded(recorded)],
    )
  }
  const after = await customer.downloads(`${id}/files/zip`)
  assert.ok(after.body.equals(before.body))
  assert.equal(after.headers['etag'], before.headers['etag'])
  const page = await customer.downloads(`${id}/results?limit=200`)
  const { videos } = JSON.parse(String(page.body)) as { videos: { segments: unknown }[] }
  assert.deepEqual(
    videos.map(({ segments }) => segments),
    VIDEOS.map(({ segments }) => segments),
  )
  assert.equal((await customer.downloads(`${id}/files/1.vtt`)).status, 404, 'it was not asked for')
})

test('a service that stores bodies stores nothing else, and reads what it stored', async () => {
  const bodies = await startFileService({ after }, { TRANSCRIPT_STORAGE: 'body' })
  const other = await bodies.customer()
  const { id } = await other.recordsJob(VIDEOS, { formats: [...FORMATS], isFinal: true })
  const { rows } = await bodies.ctx.pool.query<{ forms: number; bodies: number }>(
    `select (select count(*) from transcript_form)::int as forms, (select count(*) from transcript_body)::int as bodies`,
  )
  assert.deepEqual(rows, [{ forms: 0, bodies: 11 }])
  const mine = await customer.recordsJob(VIDEOS, { formats: [...FORMATS], isFinal: true })
  for (const file of ['2.srt', 'all.txt', '8.vtt']) {
    const theirs = await other.downloads(`${id}/files/${file}`)
    const ours = await customer.downloads(`${mine.id}/files/${file}`)
    assert.ok(theirs.body.equals(ours.body), file)
    assert.equal(theirs.headers['etag'], ours.headers['etag'])
  }
})

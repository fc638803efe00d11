/** What the fields of the specification, section 2, say of each other; closed-shapes.ts has their names and types. */
import assert from 'node:assert/strict'
import { assertShape, JOB, RESULTS, STARTED_JOB } from './closed-shapes.ts'
import type { Json, Reply } from './http.ts'

export const STATUS_OF: Record<string, readonly number[]> = {
  invalid_request: [400, 405, 408, 413, 415, 416, 431],
  invalid_url: [400],
  unauthorized: [401],
  insufficient_balance: [402],
  not_found: [404],
  idempotency_conflict: [409],
  job_in_progress: [409],
  rate_limited: [429],
  internal_error: [500],
  server_busy: [503],
}

export function assertError(reply: Reply): void {
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json/)
  const { error } = reply.body
  assert.ok(
    STATUS_OF[error.code]?.includes(reply.status),
    `${error.code} came with ${reply.status}`,
  )
  if (reply.status === 429 || reply.status === 503)
    assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  if (reply.status === 401) assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer/)
  if (reply.status === 405) assert.match(reply.headers.get('allow') ?? '', /^[A-Z]+(, [A-Z]+)*$/)
}

export function assertJob(job: Json, { isPost = false }: { isPost?: boolean } = {}): void {
  assertShape(isPost ? STARTED_JOB : JOB, job, 'the job')
  const counts: number[] = Object.values(job['progress'].counts)
  assert.equal(
    job['progress'].processed,
    counts.reduce((sum, count) => sum + count, 0),
  )
  assert.equal(job['progress'].delivered, job['progress'].counts.success ?? 0)
  assertBilling(job)
}

function assertBilling(job: Json): void {
  const { billing, state, finishedAt, input, progress } = job
  const isFinal = !['queued', 'running', 'cancelling'].includes(state)
  assert.equal(billing.pricePerTranscript, '0.008')
  assert.equal(microsOf(billing.reserved), input.maxVideos * 8000)
  assert.equal(billing.settled, isFinal, 'settled exactly when final')
  assert.equal(finishedAt !== null, isFinal, 'finishedAt exactly when final')
  assert.equal(billing.charged !== null, isFinal)
  if (!isFinal) return
  assert.equal(billing.chargedTranscripts, progress.delivered)
  assert.equal(microsOf(billing.charged), progress.delivered * 8000)
}

export function assertResults(results: Json): void {
  assertShape(RESULTS, results, 'the results')
  for (const video of results['videos']) assertVideo(video)
}

function assertVideo(video: Json): void {
  const { status, segments, text, trackKind, files } = video
  assert.equal(segments !== null, text !== null)
  if (status !== 'success')
    return assert.deepEqual([text, files], [null, {}], `a row ${status} has no text and no files`)
  assert.notEqual(trackKind, null)
  if (segments === null) return
  let last = -1
  for (const segment of segments) {
    assert.ok(
      segment.endMs > segment.startMs && segment.startMs >= last,
      'segments follow one another',
    )
    last = segment.startMs
  }
  assert.equal(text, segments.map((segment: Json) => segment['text']).join(' '))
}

/** Asserts that there are exactly these fields, each of its type; `?` allows null. */
export function fields(value: unknown, shape: Record<string, string>): void {
  assert.equal(typeof value, 'object')
  assert.deepEqual(Object.keys(value as Json).sort(), Object.keys(shape).sort())
  for (const [name, type] of Object.entries(shape)) {
    const field = (value as Json)[name]
    if (field === null && type.endsWith('?')) continue
    assert.equal(kindOf(field), type.replace('?', ''), `${name} is ${type}`)
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Returns a money string in millionths; it has to be a plain decimal of three to six decimals. */
export function microsOf(usd: string): number {
  assert.match(usd, /^\d+\.\d{3,6}$/)
  const [whole = '', decimals = ''] = usd.split('.')
  return Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'))
}

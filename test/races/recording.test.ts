/**
 * Rows of a job that come at the same moment: recorded together, in order, each once, and no row fails because of
 * another.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSlots } from '../../src/worker/worker-context.ts'
import { WriteRefused } from '../../src/worker/job-run.ts'
import { testWorkerContext } from '../support/worker-context.ts'
import { openRecorder, type Recorder } from '../../src/worker/recorder.ts'
import type { Attempt } from '../../src/model/jobs/attempt.ts'
import { recordRows } from '../../src/features/jobs/record-rows.ts'
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { storeTranscript } from '../../src/model/files/transcript-forms.ts'
import { isUniqueViolation } from '../../src/kit/postgres/database.ts'
import { testDatabase } from '../support/database.ts'
import {
  beginJob,
  openAccount,
  orderJob,
  planVideos,
  recordingOf,
  videoLine,
} from '../support/money-fixtures.ts'

const database = await testDatabase({ after })
const { db } = database
const accountId = await openAccount(db, 8_000_000n)
let line = 0

async function jobOf(videos: number): Promise<Attempt> {
  const order = { accountId, line: videoLine((line += 1)), maxVideos: videos }
  const { job } = await orderJob(db, order)
  const begun = await beginJob(db, { accountId, jobId: job.id })
  assert.ok(begun !== null)
  await planVideos(db, begun.attempt, { before: 0, count: videos })
  return begun.attempt
}

/** Returns a recorder, and the number of statements that it has taken. */
function recorderOf(attempt: Attempt): { recorder: Recorder; statements: () => number } {
  const { signal } = new AbortController()
  const share = { accountId, jobId: attempt.jobId }
  const slots = openSlots({ videos: 4, connections: 4 })
  const job = { accountId, language: 'original', wishedTrack: null, skipsOwned: false }
  let taken = 0
  const counted: typeof slots.recording = {
    ...slots.recording,
    run: (...given) => {
      taken += 1
      return slots.recording.run(...given)
    },
  }
  const ctx = testWorkerContext(db, { slots: { ...slots, recording: counted } })
  const recorder = openRecorder({ ctx, attempt, share, signal, begun: { job } })
  return { recorder, statements: () => taken }
}

async function rowsOf({ jobId }: Attempt): Promise<unknown[]> {
  const { rows } = await database.pool.query<{ index: number; done: number | null }>(
    'select index, done from video_row where job_id = $1 order by done, index',
    [jobId],
  )
  return rows.map(({ index, done }) => [index, done])
}

test('the first row goes at once, and those that came meanwhile go together, in the order they came', async () => {
  const attempt = await jobOf(11)
  const { recorder, statements } = recorderOf(attempt)
  const order = [4, 1, 11, 3, 2, 7, 10, 5, 9, 8, 6]
  await Promise.all(
    order.map((index) => recorder.record(recordingOf({ index, isDelivered: index % 3 > 0 }))),
  )
  assert.equal(statements(), 3, 'one, eight and two')
  assert.deepEqual(
    await rowsOf(attempt),
    order.map((index, at) => [index, at + 1]),
  )
  const { rows } = await database.pool.query<Record<string, unknown>>(
    'select processed, success, no_captions from job where id = $1',
    [attempt.jobId],
  )
  assert.deepEqual(rows, [{ processed: 11, success: 8, no_captions: 3 }])
})

test('a text that was written where it was read is recorded beside others and rows without one', async () => {
  const attempt = await jobOf(3)
  const segments = [{ startMs: 0, endMs: 900, text: 'so many words' }]
  const said = { languageCode: 'en', trackKind: 'asr', segments, source: null } as const
  const known = { languageCode: 'en', trackKind: 'asr', source: null } as const
  const long = { ...known, stored: await storeTranscript(said, FORMATS) }
  const texts = [await storeTranscript(said, FORMATS), await storeTranscript(long, ['text']), null]
  const recordings = texts.map((transcript, at) => ({
    ...recordingOf({ index: at + 1, isDelivered: transcript !== null }),
    transcript,
  }))
  assert.deepEqual(
    [...(await recordRows(db, attempt, recordings, null)).keys()].sort((a, b) => a - b),
    [1, 2, 3],
  )
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select index, get_byte(recorded, 0) as forms from transcript_body where job_id = $1 order by index`,
    [attempt.jobId],
  )
  assert.deepEqual(rows, [
    { index: 1, forms: 5 },
    { index: 2, forms: 3 },
  ])
})

test('a row that the job cannot have fails alone', async () => {
  const attempt = await jobOf(6)
  const { recorder } = recorderOf(attempt)
  const recordings = [1, 2, 3, 4, 5].map((index) => recordingOf({ index, isDelivered: true }))
  const sixth = recordingOf({ index: 6, isDelivered: true })
  const twin = {
    ...sixth,
    content: { ...sixth.content, videoId: recordings[2]?.content.videoId ?? null },
  }
  const [refused, ...others] = await Promise.allSettled(
    [twin, ...recordings]
      .reverse()
      .map((one) => recorder.record(one))
      .reverse(),
  )
  assert.ok(refused?.status === 'rejected' && isUniqueViolation(refused.reason, 'video_row_video'))
  assert.deepEqual(
    others.map(({ status }) => status),
    Array(5).fill('fulfilled'),
  )
  await recorder.record(sixth)
  assert.equal((await rowsOf(attempt)).length, 6)
})

test('a row that the job cannot have, recorded together with others, keeps none of them from theirs', async () => {
  const attempt = await jobOf(6)
  const { recorder, statements } = recorderOf(attempt)
  const [first, ...others] = [3, 1, 2, 4, 5].map((index) =>
    recordingOf({ index, isDelivered: true }),
  )
  const sixth = recordingOf({ index: 6, isDelivered: true })
  assert.ok(first !== undefined)
  // The first row, which has its video, goes by itself, so that nothing among the later ones marks the twin.
  const twin = { ...sixth, content: { ...sixth.content, videoId: first.content.videoId } }
  const together = others.toSpliced(2, 0, twin)
  const settled = await Promise.allSettled([first, ...together].map(recorder.record))
  assert.deepEqual(
    settled.map(
      (one) => one.status === 'fulfilled' || isUniqueViolation(one.reason, 'video_row_video'),
    ),
    Array(6).fill(true),
  )
  assert.deepEqual(
    settled.flatMap(({ status }, at) => (status === 'rejected' ? [at] : [])),
    [3],
  )
  assert.equal(statements(), 1 + 1 + together.length, 'one, all the others, and each of them again')
  assert.deepEqual(await rowsOf(attempt), [
    [3, 1],
    [1, 2],
    [2, 3],
    [4, 4],
    [5, 5],
    [6, null],
  ])
})

test('a video that two rows turn out to be is recorded for one of them', async () => {
  const attempt = await jobOf(5)
  await database.pool.query(
    'update video_row set video_id = null where job_id = $1 and index = 5',
    [attempt.jobId],
  )
  const { recorder } = recorderOf(attempt)
  const recordings = [1, 2, 3, 4].map((index) => recordingOf({ index, isDelivered: true }))
  const history = { kind: 'delivered', jobId: attempt.jobId } as const
  const twin = { ...recordingOf({ index: 3, isDelivered: true }), index: 5 }
  const settled = await Promise.allSettled(
    [...recordings, twin].map((one) => recorder.record({ ...one, history })),
  )
  assert.deepEqual(
    settled.map(({ status }) => status),
    [...Array<string>(4).fill('fulfilled'), 'rejected'],
  )
  const [last] = settled.slice(-1)
  assert.ok(last?.status === 'rejected' && isUniqueViolation(last.reason, 'video_row_video'))
})

test('what was recorded before is refused, and what comes with it is not', async () => {
  const attempt = await jobOf(4)
  const recordings = [1, 2, 3, 4].map((index) => recordingOf({ index, isDelivered: true }))
  const [first, second, third, fourth] = recordings
  assert.ok(first && second && third && fourth)
  await recorderOf(attempt).recorder.record(second)
  const { recorder } = recorderOf(attempt)
  const settled = await Promise.allSettled([first, second, third].map(recorder.record))
  assert.deepEqual(
    settled.map((one) => one.status === 'fulfilled' || one.reason instanceof WriteRefused),
    [true, true, true],
  )
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await rowsOf(attempt), [
    [2, 1],
    [1, 2],
    [3, 3],
    [4, null],
  ])

  const next = { ...attempt, number: attempt.number + 1 }
  await assert.rejects(recorderOf(next).recorder.record(fourth), WriteRefused)
})

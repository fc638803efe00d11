/** The website's view of a job's events: each row once, in which order, and the job with their counts. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const { jobWith, laterJob, matchingRows, NOTHING_YET, takeEvents } = await import(
  path.resolve(import.meta.dirname, '../../web/src/live.ts')
)

const row = (index: number, status = 'success', title: string | null = `Video ${index}`) => ({
  index,
  status,
  title,
})
const video = (id: number, index: number, status?: string) => ({
  event: 'video',
  id: String(id),
  data: JSON.stringify(row(index, status)),
})
const job = {
  id: 'job',
  state: 'running',
  progress: { discovered: 3, processed: 1, delivered: 1, counts: { success: 1, private: 0 } },
}
const told = (event: string, data: object) => ({ event, id: '', data: JSON.stringify(data) })

test('rows come once each, whatever is told again, and stand by their index at the end', () => {
  let { live } = takeEvents(NOTHING_YET, [video(1, 2), video(2, 1, 'private')])
  assert.deepEqual([live.told, live.isAll, live.rows.map(indexOf)], [2, false, [2, 1]])
  ;({ live } = takeEvents(live, [video(2, 1), video(3, 3)]))
  assert.deepEqual([live.told, live.rows.map(indexOf)], [3, [2, 1, 3]])
  ;({ live } = takeEvents(live, [told('end', {})]))
  assert.deepEqual([live.isAll, live.rows.map(indexOf)], [true, [1, 2, 3]])
})

test('the newest job of several is taken, and none where none was told', () => {
  const later = { ...job, state: 'finished' }
  assert.deepEqual(takeEvents(NOTHING_YET, [told('job', job), told('job', later)]).job, later)
  assert.equal(takeEvents(NOTHING_YET, [video(1, 1)]).job, null)
  const before = takeEvents(NOTHING_YET, [video(1, 1)]).live
  assert.equal(takeEvents(before, [told('job', job)]).live.rows, before.rows)
})

test('of two answers about a job that overtook each other the later one is kept', () => {
  const at = (state: string, processed: number) => ({
    ...job,
    state,
    progress: { ...job.progress, processed },
  })
  const steps = [
    at('queued', 0),
    at('running', 0),
    at('running', 2),
    at('cancelling', 2),
    at('cancelled', 2),
    at('cancelled', 3),
  ]
  for (const [index, later] of steps.entries()) {
    assert.equal(laterJob(undefined, later), later)
    for (const earlier of steps.slice(0, index)) {
      assert.equal(laterJob(later, earlier), later)
      assert.equal(laterJob(earlier, later), later)
    }
  }
  const again = at('running', 2)
  assert.equal(laterJob(steps[2], again), again, 'what was told last, where both are as far')
})

test('a job counts the rows that came after it was told', () => {
  assert.equal(jobWith(job, [row(1)]), job)
  assert.deepEqual(jobWith(job, [row(1), row(2, 'private'), row(3), row(4)]).progress, {
    discovered: 4,
    processed: 4,
    delivered: 3,
    counts: { success: 3, private: 1 },
  })
})

test('rows are filtered as the server does: by status, and by a part of the title in any case', () => {
  const rows = [row(1, 'success', 'At the ZOO'), row(2, 'private', null), row(3, 'private', 'zoo')]
  const found = (status: string, search: string): number[] =>
    matchingRows(rows, { status, search }).map(indexOf)
  assert.equal(matchingRows(rows, { status: '', search: '' }), rows)
  assert.deepEqual(found('', 'Zoo'), [1, 3])
  assert.deepEqual(found('private', ''), [2, 3])
  assert.deepEqual(found('private', 'zoo'), [3])
})

function indexOf({ index }: { index: number }): number {
  return index
}

/** Events of a job: which are due, what ids mean, and which of two looks is the later one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { eventIdOf, hasHadAll, isJobDue, isLater, JOB_EVERY_ROWS, lastRowOf } from './job-events.ts'
import { JOB_STATES } from './job.ts'

const running = { state: 'running', processed: 10, discovered: 20 } as const
const finished = { state: 'finished', processed: 20, discovered: 20 } as const

test('an id counts rows; none is the first row, and what is not of this job is nothing', () => {
  const cases: [string | undefined, number | null][] = [
    [undefined, 0],
    ['', 0],
    ['0', 0],
    ['7', 7],
    ['007', 7],
    ['10', 10],
    ['11', null],
    ['-1', null],
    ['1.0', null],
    ['1e1', null],
    [' 1', null],
    ['9'.repeat(400), null],
    ['seven', null],
  ]
  for (const [id, row] of cases) assert.equal(lastRowOf(id, running, 0), row, id)
})

test('an id of an earlier epoch begins again, and one of a later epoch is none', () => {
  const cases: [string, number | null][] = [
    ['7', 0],
    ['2000000003', 0],
    ['3000000000', 0],
    ['3000000007', 7],
    ['3000000011', null],
    ['4000000001', null],
  ]
  for (const [id, row] of cases) assert.equal(lastRowOf(id, running, 3), row, id)
  assert.equal(eventIdOf(7, 3), 3_000_000_007)
  assert.equal(hasHadAll('20', finished, 3), false)
  assert.equal(hasHadAll('0', { ...finished, processed: 0 }, 3), false)
  assert.equal(hasHadAll('3000000020', finished, 3), true)
})

test('nothing is left only where the job is final and its last row was named', () => {
  assert.equal(hasHadAll('20', finished, 0), true)
  assert.equal(hasHadAll('19', finished, 0), false)
  assert.equal(hasHadAll('10', running, 0), false)
  assert.equal(hasHadAll(undefined, { ...finished, processed: 0 }, 0), false)
  assert.equal(hasHadAll('0', { ...finished, processed: 0 }, 0), true)
})

test('a job event is due at first, at a new state, at new videos, and after some rows', () => {
  const after = (rows: number) => ({ ...running, processed: running.processed + rows })
  assert.equal(isJobDue(running, null), true)
  assert.equal(isJobDue(running, running), false)
  assert.equal(isJobDue(after(JOB_EVERY_ROWS - 1), running), false)
  assert.equal(isJobDue(after(JOB_EVERY_ROWS), running), true)
  assert.equal(isJobDue({ ...running, discovered: 21 }, running), true)
  assert.equal(isJobDue({ ...running, state: 'cancelling' }, running), true)
})

test('of two different looks at a job that only grows, exactly the second is later', () => {
  const look = fc.record({
    state: fc.constantFrom(...JOB_STATES),
    processed: fc.nat(50),
    discovered: fc.nat(50),
  })
  fc.assert(
    fc.property(look, fc.nat(3), fc.nat(3), fc.boolean(), (job, rows, videos, ends) => {
      const next = {
        state: ends && job.state === 'running' ? ('finished' as const) : job.state,
        processed: job.processed + rows,
        discovered: job.discovered + videos,
      }
      const isSame = rows === 0 && videos === 0 && next.state === job.state
      assert.equal(isLater(next, job), !isSame)
      assert.equal(isLater(job, next), false)
    }),
  )
})

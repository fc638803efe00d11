/** The arrows of a job, drawn again as the table that the code must print. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FINAL_STATES, isFinal, JOB_EVENTS, JOB_STATES, nextState } from './job.ts'

test('a job moves only along the drawn arrows', () => {
  assert.equal(
    printArrows(),
    `
            start       cancel      stop        finish      fail        interrupt
queued      running     cancelled   .           .           .           .
running     .           cancelling  .           finished    failed      interrupted
cancelling  .           .           cancelled   cancelled   cancelled   cancelled
finished    .           .           .           .           .           .
cancelled   .           .           .           .           .           .
failed      .           .           .           .           .           .
interrupted .           .           .           .           .           .`,
  )
})

test('exactly the four final states are final', () => {
  assert.deepEqual(JOB_STATES.filter(isFinal), [...FINAL_STATES])
})

function printArrows(): string {
  const rows = JOB_STATES.map((from) => [from, ...JOB_EVENTS.map((e) => nextState(from, e) ?? '.')])
  const table = [[], ['', ...JOB_EVENTS], ...rows]
  return table
    .map((row) =>
      row
        .map((cell) => cell.padEnd(12))
        .join('')
        .trimEnd(),
    )
    .join('\n')
}

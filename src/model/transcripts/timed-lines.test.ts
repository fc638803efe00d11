/** Lines with their times, and pages of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timedLines } from './readable-text.ts'

test('a line begins with its time in hours, minutes and seconds', () => {
  const at = (startMs: number) => ({ startMs, endMs: startMs + 1, text: 'words' })
  assert.equal(
    timedLines([at(0), at(59_999), at(3_723_000), at(36_000_000)]),
    '[0:00:00] words\n[0:00:59] words\n[1:02:03] words\n[10:00:00] words\n',
  )
})

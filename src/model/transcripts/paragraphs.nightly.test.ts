/** How long reflowing takes: measured, on a quiet machine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderParagraphs } from './readable-text.ts'

test('a transcript of ten hours is reflowed within a second', () => {
  const segments = Array.from({ length: 18_000 }, (_, at) => ({
    startMs: at * 2_050,
    endMs: at * 2_050 + 2_000,
    text: 'No pause. “And… so on.” it goes',
  }))
  const before = process.cpuUsage()
  renderParagraphs(segments)
  assert.ok(process.cpuUsage(before).user < 1_000_000)
})

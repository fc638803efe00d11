/** A test reporter for logs: names what failed, with its reason, and closes with the slowest files and the counts. */
import path from 'node:path'
import type { TestEvent } from 'node:test/reporters'

const COUNTS = ['tests', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms']
const SLOWEST_SHOWN = 12

export default async function* closingLines(
  source: AsyncIterable<TestEvent>,
): AsyncIterable<string> {
  const secondsByFile = new Map<string, number>()
  for await (const event of source) {
    if (event.type === 'test:summary' && event.data.file !== undefined) {
      secondsByFile.set(path.relative('.', event.data.file), event.data.duration_ms / 1000)
    }
    if (event.type === 'test:diagnostic' && event.data.nesting === 0) {
      const word = event.data.message.split(' ')[0] ?? ''
      if (COUNTS.includes(word)) yield `ℹ ${event.data.message}\n`
    }
  }
  const slowest = [...secondsByFile].sort((a, b) => b[1] - a[1]).slice(0, SLOWEST_SHOWN)
  for (const [file, seconds] of slowest) yield `ℹ ${seconds.toFixed(1)} s ${file}\n`
}

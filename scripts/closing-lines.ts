/**
 * A test reporter for logs: names what failed as soon as it did, and each long file when it is through, so that
 * a run that is cut off has told that much, with the figures that long tests measured; closes with the counts and the slowest files.
 */
import path from 'node:path'
import type { TestEvent } from 'node:test/reporters'

const COUNTS = ['tests', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms']
const SLOWEST_SHOWN = 12

export default async function* closingLines(
  source: AsyncIterable<TestEvent>,
): AsyncIterable<string> {
  const secondsByFile = new Map<string, number>()
  for await (const event of source) {
    if (event.type === 'test:summary' && event.data.file?.endsWith('.test.ts')) {
      const file = path.relative('.', event.data.file)
      const seconds = event.data.duration_ms / 1000
      secondsByFile.set(file, seconds)
      if (file.endsWith('.full.test.ts')) yield `\nℹ ${seconds.toFixed(1)} s ${file}\n`
    }
    if (event.type === 'test:fail') yield `\n✖ ${event.data.name}\n`
    // The quick files share processes, where each is a test named by its path.
    if (event.type === 'test:complete' && event.data.nesting === 0) {
      const { name, details } = event.data
      if (name.endsWith('.test.ts')) secondsByFile.set(name, details.duration_ms / 1000)
    }
    // What a long test measured is printed, since only people can hold it to its aim.
    if (event.type === 'test:diagnostic' && event.data.file?.endsWith('.full.test.ts'))
      yield `\nℹ ${event.data.message}`
    else if (event.type === 'test:diagnostic' && event.data.nesting === 0) {
      const word = event.data.message.split(' ')[0] ?? ''
      if (COUNTS.includes(word)) yield `ℹ ${event.data.message}\n`
    }
  }
  const slowest = [...secondsByFile].sort((a, b) => b[1] - a[1]).slice(0, SLOWEST_SHOWN)
  for (const [file, seconds] of slowest) yield `ℹ ${seconds.toFixed(1)} s ${file}\n`
}

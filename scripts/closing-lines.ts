/** A test reporter for logs: names what failed, with its reason, and closes with the counts. */
import type { TestEvent } from 'node:test/reporters'

const COUNTS = ['tests', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms']

export default async function* closingLines(source: AsyncIterable<TestEvent>): AsyncIterable<string> {
  for await (const event of source) {
    if (event.type === 'test:diagnostic' && event.data.nesting === 0) {
      const word = event.data.message.split(' ')[0] ?? ''
      if (COUNTS.includes(word)) yield `ℹ ${event.data.message}\n`
    }
  }
}

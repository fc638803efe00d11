/** A service that does not answer is asked again, and no more often than it asks for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServerBusyError } from '../../typescript/src/errors.ts'
import { untilAnswered } from './patience.ts'
import type { Terminal } from './terminal.ts'

test('a service that asks for much patience is not asked again at once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const said: string[] = []
  const terminal = { say: (line: string) => void said.push(line) } as unknown as Terminal
  let asked = 0
  const ask = async (): Promise<string> => {
    asked += 1
    if (asked > 2) return 'answered'
    throw new ServerBusyError({ code: 'server_busy', message: '', status: 503, retryAfter: 300 })
  }
  const answer = untilAnswered(ask, terminal, Infinity)
  for (const times of [1, 2, 3]) {
    await new Promise(setImmediate)
    assert.equal(asked, times)
    t.mock.timers.tick(59_000)
    await new Promise(setImmediate)
    assert.equal(asked, times)
    t.mock.timers.tick(1_000)
  }
  assert.equal(await answer, 'answered')
  assert.equal(said.length, 1)
})

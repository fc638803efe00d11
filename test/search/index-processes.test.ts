/** The processes that answer from indexes: none is waited for that never answers. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openIndexProcesses } from '../../src/features/search/index-processes.ts'
import { openPatience } from '../../src/kit/patience.ts'
import { TaskTooSlow } from '../../src/kit/threads.ts'
import { TEST_DEADLINES } from '../support/settings.ts'
import { endlessIndex, indexPath } from './index-files.ts'

test('a search whose index never answers is ended, and the next one answered', async () => {
  const processes = openIndexProcesses({ readers: 1, deadlines: TEST_DEADLINES })
  after(() => processes.close())
  const [endless, good] = [indexPath({ after }), indexPath({ after })]
  endlessIndex(endless)
  const ask = (path: string, patienceMs: number) =>
    processes.ask('standing', { path }, { patience: openPatience(patienceMs) })
  assert.equal((await ask(good, 60_000)).indexed, 0)
  const late = ask(endless, 200)
  const next = ask(good, 60_000)
  await assert.rejects(late, TaskTooSlow)
  assert.equal((await next).indexed, 0)
})

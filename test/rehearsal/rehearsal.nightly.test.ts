/** An upgrade under load; `npm run rehearse-upgrade` is the long form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { findRelease, unpackRelease } from '../support/last-release.ts'
import { rehearse, servesEach } from './rehearsal.ts'

const SERVED = 5

test(
  'the last release is replaced by this one under load: nothing is lost, nothing charged twice, no text changes',
  { timeout: 600_000 },
  async (t) => {
    const release = findRelease()
    if (release === null) return t.skip('this copy has no history: the last release is not here')
    const database = await testDatabase(t)
    await database.pool.query('drop schema public cascade; create schema public')
    const { done, wrong, lost, exits, refusal, figures } = await rehearse({
      database,
      old: unpackRelease(release, temporaryFolder(t)),
      serves: servesEach(SERVED),
      noticeSeconds: 3,
      customers: 3,
      say: (line) => t.diagnostic(line),
    })
    t.diagnostic(JSON.stringify({ ...done, lost, ...figures }))
    assert.deepEqual(wrong, [])
    assert.deepEqual(
      lost.filter(({ wasUnderWay }) => !wasUnderWay),
      [],
      'requests that began after a stop',
    )
    assert.deepEqual([...new Set(exits)], [0], 'every stop came to its end')
    for (const what of ['ordered', 'read', 'downloaded', 'compared'] as const)
      assert.ok(done[what] > 0, what)
    assert.match(refusal, /newer than this program \(it has 0014-texts-are-stored-as-words/)
    assert.ok(figures.attempts > figures.jobs, 'jobs were handed from one process to the other')
    assert.ok(figures.delivered > 0)
  },
)

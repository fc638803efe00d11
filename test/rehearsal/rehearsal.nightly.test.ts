/** Upgrades under load; `npm run rehearse-upgrade` is the long form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findReleases } from '../support/releases.ts'
import { rehearse, VERDICT } from './rehearsal.ts'

const [from] = findReleases('HEAD^')

test('this copy has the history from which releases are taken', (t) => {
  if (from === undefined) t.skip('this copy has no history: no release is rehearsed')
})

if (from !== undefined)
  test(
    `${from.version} is replaced by the present state under load: nothing is lost, nothing charged twice, no text changes`,
    { timeout: 900_000 },
    async (t) => {
      const { done, wrong, lost, exits, verified, figures } = await rehearse(t, {
        from,
        served: 5,
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
      assert.match(verified, VERDICT)
      assert.ok(figures.attempts > figures.jobs, 'jobs were handed from one process to the other')
      assert.ok(figures.delivered > 0)
    },
  )

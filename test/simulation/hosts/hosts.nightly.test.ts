/** Some minutes of lost hosts; `npm run chaos -- --hosts --minutes 20 --seed N` is the long form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SEED } from '../../support/seed.ts'
import { loseHosts } from './hosts.ts'

test(
  'whichever host is lost, nothing that was acknowledged is, or it is noticed',
  { timeout: 1_200_000 },
  async (t) => {
    const failed = await loseHosts({
      minutes: 6,
      seed: SEED,
      only: null,
      way: null,
      isQuiet: true,
      say: (line) => t.diagnostic(line),
    })
    if (failed === null) return t.skip('there can be no hosts here')
    assert.equal(failed, 0, 'scenarios failed; the diagnostics name them')
  },
)

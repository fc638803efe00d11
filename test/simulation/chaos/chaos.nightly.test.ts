/** Half a minute of chaos; `npm run chaos -- --minutes 30 --seed N` is the long form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSeedFixed, SEED } from '../../support/seed.ts'
import { chaos } from './arena.ts'

test(
  'whatever dies, every job ends, every row is accounted for and every charge is what was delivered',
  { timeout: 420_000 },
  async (t) => {
    const seed = Number(process.env['CHAOS_SEED'] ?? SEED)
    t.diagnostic(`seed ${seed}`)
    const { happened, moods, weathers, following, figures } = await chaos({
      seconds: 30,
      seed,
      databaseRestarts: 2,
      weatherMs: 4_000,
      say: (line) => t.diagnostic(line),
    })
    t.diagnostic(JSON.stringify({ ...happened, ...moods, ...weathers, ...following, ...figures }))
    assert.ok(figures.delivered > 0)
    assert.equal(happened.faults, 0, 'a request was answered by 500')
    if (!isSeedFixed) return
    for (const what of [
      'killed',
      'paused',
      'databaseRestarts',
      'workLost',
      'jobs',
      'repeats',
      'cancels',
    ] as const) {
      assert.ok(happened[what] > 0, `the chaos never came to: ${what}`)
    }
    for (const [mood, count] of Object.entries(moods))
      assert.ok(count > 0, `the receiver of webhooks was never: ${mood}`)
    for (const [situation, count] of Object.entries(following))
      assert.ok(count > 0, `following never came to: ${situation}`)
    assert.ok(figures.attempts > figures.jobs, 'no job was ever begun again')
  },
)

/** The simulation of money for minutes instead of seconds. */
import { test } from 'node:test'
import { simulate } from './money-runs.ts'
import { openMoneyStage } from './money-world.ts'
import { SEED } from '../support/seed.ts'

const seed = Number(process.env['SIMULATION_SEED'] ?? SEED)
const STAGES = 3

for (let stage = 0; stage < STAGES; stage += 1) {
  test(`long runs of money end as the simple model says (seed ${seed + stage * 1_000})`, async (t) => {
    const world = await openMoneyStage(t)
    await simulate(world, { seed: seed + stage * 1_000, runs: 12, length: 120 })
    t.diagnostic(
      [...world.counters]
        .sort()
        .map(([name, times]) => `${name} ${times}`)
        .join(', '),
    )
  })
}

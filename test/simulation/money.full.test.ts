/** Money under random orders, workers, cancels, payments and crashes, compared with a simple model. */
import { after, test } from 'node:test'
import { simulate } from './money-runs.ts'
import { openMoneyStage } from './money-world.ts'
import { SEED } from '../support/seed.ts'

/** SIMULATION_SEED repeats a run. */
const seed = Number(process.env['SIMULATION_SEED'] ?? SEED)

test('whatever happens, and wherever a process dies, the money is as the simple model says', async (t) => {
  const stage = await openMoneyStage({ after })
  t.diagnostic(`seed ${seed}`)
  await simulate(stage, { seed, runs: 8, length: 60 })
  t.diagnostic(
    [...stage.counters]
      .sort()
      .map(([name, times]) => `${name} ${times}`)
      .join(', '),
  )
})

/** Runs of the simulation of money: its commands and stories mixed at random. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { JOB_COMMANDS } from './money-commands.ts'
import { topUps, webhook } from './money-payments.ts'
import { SITUATIONS, STORIES } from './money-stories.ts'
import { closeWorld, openWorld, type MoneyStage } from './money-world.ts'
import { isSeedFixed } from '../support/seed.ts'

/** Further chances for situations that have not happened yet, of this many runs each. */
const MORE = { times: 14, runs: 3 }
const COMMANDS = [...JOB_COMMANDS, topUps, topUps, webhook, webhook, ...STORIES]

/**
 * Runs random commands, each run followed by the audit; a failure prints seed and commands. Goes on for some more runs
 * while a situation has not happened yet, and fails with the gate's seed if one never does.
 */
export async function simulate(
  stage: MoneyStage,
  { seed, runs, length }: { seed: number; runs: number; length: number },
): Promise<void> {
  const missing = (): string[] => SITUATIONS.filter((name) => !stage.counters.has(name))
  for (let batch = 0; batch <= MORE.times && (batch === 0 || missing().length > 0); batch += 1) {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(COMMANDS, { maxCommands: length, size: 'max' }),
        async (commands) => {
          const world = await openWorld(stage)
          await fc.asyncModelRun(() => ({ model: world.model, real: world }), commands)
          await closeWorld(world)
        },
      ),
      { seed: seed + batch, numRuns: batch === 0 ? runs : MORE.runs, endOnFailure: true },
    )
  }
  if (!isSeedFixed) return
  assert.deepEqual(
    missing(),
    [],
    `never happened with seed ${seed}; there were ${[...stage.counters].join(' ')}`,
  )
}

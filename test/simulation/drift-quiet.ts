/** Quiet days of several habits, on which the drift watch has nothing to report. */
import assert from 'node:assert/strict'
import { driftWorld, type Habits } from './drift-world.ts'

export const QUIET_VIDEOS = 10_000
export const HABITS: Omit<Habits, 'seed'>[] = [
  {},
  { silentShare: 0.25 },
  { silentShare: 0.02, channels: 30 },
  { accidents: 0.01 },
  { silentShare: 0.45, accidents: 0 },
]

export function assertQuiet(habits: Habits): void {
  const world = driftWorld(habits)
  for (let n = 0; n < QUIET_VIDEOS; n += 25) {
    world.fetch(25)
    assert.deepEqual(world.lines(), [], `${JSON.stringify(habits)}, video ${world.videos}`)
  }
}

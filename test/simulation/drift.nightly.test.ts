/** The drift watch over many more quiet days than the quick test plays. */
import test from 'node:test'
import { assertQuiet, HABITS, QUIET_VIDEOS } from './drift-quiet.ts'

const SEEDS = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]

for (const habit of HABITS)
  test(`no false alarm in ${QUIET_VIDEOS} quiet videos of ${SEEDS.length} seeds: ${JSON.stringify(habit)}`, () => {
    for (const seed of SEEDS) assertQuiet({ seed, ...habit })
  })

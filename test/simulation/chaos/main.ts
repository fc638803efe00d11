/** `npm run chaos -- --minutes 30 --seed N`: the long chaos, with its figures printed. */
import { randomInt } from 'node:crypto'
import { readArguments } from '../../../tools/scripts/arguments.ts'
import { chaos } from './arena.ts'

const { values } = readArguments({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? randomInt(1_000_000))
const seconds = Number(values.minutes) * 60
const say = (line: string): void => void process.stdout.write(`${clockOf()} ${line}\n`)

const startedAt = performance.now()
const clockOf = (): string => `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s`

say(`seed ${seed}, ${values.minutes} minutes`)
const { happened, moods, weathers, following, figures } = await chaos({
  seconds,
  seed,
  databaseRestarts: Math.max(2, Math.floor(seconds / 60)),
  weatherMs: 24_000,
  say,
})
for (const [name, count] of Object.entries({
  ...happened,
  ...moods,
  ...weathers,
  ...following,
  ...figures,
}))
  say(`${name.padEnd(20)} ${count}`)

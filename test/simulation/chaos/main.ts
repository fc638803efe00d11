/** `npm run chaos -- --minutes 30 --seed N`: the long chaos, with its figures printed. */
import { readArguments } from '../../../scripts/arguments.ts'
import { chaos } from './arena.ts'

const { values } = readArguments({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const seconds = Number(values.minutes) * 60
const say = (line: string): void => void process.stdout.write(`${line}\n`)

say(`seed ${seed}, ${values.minutes} minutes`)
const { happened, figures } = await chaos({
  seconds,
  seed,
  databaseRestarts: Math.max(2, Math.floor(seconds / 60)),
  say,
})
for (const [name, count] of Object.entries({ ...happened, ...figures }))
  say(`${name.padEnd(18)} ${count}`)

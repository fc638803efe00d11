/**
 * `npm run chaos -- --minutes 30 --seed N`: the long chaos, with its figures printed. With `--hosts`, hosts are lost
 * instead; `--only S2,S11` chooses scenarios, `--way hosts` how services reach the database.
 */
import { randomInt } from 'node:crypto'
import { readArguments } from '../../../tools/scripts/arguments.ts'
import { loseHosts } from '../hosts/hosts.ts'
import { DATABASE_WAYS } from '../hosts/services.ts'
import { chaos } from './arena.ts'

const { values } = readArguments({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
    hosts: { type: 'boolean', default: false },
    only: { type: 'string' },
    way: { type: 'string' },
  },
})
const seed = Number(values.seed ?? randomInt(1_000_000))
const seconds = Number(values.minutes) * 60
const say = (line: string): void => void process.stdout.write(`${clockOf()} ${line}\n`)

const startedAt = performance.now()
const clockOf = (): string => `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s`

say(`seed ${seed}, ${values.minutes} minutes`)
if (values.hosts) {
  const failed = await loseHosts({
    minutes: Number(values.minutes),
    seed,
    only: values.only?.split(',') ?? null,
    way: DATABASE_WAYS.find((way) => way === values.way) ?? null,
    isQuiet: false,
    say,
  })
  process.exit((failed ?? 0) > 0 ? 1 : 0)
}
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

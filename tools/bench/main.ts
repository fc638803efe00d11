/**
 * `npm run bench -- NAME …`, or all of them without a name: prints each one's table and writes its numbers to
 * tools/bench/out/NAME.json, both with the machine's own speed, and a summary at the end. `--smoke` takes tiny sizes,
 * `--long` the largest; after `--minutes` (40) it stops, whatever is left.
 */
import fs from 'node:fs'
import path from 'node:path'
import { readArguments } from '../scripts/arguments.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { machineLine, measureMachine, ranOut } from './stage/machine.ts'
import { table, takeGoals } from './table.ts'

/** All of them run in this order. Each is loaded when it is asked for, since each needs other packages. */
export const BENCHES: Record<string, () => Promise<Bench>> = {
  channel: () => import('./channel.ts'),
  api: () => import('./api.ts'),
  files: () => import('./files.ts'),
  storage: () => import('./storage.ts'),
  search: () => import('./search.ts'),
  growth: () => import('./growth.ts'),
  migrations: () => import('./migrations.ts'),
  command: () => import('./command.ts'),
  memory: () => import('./memory.ts'),
}

/** `scarce` says what a missed goal may be owed to. */
type Line = { name: string; seconds: number; met: number; missed: number; scarce: string | null }

const OUT = path.resolve(import.meta.dirname, 'out')

async function main(args: string[]): Promise<number> {
  const { values: options, positionals: names } = readArguments({
    args,
    options: {
      smoke: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '40' },
    },
    allowPositionals: true,
  })
  const unknown = names.filter((name) => BENCHES[name] === undefined)
  if (unknown.length > 0) {
    console.error(
      `no benchmark is called ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`,
    )
    return 1
  }
  const chosen = names.length > 0 ? names : Object.keys(BENCHES)
  const lines: Line[] = []
  const limit = stopAfter(Number(options.minutes), () => printSummary(chosen, lines))
  for (const name of chosen) lines.push(await runOne(name, options))
  clearTimeout(limit)
  if (chosen.length > 1) printSummary(chosen, lines)
  return 0
}

async function runOne(name: string, options: BenchOptions): Promise<Line> {
  console.log(`\n== ${name}`)
  const machine = await measureMachine()
  console.log(machineLine(machine))
  const bench = await BENCHES[name]?.()
  takeGoals()
  const startedAt = performance.now()
  const result = await bench?.run(options)
  const seconds = (performance.now() - startedAt) / 1000
  const goals = takeGoals()
  const scarce = goals.missed > 0 ? ranOut(await measureMachine()) : null
  if (scarce !== null) console.log(`what ran out: ${scarce}`)
  if (result !== undefined) writeResult(name, { machine, result })
  return { name, seconds, ...goals, scarce }
}

/** Stops the run with the signal of an interrupt; benchmarks close their stage on it. */
function stopAfter(minutes: number, onStop: () => void): NodeJS.Timeout {
  return setTimeout(() => {
    onStop()
    console.log(`stopped after ${minutes} minutes`)
    process.kill(process.pid, 'SIGTERM')
  }, minutes * 60_000).unref()
}

function printSummary(chosen: string[], lines: Line[]): void {
  const rows = chosen.map((name) => {
    const line = lines.find((one) => one.name === name)
    if (line === undefined) return [name, '', '', '', 'not run to its end']
    const { seconds, met, missed, scarce } = line
    return [name, seconds.toFixed(0), met, missed, scarce ?? '']
  })
  console.log('\n== summary')
  console.log(table([['', 'seconds', 'goals met', 'missed', 'what ran out'], ...rows]))
}

function writeResult(name: string, result: unknown): void {
  fs.mkdirSync(OUT, { recursive: true })
  const text = JSON.stringify(
    result,
    (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    2,
  )
  fs.writeFileSync(path.join(OUT, `${name}.json`), `${text}\n`)
}

if (process.argv[1] === import.meta.filename) process.exitCode = await main(process.argv.slice(2))

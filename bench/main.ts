/**
 * `npm run bench -- NAME …`, or all of them without a name: prints each one's table and writes its
 * numbers to bench/out/NAME.json. `--smoke` takes tiny sizes, `--long` the largest.
 */
import fs from 'node:fs'
import path from 'node:path'
import { readArguments } from '../scripts/arguments.ts'
import type { Bench } from './bench.ts'

/** In the order in which all of them run. Loaded when asked for: each needs other packages. */
export const BENCHES: Record<string, () => Promise<Bench>> = {
  'cold-start': () => import('./cold-start.ts'),
  'platform-cost': () => import('./platform-cost.ts'),
  latency: () => import('./latency.ts'),
  channel: () => import('./channel.ts'),
  profile: () => import('./profile.ts'),
  api: () => import('./api.ts'),
  ledger: () => import('./ledger.ts'),
  verify: () => import('./verify.ts'),
  repeats: () => import('./repeats.ts'),
  files: () => import('./files.ts'),
  downloads: () => import('./downloads.ts'),
  scale: () => import('./scale.ts'),
  growth: () => import('./growth.ts'),
  memory: () => import('./memory.ts'),
}

const OUT = path.resolve(import.meta.dirname, 'out')

async function main(args: string[]): Promise<number> {
  const { values: options, positionals: names } = readArguments({
    args,
    options: {
      smoke: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
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
  for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
    console.log(`\n== ${name}`)
    const bench = await BENCHES[name]?.()
    const result = await bench?.run(options)
    if (result !== undefined) writeResult(name, result)
  }
  return 0
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

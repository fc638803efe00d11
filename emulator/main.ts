/** The program `npm run emulator -- --port 9000`: the platform in a process of its own. */
import { readFile } from 'node:fs/promises'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { type FaultScript, startEmulator } from './server.ts'
import type { FaultRule } from './faults.ts'
import { serveRecording } from './replay/serving.ts'
import type { Settings } from './settings.ts'

const USAGE = `npm run emulator -- [options]
  --port N         the port to listen on (default: a free one)
  --host ADDRESS   the address to listen on (default 127.0.0.1)
  --seed N         which world (default 1)
  --latency-ms N   how long every answer takes (default 0)
  --layout NAME    lockup (default), legacy or mixed
  --faults FILE    a fault script as JSON: rules, or {"faults":[…],"knobs":{…}}
  --exits N        start N proxies that leave from 127.0.0.2 upward, and a rotating one
  --replay DIR     serve what "admin doctor --record DIR" recorded, not a world
  --tls-proxy      start a proxy that ends TLS with a throw-away certificate
`

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  seed: { type: 'string' },
  'latency-ms': { type: 'string' },
  layout: { type: 'string' },
  faults: { type: 'string' },
  exits: { type: 'string' },
  replay: { type: 'string' },
  'tls-proxy': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options']

const { values } = readArguments()

if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

try {
  const running = values.replay === undefined ? await emulate() : await replay(values.replay)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void running.close().then(() => process.exit(0)))
  }
} catch (error) {
  console.error(`emulator: ${(error as Error).message}`)
  process.exitCode = 1
}

async function emulate(): Promise<{ close(): Promise<void> }> {
  const script = values.faults === undefined ? {} : scriptOf(await readFile(values.faults, 'utf8'))
  const emulator = await startEmulator({
    port: wholeNumber('port', values.port),
    host: values.host,
    seed: wholeNumber('seed', values.seed),
    latencyMs: wholeNumber('latency-ms', values['latency-ms']),
    layout: layoutOf(values.layout),
    exits: wholeNumber('exits', values.exits),
    tls: values['tls-proxy'],
    faults: script.faults,
    knobs: script.knobs,
  })
  console.log(emulator.origin)
  emulator.exits.forEach((exit, index) =>
    console.log(`exit ${exit} leaves from 127.0.0.${index + 2}`),
  )
  if (emulator.rotatingExit !== null) console.log(`exit ${emulator.rotatingExit} rotates`)
  if (emulator.tls !== null) console.log(`tls ${emulator.tls.proxy} ${emulator.tls.caFile}`)
  return emulator
}

async function replay(folder: string): Promise<{ close(): Promise<void> }> {
  const other = ['seed', 'latency-ms', 'layout', 'faults', 'exits', 'tls-proxy'] as const
  const unfit = other.find((name) => values[name] !== undefined)
  if (unfit !== undefined) throw new Error(`--${unfit} does not go with --replay`)
  const port = wholeNumber('port', values.port)
  const replaying = await serveRecording({
    folder,
    port,
    host: values.host,
    onUnrecorded: (line) => console.error(line),
  })
  console.log(replaying.origin)
  if (replaying.routes !== null) console.log(`EGRESS_ROUTES='${replaying.routes}'`)
  return replaying
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new Error(`--${name} wants a whole number, not ${text}`)
  return Number(text)
}

function layoutOf(text: string | undefined): Settings['layout'] | undefined {
  if (text === undefined || text === 'lockup' || text === 'legacy' || text === 'mixed') return text
  throw new Error(`--layout is lockup, legacy or mixed, not ${text}`)
}

function scriptOf(text: string): FaultScript {
  const read: unknown = JSON.parse(text)
  return Array.isArray(read) ? { faults: read as FaultRule[] } : (read as FaultScript)
}

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS })
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exit(2)
  }
}

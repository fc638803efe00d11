/** A real process of the service with its log, which a test asks, pauses, stops and kills. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { TEST_SETTINGS } from './settings.ts'
import { until } from './until.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const MAIN = path.join(ROOT, 'src/main.ts')

export type LogLine = { level: number; msg: string } & Record<string, unknown>

export type ServiceProcess = {
  child: ChildProcess
  pid: number
  /** Address of the API; empty without that role. */
  address: string
  /** Lines logged so far. */
  lines: LogLine[]
  /** Everything printed that is no log line: a crash's trace, mostly. */
  noise: string[]
  isAlive(): boolean
  /** Sends the signal: to the process, or to its whole group where it was started as one. */
  signals(signal: NodeJS.Signals): void
  /** Sends the signal and resolves with the exit code, or null where a signal ended the process. */
  ends(signal: NodeJS.Signals): Promise<number | null>
  /** Asks the preloaded module; one question at a time. */
  asks<T>(question: string): Promise<T>
}

/** Returns what a program of ours needs to start, and to start quickly; nothing else of our environment reaches it. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE === '' ? {} : { NODE_COMPILE_CACHE }) }
}

export type Launch = {
  /** Module that is loaded before the service. */
  preload?: string
  /** Path of another copy of the program. */
  main?: string
  /** Words before the program's own that run it somewhere else, in the same process. */
  within?: readonly string[]
  /** True starts `npm start` in a process group of its own, as supervisors do. */
  isGroup?: boolean
}

/** Processes that may still run, or whose group may. */
const launched = new Set<ServiceProcess>()

/** Ends by force every process that was launched here, also groups whose first process is gone. */
export function killLaunched(): void {
  for (const one of launched) one.signals('SIGKILL')
}

/**
 * Starts a process that ends a launched one by force once this process is gone in any way: its input closes then, even
 * after SIGKILL. `target` is a process, or a group as a negative number.
 */
function guard(target: number): ChildProcess {
  const words = ['-c', 'read -r _; kill -s KILL -- "$1"', 'guard', String(target)]
  const one = spawn('sh', words, { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  one.unref()
  if (one.stdin instanceof net.Socket) one.stdin.unref()
  return one
}

/** Ends every launched process, too, where a signal ends this one. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(1))
}

/** Starts a process without waiting for it. */
export function launch(
  env: Record<string, string>,
  { preload, main = MAIN, within = [], isGroup = false }: Launch = {},
): ServiceProcess {
  const own = [...(preload === undefined ? [] : ['--import', preload]), main, 'serve']
  const [program = '', ...args] = isGroup ? ['npm', 'start'] : [...within, process.execPath, ...own]
  const child = spawn(program, args, {
    cwd: isGroup ? ROOT : process.cwd(),
    detached: isGroup,
    stdio: ['ignore', 'pipe', 'pipe', ...(preload === undefined ? [] : ['ipc' as const])],
    env: {
      ...bareEnvironment(),
      ...(isGroup ? { HOME: os.homedir() } : {}), // npm's own settings are there
      ...TEST_SETTINGS,
      LOG_LEVEL: 'info',
      ...env,
    },
  })
  const one: ServiceProcess = {
    child,
    pid: child.pid ?? 0,
    address: '',
    lines: [],
    noise: [],
    isAlive: () => child.exitCode === null && child.signalCode === null,
    signals(signal) {
      if (!isGroup) return void child.kill(signal)
      if (launched.has(one)) signalGroup(one.pid, signal)
    },
    async ends(signal) {
      // A group ends with the last process that holds its output.
      const gone = one.isAlive()
        ? once(child, isGroup ? 'close' : 'exit')
        : Promise.resolve([child.exitCode])
      one.signals(signal)
      const [code] = (await gone) as [number | null]
      return code
    },
    asks: (question) => ask(one, question),
  }
  launched.add(one)
  const guarding = guard(isGroup ? -one.pid : one.pid)
  child.once('close', () => {
    launched.delete(one)
    guarding.kill('SIGKILL')
  })
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface(stream).on('line', (line) => keep(one, line))
  }
  return one
}

/** The last process of the group may have ended a moment ago. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function ask<T>(one: ServiceProcess, question: string): Promise<T> {
  const leaving = new AbortController()
  // A process may be told to have ended before its last message is; the end of its channel comes after that.
  const gone = once(one.child, 'disconnect', { signal: leaving.signal }).then(() => {
    throw new Error(`the process ended by itself: ${reasonOf(one)}`)
  })
  gone.catch(() => undefined) // `leaving` ends it once the answer has come
  try {
    const answered = once(one.child, 'message', { signal: leaving.signal })
    answered.catch(() => undefined) // `leaving` ends it, too
    const { promise: unsent, reject } = Promise.withResolvers<never>()
    // An error of sending to a process that is about to end would end this one without a listener.
    one.child.send(question, (error) => error !== null && reject(error))
    const [answer] = (await Promise.race([answered, gone, unsent])) as [T]
    return answer
  } finally {
    leaving.abort()
  }
}

function keep(one: ServiceProcess, text: string): void {
  if (text === '') return
  if (!text.startsWith('{')) return void one.noise.push(text)
  const line = JSON.parse(text) as LogLine
  one.lines.push(line)
  if (line.msg === 'scriptorium is ready')
    one.address = typeof line['address'] === 'string' ? line['address'] : ''
}

/** `maxMs` null stands for the general bound of `until`. */
export async function untilReady(one: ServiceProcess, maxMs: number | null = null): Promise<void> {
  // The output is complete only once it is closed.
  let hasEnded = !launched.has(one)
  one.child.once('close', () => (hasEnded = true))
  const isReady = (): boolean => {
    assert.ok(!hasEnded, `a process ended at its start: ${reasonOf(one)}`)
    return one.lines.some(({ msg }) => msg === 'scriptorium is ready')
  }
  await until('a process is ready', isReady, maxMs ?? undefined)
}

function reasonOf({ noise, lines }: ServiceProcess): string {
  return `${noise.join('\n')} ${lines
    .slice(-5)
    .map(({ msg }) => msg)
    .join('; ')}`
}

/** Returns whether a process with this id runs. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Ports below those that systems choose by themselves: no connection or `listen(0)` takes one meanwhile. */
const PORTS = { first: 10_000, count: 20_000, ofProcess: 16 }
let ports = 0

/**
 * Returns a port for a setting that needs a number beforehand; where possible, listen on 0 and read the port. Nothing
 * listens on it, and other test processes are given others.
 */
export async function freePort(): Promise<number> {
  const port = PORTS.first + ((process.pid * PORTS.ofProcess + (ports += 1)) % PORTS.count)
  const server = net.createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}

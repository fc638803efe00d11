/** A real process of the service with its log, to be asked, paused, stopped and killed. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { until } from './until.ts'

const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts')

export type LogLine = { level: number; msg: string } & Record<string, unknown>

export type ServiceProcess = {
  child: ChildProcess
  pid: number
  /** Of the API; empty without that role. */
  address: string
  /** What it logged so far. */
  lines: LogLine[]
  /** Everything it printed that is no log line: a crash's trace, mostly. */
  noise: string[]
  isAlive(): boolean
  /** Sends the signal and resolves with the exit code, null where a signal ended it. */
  ends(signal: NodeJS.Signals): Promise<number | null>
  /** What the preloaded module answers; one question at a time. */
  asks<T>(question: string): Promise<T>
}

/** What a program of ours needs to start, and to start quickly; nothing else of ours reaches it. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE === '' ? {} : { NODE_COMPILE_CACHE }) }
}

/** Starts a process without waiting for it; `preload` is a module that it loads before the service. */
export function launch(
  env: Record<string, string>,
  { preload }: { preload?: string } = {},
): ServiceProcess {
  const child = spawn(
    process.execPath,
    [...(preload === undefined ? [] : ['--import', preload]), MAIN, 'serve'],
    {
      stdio: ['ignore', 'pipe', 'pipe', ...(preload === undefined ? [] : ['ipc' as const])],
      env: { ...bareEnvironment(), PORT: '0', STOP_NOTICE: '0', LOG_LEVEL: 'info', ...env },
    },
  )
  const one: ServiceProcess = {
    child,
    pid: child.pid ?? 0,
    address: '',
    lines: [],
    noise: [],
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async ends(signal) {
      const gone = one.isAlive() ? once(child, 'exit') : Promise.resolve([child.exitCode])
      child.kill(signal)
      const [code] = (await gone) as [number | null]
      return code
    },
    async asks<T>(question: string) {
      const leaving = new AbortController()
      const gone = once(child, 'exit', { signal: leaving.signal }).then(() => {
        throw new Error(`the process ended by itself: ${reasonOf(one)}`)
      })
      gone.catch(() => undefined) // ends with `leaving` where the answer came
      try {
        const answered = once(child, 'message')
        child.send(question)
        const [answer] = (await Promise.race([answered, gone])) as [T]
        return answer
      } finally {
        leaving.abort()
      }
    },
  }
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface(stream).on('line', (line) => keep(one, line))
  }
  return one
}

function keep(one: ServiceProcess, text: string): void {
  if (text === '') return
  if (!text.startsWith('{')) return void one.noise.push(text)
  const line = JSON.parse(text) as LogLine
  one.lines.push(line)
  if (line.msg === 'scriptorium is ready')
    one.address = typeof line['address'] === 'string' ? line['address'] : ''
}

export async function untilReady(one: ServiceProcess): Promise<void> {
  await until('a process is ready', () => {
    assert.ok(one.isAlive(), `a process ended at its start: ${reasonOf(one)}`)
    return one.lines.some(({ msg }) => msg === 'scriptorium is ready')
  })
}

function reasonOf({ noise, lines }: ServiceProcess): string {
  return `${noise.join('\n')} ${lines
    .slice(-5)
    .map(({ msg }) => msg)
    .join('; ')}`
}

/** Whether a process of this number runs. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

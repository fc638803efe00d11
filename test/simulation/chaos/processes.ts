/** Real processes of the service, to be killed, paused and replaced. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const MAIN = path.resolve(import.meta.dirname, '../../../src/main.ts')
const READY_MS_MAX = 60_000
const POLL_MS = 50

export type ServiceProcess = {
  role: 'api' | 'worker'
  port: number
  child: ChildProcess
  /** What it printed; kept short. */
  log: string[]
}

/** Every process has an API port, so that its readiness can be asked; customers use only the API's. */
export async function spawnService(
  role: 'api' | 'worker',
  { port, databaseUrl, platformOrigin }: { port: number; databaseUrl: string; platformOrigin: string },
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      ROLES: role,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      PLATFORM_ORIGIN: platformOrigin,
      LOG_LEVEL: 'warn',
      DATABASE_POOL: '8',
      JOB_ATTEMPTS: '1000',
      STOP_GRACE: '2',
    },
  })
  const log: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log.push(chunk.toString())
      if (log.length > 50) log.shift()
    })
  }
  const started: ServiceProcess = { role, port, child, log }
  if (role === 'api') await untilReady(started)
  return started
}

export function isAlive({ child }: ServiceProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

export async function kill(one: ServiceProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (!isAlive(one)) return
  const gone = once(one.child, 'exit')
  one.child.kill('SIGCONT')
  one.child.kill(signal)
  await gone
}

async function untilReady(one: ServiceProcess): Promise<void> {
  for (const until = Date.now() + READY_MS_MAX; Date.now() < until; await sleep(POLL_MS)) {
    if (!isAlive(one)) throw new Error(`an API process ended at its start:\n${one.log.join('')}`)
    const isReady = await fetch(`http://127.0.0.1:${one.port}/readyz`).then((answer) => answer.ok, () => false)
    if (isReady) return
  }
  throw new Error(`an API process was not ready within ${READY_MS_MAX} ms:\n${one.log.join('')}`)
}

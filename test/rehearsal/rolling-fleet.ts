/** Processes behind a balancer, each of which can be stopped in order and followed by one of another release. */
import {
  launch,
  type LogLine,
  type ServiceProcess,
  untilReady,
} from '../support/service-process.ts'
import { until } from '../support/until.ts'
import type { Balancer } from './balancer.ts'

/** A copy of the service's program. */
export type ServiceProgram = {
  /** Version, or what else tells it from others. */
  name: string
  /** Path of its src/main.ts. */
  main: string
}

export type RollingFleet = {
  /** Exit code of every stop. */
  exits: (number | null)[]
  /** Resolves when all processes are ready and seen by the balancer. */
  startAll(program: ServiceProgram): Promise<void>
  /** Lets all processes stop at the same time. */
  stopAll(): Promise<void>
  /** Replaces one process after the other, as an operator does; calls `served` after each. */
  replaceEach(program: ServiceProgram, served: () => Promise<unknown>): Promise<void>
  /** Kills what is left, and returns the errors that all processes logged, in words. */
  close(): Promise<string[]>
}

/** Level of errors in pino's log. */
const ERROR_LEVEL = 50
/** Longest time of a start on a busy machine, in milliseconds. */
const START_MS_MAX = 180_000

/** `noticeSeconds` is STOP_NOTICE; `env` is what else the processes are told. */
export function openRollingFleet(
  { backends }: Balancer,
  { noticeSeconds, env }: { noticeSeconds: number; env: Record<string, string> },
): RollingFleet {
  const running: ServiceProcess[] = []
  const launched: { name: string; lines: LogLine[] }[] = []
  const exits: (number | null)[] = []

  async function start(index: number, { name, main }: ServiceProgram): Promise<void> {
    const backend = backends[index]
    if (backend === undefined) throw new Error(`there is no process ${index}`)
    const own = { PORT: String(backend.port), STOP_NOTICE: String(noticeSeconds) }
    const one = launch({ ...env, ...own }, { main })
    running[index] = one
    launched.push({ name, lines: one.lines })
    await untilReady(one, START_MS_MAX)
    Object.assign(backend, { isStopping: false, stoppedAt: null })
    await until('the balancer sees it', () => backend.isReady)
  }
  async function stop(index: number): Promise<void> {
    const [backend, one] = [backends[index], running[index]]
    if (backend === undefined || one === undefined) throw new Error(`there is no process ${index}`)
    backend.isStopping = true
    const ended = one.ends('SIGTERM')
    await until('it stops', () => one.lines.some(({ msg }) => msg === 'stopping') || !one.isAlive())
    backend.stoppedAt = performance.now()
    exits.push(await ended)
  }

  return {
    exits,
    async startAll(program) {
      await Promise.all(backends.map((_, index) => start(index, program)))
    },
    async stopAll() {
      await Promise.all(running.map((_, index) => stop(index)))
    },
    async replaceEach(program, served) {
      for (const index of running.keys()) {
        await stop(index)
        await start(index, program)
        await served()
      }
    },
    async close() {
      await Promise.all(running.filter((one) => one.isAlive()).map((one) => one.ends('SIGKILL')))
      return launched.flatMap(({ name, lines }) =>
        lines.flatMap(({ level, msg, err }) =>
          level >= ERROR_LEVEL ? [`${name} logged: ${msg} ${JSON.stringify(err)}`] : [],
        ),
      )
    },
  }
}

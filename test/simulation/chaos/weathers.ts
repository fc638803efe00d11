/**
 * The weathers of the chaos, which come one after another while processes are killed: each counts where a process felt
 * it, and one that no process felt fails the run.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch, type Launch, type ServiceProcess } from '../../support/service-process.ts'
import {
  type DatabaseUnderWeather,
  fillDisk,
  forbidWrites,
  stepDatabaseClock,
} from './database-weathers.ts'

const WEATHERS = [
  'diskFull',
  'readOnly',
  'databaseHourBack',
  'databaseHourForward',
  'hourBack',
  'hourForward',
  'groupTerminated',
  'groupHungUp',
] as const
type WeatherName = (typeof WEATHERS)[number]
export type Weathers = Record<WeatherName, number>

export type Processes = {
  fleet: readonly ServiceProcess[]
  /** Starts a process in place of one that ended, once. */
  replace(ended: ServiceProcess): void
}

export type Sky = {
  felt: Weathers
  /** Goes through all weathers again and again until `isOver`, and until each of them was felt. */
  run(those: Processes, isOver: () => boolean): Promise<void>
  /** Waits for the database's weather to pass, and lets none begin meanwhile. */
  without<T>(work: () => Promise<T>): Promise<T>
}

export type SkyOptions = {
  random: () => number
  database: DatabaseUnderWeather
  /** Longest time that the disk stays full, and that nothing can be written, in milliseconds. */
  longestMs: number
  say(line: string): void
}

const HOUR_MS = 3_600_000
const SHORTEST_MS = 3_000
const SHORT_MS = 300
/**
 * Time after the run for weathers that no process has felt yet, since the process that should have was dead or stood
 * still.
 */
const LATE_MS_MAX = 120_000
const ANSWER_MS_MAX = 2_000
const GROUP_END_MS_MAX = 30_000

/**
 * Launches a process: the last of the fleet is `npm start` in a process group, all others can be given another time of
 * day.
 */
export const launchUnderSky = (env: Record<string, string>, isLast: boolean): ServiceProcess => {
  const how: Launch = isLast ? { isGroup: true } : { preload: CLOCK }
  return launch(env, how)
}
const CLOCK = new URL('../../machines/clock-process.ts', import.meta.url).pathname

export function openSky(options: SkyOptions): Sky {
  const { random, database, longestMs, say } = options
  const felt = Object.fromEntries(WEATHERS.map((name) => [name, 0])) as Weathers
  let turn: Promise<unknown> = Promise.resolve()
  function without<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }
  const isPossible = (name: WeatherName): boolean => name !== 'diskFull' || database.disk !== null
  const someTime = (): number => SHORTEST_MS + random() * (longestMs - SHORTEST_MS)

  async function strike(name: WeatherName, those: Processes): Promise<boolean> {
    switch (name) {
      case 'diskFull':
        return without(() => fillDisk(database, someTime()))
      case 'readOnly':
        return without(() => forbidWrites(database, someTime()))
      case 'databaseHourBack':
        return without(() => stepDatabaseClock(database, 'back'))
      case 'databaseHourForward':
        return without(() => stepDatabaseClock(database, 'forward'))
      case 'hourBack':
        return stepClock(those, -HOUR_MS, random)
      case 'hourForward':
        return stepClock(those, HOUR_MS, random)
      case 'groupTerminated':
        return endGroup(those, 'SIGTERM')
      case 'groupHungUp':
        return endGroup(those, 'SIGHUP')
      default:
        return name satisfies never
    }
  }

  if (database.disk === null) say('no disk is ever full: mounting one is refused here')
  return {
    felt,
    without,
    async run(those, isOver) {
      const isMissing = (name: WeatherName): boolean => isPossible(name) && felt[name] === 0
      let lateSince: number | null = null
      while (!isOver() || WEATHERS.some(isMissing)) {
        if (isOver()) lateSince ??= performance.now()
        const missing = WEATHERS.filter(isMissing).join(', ')
        const isLate = lateSince !== null && performance.now() - lateSince > LATE_MS_MAX
        assert.ok(!isLate, `the weather never came to: ${missing}`)
        for (const name of shuffled(WEATHERS.filter(isPossible), random)) {
          if (isOver() && felt[name] > 0) continue
          const startedAt = performance.now()
          if (await strike(name, those)) {
            felt[name] += 1
            say(`weather: ${name}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
          }
          await sleep(isOver() ? SHORT_MS : SHORT_MS + random() * longestMs)
        }
      }
    },
  }
}

/** Processes that stood still when asked, and answer later or never: they are not asked again. */
const silent = new WeakSet<ServiceProcess>()

/** Steps the clock of one process that allows it; returns whether the process reports the other hour. */
async function stepClock(
  { fleet }: Processes,
  stepMs: number,
  random: () => number,
): Promise<boolean> {
  const able = fleet.slice(0, -1).filter((one) => one.child.connected && !silent.has(one))
  const one = able[Math.floor(random() * able.length)]
  if (one === undefined) return false
  const asked = one.asks<{ nowMs: number }>(`clock ${stepMs}`).catch(() => null)
  const answer = await Promise.race([asked, sleep(ANSWER_MS_MAX, null, { ref: false })])
  if (answer === null) silent.add(one)
  return answer !== null
}

/** Signals `npm start`, its shell and its program at once; returns whether the program then stopped in order. */
async function endGroup(
  { fleet, replace }: Processes,
  signal: 'SIGTERM' | 'SIGHUP',
): Promise<boolean> {
  const one = fleet.at(-1)
  const isReady = one?.lines.some(({ msg }) => msg === 'scriptorium is ready') ?? false
  if (one === undefined || !isReady || !one.isAlive()) return false
  const ended = one.ends(signal)
  await Promise.race([ended, sleep(GROUP_END_MS_MAX, null, { ref: false })])
  one.signals('SIGKILL') // supervisors kill too: a forgotten process would have no successor
  await ended
  replace(one)
  return one.lines.some(({ msg }) => msg === 'stopped')
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const keyed = list.map((one) => ({ one, key: random() }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ one }) => one)
}

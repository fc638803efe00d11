/**
 * How fast the machine is at the moment, beside which every figure has to be read: a fixed loop of arithmetic, by the
 * processor's time and by the clock, how many writes a second reach the disk, and what a fresh page of memory, a
 * process and a connection cost. Machines that compute alike differ by a hundred times in these last three. Run as a
 * program, it prints the line.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { connectTo } from '../../../test/support/connection.ts'
import { startDatabaseServer } from '../../../test/support/database-server.ts'
import { median } from '../table.ts'

export type Machine = {
  cores: number
  /** Processes that ran or waited to run within the last minute. */
  load: number
  /** Times of one loop, by the processor and by the clock. Their ratio is the share of a core that was ours. */
  loopCpuMs: number
  loopMs: number
  /** Writes of 8 KB a second, each waited for until it is on disk, where the benchmarks keep their databases. */
  syncsPerSecond: number
  /** Processor's time of the first write to 4 KB of memory, in microseconds. */
  pageMicros: number
  /** Time from the start to the end of the program `true`, by the clock. */
  processMs: number
  /** Time to open a connection to PostgreSQL and close it, by the clock. */
  connectionMs: number
}

/**
 * Many short rounds, since V8's last compiler reaches the loop late. The loop has no sum: V8 compiles an overflowing
 * sum in one of two ways.
 */
const ROUNDS = 100
const LOOP_STEPS = 2_000_000
/** Steps that the printed times are for; earlier measurements used as many. */
const STEPS_TOLD = 20_000_000
const SYNCS = 25
const PAGE_BYTES = 8192
const MEMORY_BYTES = 64 * 1024 ** 2
const MEMORY_PAGE_BYTES = 4096
const PROCESSES = 20
const CONNECTIONS = 20

export async function measureMachine(): Promise<Machine> {
  const rounds = Array.from({ length: ROUNDS }, measureLoop).slice(ROUNDS / 2)
  const told = STEPS_TOLD / LOOP_STEPS
  return {
    cores: os.availableParallelism(),
    load: os.loadavg()[0] ?? 0,
    loopCpuMs: told * Math.min(...rounds.map(({ cpuMs }) => cpuMs)),
    loopMs: (told * rounds.reduce((sum, { ms }) => sum + ms, 0)) / rounds.length,
    syncsPerSecond: measureSyncs(),
    pageMicros: measurePages(),
    processMs: medianMs(PROCESSES, () => spawnSync('true')),
    connectionMs: await (connecting ??= measureConnection()),
  }
}

/** Measured once in a process, since a server starts for it. */
let connecting: Promise<number> | null = null

/** Returns the machine's speed as one line of text. */
export function machineLine(machine: Machine): string {
  const { cores, load, loopCpuMs, loopMs, syncsPerSecond } = machine
  const { pageMicros, processMs, connectionMs } = machine
  return (
    `machine: ${cores} cores, load ${load.toFixed(1)}; a fixed loop takes ${loopCpuMs.toFixed(0)} ms of CPU, ` +
    `${loopMs.toFixed(0)} by the clock; ${syncsPerSecond.toFixed(0)} syncs to disk a second; a fresh page of memory ` +
    `${pageMicros.toFixed(1)} µs, a process ${processMs.toFixed(1)} ms, a connection ${connectionMs.toFixed(1)} ms`
  )
}

/** Returns what may be the reason for a missed goal of time, or null where the machine was ours. */
export function ranOut({ cores, load, loopCpuMs, loopMs }: Machine): string | null {
  if (loopMs > 1.5 * loopCpuMs || load > 2 * cores)
    return 'the processor: others used the machine, repeat it when it is idle'
  return null
}

function measureLoop(): { cpuMs: number; ms: number } {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  let state = 1
  for (let step = 0; step < LOOP_STEPS; step += 1) state = Math.imul(state, 1_664_525) ^ step
  const { user, system } = process.cpuUsage(before)
  // The result uses `state`, or the compiler could leave the loop out.
  return {
    cpuMs: (user + system) / 1000 + (state === 0 ? 1e-9 : 0),
    ms: performance.now() - startedAt,
  }
}

function measureSyncs(): number {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-syncs-'))
  const file = fs.openSync(path.join(folder, 'page'), 'w')
  try {
    const page = Buffer.alloc(PAGE_BYTES, 1)
    const startedAt = performance.now()
    for (let sync = 0; sync < SYNCS; sync += 1) {
      fs.writeSync(file, page)
      fs.fdatasyncSync(file)
    }
    return (SYNCS * 1000) / (performance.now() - startedAt)
  } finally {
    fs.closeSync(file)
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function measurePages(): number {
  const memory = Buffer.allocUnsafeSlow(MEMORY_BYTES)
  const before = process.cpuUsage()
  for (let at = 0; at < MEMORY_BYTES; at += MEMORY_PAGE_BYTES) memory[at] = 1
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (MEMORY_BYTES / MEMORY_PAGE_BYTES)
}

async function measureConnection(): Promise<number> {
  const server = await startDatabaseServer()
  try {
    const times: number[] = []
    for (let opened = 0; opened < CONNECTIONS; opened += 1) {
      const startedAt = performance.now()
      await (await connectTo(server.url)).end()
      times.push(performance.now() - startedAt)
    }
    return median(times)
  } finally {
    await server.stop()
  }
}

function medianMs(times: number, work: () => unknown): number {
  return median(
    Array.from({ length: times }, () => {
      const startedAt = performance.now()
      work()
      return performance.now() - startedAt
    }),
  )
}

if (process.argv[1] === import.meta.filename) console.log(machineLine(await measureMachine()))

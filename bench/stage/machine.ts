/**
 * How fast the machine is at the moment, beside which every figure has to be read: a fixed loop of
 * arithmetic, by the processor's time and by the clock, and how often a second it writes to disk for certain.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export type Machine = {
  cores: number
  /** Processes that ran or waited to run within the last minute. */
  load: number
  /** Of one round of the loop: what the processor took, and what the clock says. Their ratio is how much of a core was ours. */
  loopCpuMs: number
  loopMs: number
  /** Writes of 8 KB, each waited for until it is on disk, where the benchmarks keep their databases. */
  syncsPerSecond: number
}

/** Many short rounds, since V8's last compiler only comes to the loop by and by; it has no sum, whose overflow V8 takes one way or the other. */
const ROUNDS = 100
const LOOP_STEPS = 2_000_000
/** Of which the figures are, as they were measured before. */
const STEPS_TOLD = 20_000_000
const SYNCS = 25
const PAGE_BYTES = 8192

export function measureMachine(): Machine {
  const rounds = Array.from({ length: ROUNDS }, measureLoop).slice(ROUNDS / 2)
  const told = STEPS_TOLD / LOOP_STEPS
  return {
    cores: os.availableParallelism(),
    load: os.loadavg()[0] ?? 0,
    loopCpuMs: told * Math.min(...rounds.map(({ cpuMs }) => cpuMs)),
    loopMs: (told * rounds.reduce((sum, { ms }) => sum + ms, 0)) / rounds.length,
    syncsPerSecond: measureSyncs(),
  }
}

/** One line. */
export function machineLine({ cores, load, loopCpuMs, loopMs, syncsPerSecond }: Machine): string {
  return (
    `machine: ${cores} cores, load ${load.toFixed(1)}; a fixed loop takes ${loopCpuMs.toFixed(0)} ms of CPU, ` +
    `${loopMs.toFixed(0)} by the clock; ${syncsPerSecond.toFixed(0)} syncs to disk a second`
  )
}

/** What a goal that was missed in time may be owed to: null where the machine was ours. */
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
  // The result is used, or the loop could be left out.
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

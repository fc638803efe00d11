/**
 * What the command line adds to a job: `get` of a 200-video channel by the packed program, in a process of its
 * own, beside the time that the service says its job took; and how long the program takes to say its help.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { packClients } from '../scripts/pack-clients.ts'
import type { BenchOptions } from './bench.ts'
import { TALKS } from './captions.ts'
import { channelOf, newSpelling, onStage, type Stage } from './stage/stage.ts'
import { median, table, verdict } from './table.ts'

type GetTimes = {
  latencyMs: number
  files: number
  /** From the start of the program to its end. */
  ms: number
  /** From the start of the program to the job's `createdAt`. */
  beforeMs: number
  /** From `createdAt` to `finishedAt`. */
  jobMs: number
  /** From `finishedAt` to the end of the program: files on the disk, and the process gone. */
  afterMs: number
  /** Ratio of `ms` to the job's own time, minus 1. */
  overJob: number
}

type CommandResult = {
  gets: GetTimes[]
  helpMs: number
  /** Time of an empty program on the same Node. */
  bareMs: number
  packedBytes: number
  unpackedBytes: number
}

const GOAL_OVER_JOB = 0.05
const GOAL_HELP_MS = 80
const GOAL_UNPACKED_BYTES = 150_000
const VIDEOS = 200
const ROUNDS = 5
const STARTS = 40
const execute = promisify(execFile)

export async function run({ smoke }: BenchOptions): Promise<CommandResult> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-bench-command-'))
  try {
    const program = await unpackedProgram(folder)
    const starts = smoke ? 1 : STARTS
    const bareMs = bestOf(starts, ['-e', '0'])
    const helpMs = bestOf(starts, [program.main, '--help'])
    const gets = await onStage(smoke, (stage) => measure(stage, { smoke, folder, ...program }))
    const { packedBytes, unpackedBytes } = program
    const result = { gets, helpMs, bareMs, packedBytes, unpackedBytes }
    print(result)
    return result
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Unpacks the program as `npx` would have it. */
async function unpackedProgram(
  folder: string,
): Promise<{ main: string; packedBytes: number; unpackedBytes: number }> {
  if (!(await packClients())) throw new Error('the clients are not packed')
  const dist = path.resolve(import.meta.dirname, '../../clients/dist')
  const name = fs.readdirSync(dist).find((file) => /^scriptorium-cli-.*\.tgz$/.test(file)) ?? ''
  execFileSync('tar', ['-xzf', path.join(dist, name), '-C', folder])
  const home = path.join(folder, 'package')
  const sizes = fs
    .readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fs.statSync(path.join(entry.parentPath, entry.name)).size)
  return {
    main: path.join(home, 'dist/main.js'),
    packedBytes: fs.statSync(path.join(dist, name)).size,
    unpackedBytes: sizes.reduce((sum, size) => sum + size, 0),
  }
}

type Ground = { smoke: boolean; folder: string; main: string }

async function measure(stage: Stage, ground: Ground): Promise<GetTimes[]> {
  const service = await stage.service()
  const { apiKey } = await stage.client(service)
  const order = { ...ground, address: service.address, apiKey }
  await getOnce({ ...order, latencyMs: 0 }) // warm, and a session identity is made
  const rounds: GetTimes[] = []
  const latencies = ground.smoke ? [0] : [50, 200]
  // Latencies alternate, so that other load on the machine meets both alike.
  for (let round = 0; round < (ground.smoke ? 1 : ROUNDS); round += 1) {
    for (const latencyMs of latencies) {
      await stage.setLatency(latencyMs)
      rounds.push(await getOnce({ ...order, latencyMs }))
    }
  }
  return latencies.map((latencyMs) => middleOf(rounds.filter((one) => one.latencyMs === latencyMs)))
}

/** Returns the round whose ratio to its own job is the median: one clock measured command and job at once. */
function middleOf(rounds: readonly GetTimes[]): GetTimes {
  const overJob = median(rounds.map((one) => one.overJob))
  const middle = rounds.find((one) => one.overJob === overJob)
  if (middle === undefined) throw new Error('there is no round')
  return middle
}

/** Orders with `--again`, so that it buys the same videos as the order before. */
async function getOnce(
  order: Ground & { address: string; apiKey: string; latencyMs: number },
): Promise<GetTimes> {
  const { smoke, folder, main, address, apiKey, latencyMs } = order
  const { channelId } = channelOf(TALKS)
  const out = fs.mkdtempSync(path.join(folder, 'out-'))
  const max = String(smoke ? 6 : VIDEOS)
  const env = {
    ...process.env,
    SCRIPTORIUM_URL: address,
    SCRIPTORIUM_API_KEY: apiKey,
    HOME: folder,
  }
  const url = newSpelling(channelId)
  const args = [main, 'get', url, '--again', '--max', max, '--out', out, '--json']
  const startedAt = Date.now()
  const ended = await execute(process.execPath, args, { cwd: folder, env, maxBuffer: 1e8 }).catch(
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  )
  const endedAt = Date.now()
  // Exit code 3 says that some videos have no captions.
  if ('code' in ended && ended.code !== 3) throw new Error(ended.stderr)
  const { job, files } = JSON.parse(ended.stdout) as {
    job: { createdAt: string; finishedAt: string }
    files: unknown[]
  }
  const [createdAt, finishedAt] = [Date.parse(job.createdAt), Date.parse(job.finishedAt)]
  const [ms, jobMs] = [endedAt - startedAt, finishedAt - createdAt]
  return {
    latencyMs,
    files: files.length,
    ms,
    beforeMs: createdAt - startedAt,
    jobMs,
    afterMs: endedAt - finishedAt,
    overJob: ms / jobMs - 1,
  }
}

function bestOf(starts: number, args: string[]): number {
  const times = Array.from({ length: starts }, () => {
    const startedAt = performance.now()
    spawnSync(process.execPath, args)
    return performance.now() - startedAt
  })
  return Math.min(...times)
}

function print({ gets, helpMs, bareMs, packedBytes, unpackedBytes }: CommandResult): void {
  const rows = gets.map(({ latencyMs, files, ms, beforeMs, jobMs, afterMs, overJob }) => [
    `platform latency ${latencyMs} ms`,
    files,
    ms,
    beforeMs,
    jobMs,
    afterMs,
    `${(overJob * 100).toFixed(1)} %`,
  ])
  console.log('`scriptorium get` of a channel of 200 videos, the median of five')
  console.log(table([['', 'files', 'ms', 'before', 'job', 'after', 'over the job'], ...rows]))
  const slowest = gets.at(-1)
  if (slowest !== undefined && slowest.latencyMs > 0)
    console.log(
      `goal ${GOAL_OVER_JOB * 100} % at ${slowest.latencyMs} ms: ${verdict(slowest.overJob <= GOAL_OVER_JOB)}`,
    )
  console.log(
    `help: ${helpMs.toFixed(0)} ms, an empty program of this Node ${bareMs.toFixed(0)} ms; goal ${GOAL_HELP_MS} ms: ${verdict(helpMs < GOAL_HELP_MS)}`,
  )
  console.log(
    `package: ${packedBytes} bytes, unpacked ${unpackedBytes}; goal ${GOAL_UNPACKED_BYTES}: ${verdict(unpackedBytes < GOAL_UNPACKED_BYTES)}`,
  )
}

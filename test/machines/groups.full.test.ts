/** `npm start` as supervisors, terminals and people end it: always in order, and PostgreSQL never stays behind. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { isRunning } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/**
 * Data folder of all starts: each end leaves it in order, which the next start sees, and only the first one makes a
 * database.
 */
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-start-'))
after(() => fs.rmSync(dataDir, { recursive: true, force: true }))

type Started = {
  npm: ChildProcess
  /** Ids of all running processes, the database's among them. */
  pids: number[]
  said(): string
  isDone(): boolean
  isGone(): Promise<void>
}

/** Starts in a process group of its own, as supervisors do. */
async function start(
  t: TestContext,
  env: Record<string, string | undefined> = {},
): Promise<Started> {
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOME: os.homedir(),
      PORT: '0',
      DATA_DIR: dataDir,
      STOP_NOTICE: '0',
      ...env,
    },
  })
  let said = ''
  npm.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  await until('it is ready', () => said.includes('scriptorium is ready'))
  const pids = descendants(npm)
  assert.ok(pids.length >= 5, 'npm, its program and the database run')
  t.after(() => {
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL')
  })
  const isDone = (): boolean =>
    pids.every((pid) => !isRunning(pid)) &&
    !fs.existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))
  const isGone = async (): Promise<void> => void (await until('everything is gone', isDone))
  return { npm, pids, said: () => said, isDone, isGone }
}

/** Sends a signal. A process that ended meanwhile, such as a helper of the start, is passed over, as systemd does. */
function signalIfAlive(pid: number, signal: NodeJS.Signals = 'SIGTERM'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

const CASES: { who: string; ends(one: Started): void }[] = [
  { who: 'a signal to npm alone', ends: ({ npm }) => void npm.kill('SIGTERM') },
  {
    who: "SIGTERM to the process group (supervisord's stopasgroup)",
    ends: ({ npm }) => void process.kill(-(npm.pid ?? 0), 'SIGTERM'),
  },
  {
    who: "SIGTERM to every process, PostgreSQL's too (systemd's KillMode=control-group)",
    ends: ({ pids }) => pids.forEach((pid) => signalIfAlive(pid)),
  },
  {
    who: 'Ctrl-C at the terminal',
    ends: ({ npm }) => void process.kill(-(npm.pid ?? 0), 'SIGINT'),
  },
  {
    who: 'the end of the terminal',
    ends: ({ npm }) => void process.kill(-(npm.pid ?? 0), 'SIGHUP'),
  },
]

/** Another Node has `tools/scripts/run.mjs` between npm and the program; under ours, run.mjs is the program. */
const NODES = [
  { which: 'the Node of the machine', env: { PATH: process.env['PATH'] } },
  { which: 'our Node', env: { PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}` } },
]

for (const { which, env } of NODES) {
  for (const { who, ends } of CASES) {
    test(`under ${which}, ${who} stops it in order`, async (t) => {
      const one = await start(t, env)
      ends(one)
      await one.isGone()
      assert.match(one.said(), /"stopped"/, 'the stop came to its end')
    })
  }
}

test('a second signal of a person ends it at once, and PostgreSQL with it', async (t) => {
  const one = await start(t, { STOP_NOTICE: '600' })
  const group = -(one.npm.pid ?? 0)
  process.kill(group, 'SIGINT')
  await until('it is stopping', () => one.said().includes('"stopping"'))
  // Signals of the first second count as one request: a later one of these is the second.
  await until('it is gone before its notice is over', () => {
    if (one.pids.some(isRunning)) signalIfAlive(group, 'SIGINT')
    return one.isDone()
  })
  assert.doesNotMatch(one.said(), /"stopped"/)
})

/** Returns the process, its children and theirs, and the database's processes that it started detached. */
function descendants({ pid = 0 }: ChildProcess): number[] {
  const lines = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
  const all = lines.map((line) => line.trim().split(/\s+/).map(Number))
  const found = [pid]
  for (const parent of found)
    found.push(...all.filter(([, ppid]) => ppid === parent).map(([child = 0]) => child))
  return found
}

/**
 * A process of ours that uses the embedded database of a data folder, as a test sees it: started for real, asked by
 * messages, killed or stopped. This file is both sides: run as a program it is the process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { isAlive, isServerOf } from '../../src/kit/postgres/embedded/processes.ts'
import { until } from './until.ts'

export const NOBODY = { uid: 65_534, gid: 65_534 }
export const IS_ROOT = process.geteuid?.() === 0

type Request = { id: number; act: 'query' | 'ensureRunning' | 'stop'; sql?: string }
type Reply = { id: number; rows?: Record<string, unknown>[]; url?: string; error?: string }

export type EmbeddedProcess = {
  pid: number
  url: string
  query(sql: string): Promise<Record<string, unknown>[]>
  ensureRunning(): Promise<void>
  /** Leaves the database in order and ends. */
  stop(): Promise<void>
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
}

export type ProcessOptions = {
  as?: { uid: number; gid: number }
  /** Folder of the project, where it is not this one. */
  root?: string
}

/** Starts the process and waits until its database is ready; throws its output where it is not. */
export async function startProcess(
  dataDir: string,
  options: ProcessOptions = {},
): Promise<EmbeddedProcess> {
  const { child, ready } = launchProcess(dataDir, options)
  const { url, error } = await ready
  if (url === undefined) throw new Error(error)

  let count = 0
  const ask = async (request: Omit<Request, 'id'>): Promise<Reply> => {
    const id = ++count
    child.send({ id, ...request })
    for (;;) {
      const [reply]: Reply[] = (await Promise.race([
        once(child, 'message'),
        untilSilent(child).then(() => [{ id, error: 'the process ended' }]),
      ])) as Reply[]
      if (reply?.id !== id) continue
      if (reply.error !== undefined) throw new Error(reply.error)
      return reply
    }
  }
  return {
    pid: child.pid!,
    url,
    query: async (sql) => (await ask({ act: 'query', sql })).rows!,
    ensureRunning: async () => void (await ask({ act: 'ensureRunning' })),
    stop: async () => {
      await ask({ act: 'stop' })
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Starts the process without waiting; `ready` resolves with its first message. */
export function launchProcess(dataDir: string, { as, root }: ProcessOptions = {}) {
  const file = path.relative(path.resolve(import.meta.dirname, '../..'), import.meta.filename)
  const program = root === undefined ? import.meta.filename : path.join(root, file)
  const child = fork(program, [dataDir], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], ...as })
  started.push({ dataDir, child })
  const ready: Promise<Reply> = Promise.race([
    once(child, 'message').then(([reply]: Reply[]) => reply!),
    untilSilent(child).then(() => ({ id: 0, error: 'the process ended' })),
  ])
  return { child, ready }
}

/** Resolves when no message can come any more: an exit may be told before the last message is. */
async function untilSilent(child: ChildProcess): Promise<void> {
  if (child.connected) await once(child, 'disconnect')
}

/** Processes of this test file, of which a failed test must leave none behind. */
const started: { dataDir: string; child: ChildProcess }[] = []

/** Makes a new folder that every user may search, removed after the test; `owner` may write to it. */
export function temporaryFolder(
  t: { after(work: () => void | Promise<void>): void },
  owner?: { uid: number; gid: number },
): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'embedded-')))
  fs.chmodSync(folder, 0o755)
  if (owner !== undefined) fs.chownSync(folder, owner.uid, owner.gid)
  t.after(async () => {
    for (const { dataDir, child } of started.filter(({ dataDir }) => dataDir.startsWith(folder))) {
      child.kill('SIGKILL')
      const pid = serverPid(dataDir)
      if (pid === null || !isServerOf(pid, path.join(dataDir, 'postgres'))) continue
      process.kill(pid, 'SIGQUIT')
      await until('the server is gone', () => !isAlive(pid))
    }
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

/** Returns the first line of the cluster's `postmaster.pid`, or null where no server runs. */
export function serverPid(dataDir: string): number | null {
  const file = path.join(dataDir, 'postgres', 'postmaster.pid')
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : null
}

async function beTheProcess(dataDir: string): Promise<void> {
  const { startEmbeddedPostgres } =
    await import('../../src/kit/postgres/embedded/embedded-postgres.ts')
  const say = (reply: Reply) => process.send?.(reply)
  const log = { info: () => undefined, warn: () => undefined }
  const server = await startEmbeddedPostgres({ dataDir, log }).catch((error: Error) => {
    say({
      id: 0,
      error: `${error.name}: ${error.message}${error.cause ? ` (${error.cause})` : ''}`,
    })
    process.disconnect()
  })
  if (server === undefined) return

  process.on('message', ({ id, act, sql }: Request) => {
    const acts = { query: () => query(server.url, sql!), ensureRunning: server.ensureRunning, stop }
    acts[act]()
      .then(
        (rows) => say({ id, ...(rows === undefined ? {} : { rows }) }),
        (error: Error) => say({ id, error: error.message }),
      )
      .finally(() => act === 'stop' && process.disconnect())
  })
  const stop = () => server.stop()
  say({ id: 0, url: server.url })
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

if (import.meta.main) await beTheProcess(process.argv[2]!)

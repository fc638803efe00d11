/**
 * PostgreSQL's programs as processes, each at work in one folder.
 *
 * A user without rights may not even search the folders above the data folder (`/root` is the usual case). On Linux the
 * program therefore inherits the open folder and reaches it as `/proc/self/fd/3`, which needs no permission above it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import type { OsUser } from './os-user.ts'

type Program = {
  file: string
  /** Returns the arguments, from the name under which the program reaches its folder. */
  args(folder: string): string[]
  /** Null runs it as the present user. */
  osUser: OsUser | null
}

/** The environment of the programs: none of the service's variables, and English messages. */
const ENVIRONMENT =
  process.platform === 'win32'
    ? {}
    : { env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' } }

/** Starts a program that outlives this process, and a Ctrl-C in its terminal; all that it says goes to `log`. */
export async function startProgram(
  folder: string,
  { log, ...program }: Program & { log: number },
): Promise<ChildProcess> {
  const child = spawnIn(folder, program, { detached: true, stdio: ['ignore', log, log] })
  child.unref()
  await once(child, 'spawn')
  return child
}

/**
 * Runs a program to its end, with `input` as its standard input, where no other process can read it. Its progress goes
 * to a pipe, so that it ends at its next line when this process is killed. Returns what it wrote on standard error.
 */
export async function runProgram(
  folder: string,
  { input = '', ...program }: Program & { input?: string },
): Promise<{ status: number | null; output: string }> {
  const child = spawnIn(folder, program, { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  child.stdin?.on('error', () => undefined) // it ended before it read, and its output says why
  child.stdin?.end(input)
  child.stdout?.resume()
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const [status] = await ended
  return { status, output }
}

function spawnIn(
  folder: string,
  { file, args, osUser }: Program,
  { detached = false, stdio }: { detached?: boolean; stdio: ('ignore' | 'pipe' | number)[] },
): ChildProcess {
  const isHandedOver =
    osUser !== null && process.platform === 'linux' && fs.existsSync('/proc/self/fd')
  const fd = isHandedOver ? fs.openSync(folder, 'r') : null
  try {
    return spawn(file, args(fd === null ? folder : '/proc/self/fd/3'), {
      cwd: path.parse(folder).root,
      detached,
      stdio: fd === null ? stdio : [...stdio, fd],
      ...ENVIRONMENT,
      ...osUser,
    })
  } finally {
    if (fd !== null) fs.closeSync(fd)
  }
}

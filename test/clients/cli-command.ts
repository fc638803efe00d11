/** The command `scriptorium` as its user starts it: a process of its own, with its own home. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestScope } from '../support/database.ts'
import { bareEnvironment } from '../support/service-process.ts'

export const CLI_SOURCE = path.resolve(import.meta.dirname, '../../clients/cli/src/main.ts')

export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string }

export type CliUser = {
  /** Folder of the user, below which all files of the commands are. */
  folder: string
  env: Record<string, string>
  runs(...args: string[]): Promise<Ended>
  /** Runs a command with this text on its standard input. */
  pipes(input: string, ...args: string[]): Promise<Ended>
  /** Starts a command, to be interrupted. */
  starts(...args: string[]): { child: ChildProcess; ended: Promise<Ended> }
  /** Returns the names of the files below a folder, hidden ones included. */
  files(name: string): string[]
}

/** Makes a user with a home folder that is removed after the test. `program` is the packed one, or the source. */
export function cliUser(
  scope: TestScope,
  env: Record<string, string>,
  program: readonly string[] = [process.execPath, CLI_SOURCE],
): CliUser {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cli-user-'))
  scope.after(async () => fs.rmSync(folder, { recursive: true, force: true }))
  const whole = { ...bareEnvironment(), HOME: folder, LC_ALL: 'C.UTF-8', ...env }
  const starts = (args: string[], input: string | null) => {
    const [file = '', ...before] = program
    const child = spawn(file, [...before, ...args], {
      cwd: folder,
      env: whole,
      stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    child.stdin?.end(input)
    return { child, ended: endOf(child) }
  }
  return {
    folder,
    env: whole,
    runs: (...args) => starts(args, null).ended,
    pipes: (input, ...args) => starts(args, input).ended,
    starts: (...args) => starts(args, null),
    files: (name) =>
      fs
        .readdirSync(path.join(folder, name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) =>
          path.relative(path.join(folder, name), path.join(entry.parentPath, entry.name)),
        )
        .sort(),
  }
}

async function endOf(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { code, signal, stdout, stderr }
}

/** The command in a pseudo-terminal (util-linux `script`), and its screen as a person sees it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CliUser } from './cli-command.ts'

export type TerminalRun = {
  child: ChildProcess
  /** Returns everything that was drawn so far. */
  raw(): string
  /** Presses keys. */
  types(keys: string): void
  ended: Promise<number | null>
}

export function inTerminal(
  { folder, env }: CliUser,
  { columns, env: more = {} }: { columns: number; env?: Record<string, string> },
  program: readonly string[],
): TerminalRun {
  const words = program.map((word) => `'${word}'`).join(' ')
  const child = spawn(
    'script',
    ['-qefc', `stty cols ${columns} rows 24; exec ${words}`, '/dev/null'],
    { cwd: folder, env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh', ...more } },
  )
  let raw = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (raw += text))
  return {
    child,
    raw: () => raw,
    types: (keys) => void child.stdin.write(keys),
    ended: once(child, 'close').then(([code]) => code as number | null),
  }
}

/**
 * Returns the lines that are left on the screen, without colours. It understands what a status line needs: CR, LF,
 * erase.
 */
export function screenOf(raw: string): string[] {
  const lines: string[][] = [[]]
  let column = 0
  const plain = raw.replace(/\u001b\[[\d;]*m/g, '')
  for (const [token] of plain.matchAll(/\u001b\[K|[^]/gu)) {
    const line = lines.at(-1) ?? []
    if (token === '\r') column = 0
    else if (token === '\n') lines.push([])
    else if (token === '\u001b[K') line.length = Math.min(line.length, column)
    else {
      line[column] = token
      column += 1
    }
  }
  return lines.map((line) => line.join('').trimEnd()).filter((line) => line !== '')
}

/** Returns each state of the line that is redrawn. */
export function drawnLines(raw: string): string[] {
  return [...raw.matchAll(/\r([^\r\n]*)\u001b\[K/g)]
    .map(([, line = '']) => line)
    .filter((line) => line !== '')
}

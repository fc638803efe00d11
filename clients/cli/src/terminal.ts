/**
 * Where a command writes: data on standard output, all else on standard error. On a terminal, standard
 * error has a status line that is redrawn; elsewhere only whole lines that stay true.
 */
import { printable } from './printable.ts'
import { wrapped } from './wrap.ts'

export type Terminal = {
  /** Data, as it is. Resolves when it was taken, so that a slow reader slows the writer. */
  data(text: string | Uint8Array): Promise<void>
  /** A line for people; outside text in it is made harmless. */
  say(line: string): void
  /** Like `say`, but --quiet does not silence it. */
  warn(line: string): void
  /** The line that is redrawn; nothing where there is no terminal. Null takes it away. */
  status(draw: ((look: Look) => string) | null): void
  /** Of standard output; wide where it is no terminal, so that nothing is cut in a pipe. */
  columns: number
  /** Whether standard error is a terminal that can redraw a line. */
  isLive: boolean
  /** Whether both standard input and standard error are terminals: only then may be asked. */
  canAsk: boolean
  isUnicode: boolean
}

/** `accent` marks text by a colour where there may be one. */
export type Look = { columns: number; isUnicode: boolean; accent: (text: string) => string }

const PIPE_COLUMNS = 1_000
const TERMINAL_COLUMNS = 80

export function openTerminal(
  {
    stdin,
    stdout,
    stderr,
    env,
    platform,
  }: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'platform'>,
  { isQuiet }: { isQuiet: boolean },
): Terminal {
  const isUnicode = knowsUnicode(env, platform)
  const isLive = stderr.isTTY === true && env['TERM'] !== 'dumb' && !isQuiet
  const hasColour = !env['NO_COLOR']
  const accent = (text: string): string => (hasColour ? `\u001b[36m${text}\u001b[39m` : text)
  let isDrawn = false
  const clear = (): void => {
    if (isDrawn) stderr.write('\r\u001b[K')
    isDrawn = false
  }
  const write = (line: string): void => {
    clear()
    stderr.write(`${shownLine(line, stderr, isUnicode)}\n`)
  }
  endQuietlyWithReader(stdout)
  return {
    isUnicode,
    isLive,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    columns: stdout.isTTY === true ? stdout.columns || TERMINAL_COLUMNS : PIPE_COLUMNS,
    async data(text) {
      clear()
      if (stdout.write(text)) return
      await new Promise((drained) => stdout.once('drain', drained))
    },
    say(line) {
      if (!isQuiet) write(line)
    },
    warn: write,
    status(draw) {
      if (!isLive) return
      const columns = stderr.columns || TERMINAL_COLUMNS
      if (draw === null) return clear()
      stderr.write(`\r${draw({ columns, isUnicode, accent })}\u001b[K`)
      isDrawn = true
    },
  }
}

/** A line for people, as it is written to this stream: broken between words where that is a terminal. */
export function shownLine(
  line: string,
  stream: NodeJS.WriteStream,
  isUnicode = knowsUnicode(process.env, process.platform),
): string {
  const safe = printable(line, { isUnicode })
  return stream.isTTY === true ? wrapped(safe, stream.columns || TERMINAL_COLUMNS) : safe
}

/** As the C library decides: the first of the three that is set. Windows' own terminals all know UTF-8. */
export function knowsUnicode(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return /utf-?8/i.test(locale)
}

/** `| head` closes the pipe when it has enough: that is no failure of ours. */
function endQuietlyWithReader(stdout: NodeJS.WriteStream): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

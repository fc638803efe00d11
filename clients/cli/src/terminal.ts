/**
 * Where a command writes: data to standard output, all else to standard error. On a terminal, standard error has a
 * status line that is redrawn; elsewhere it gets only whole lines that stay true.
 */
import { printable, shownData } from './printable.ts'
import { wrapped } from './wrap.ts'

export type Terminal = {
  /**
   * Writes data: bytes as they are, unless a terminal shows them; text without what a terminal obeys. Resolves when it
   * was taken, so that a slow reader slows the writer.
   */
  data(text: string | Uint8Array): Promise<void>
  /** Prints a line for people; outside text in it is made harmless. */
  say(line: string): void
  /** Prints a line as `say` does, even with --quiet. */
  warn(line: string): void
  /** Sets the line that is redrawn, where there is a terminal. Null removes it. */
  status(draw: ((look: Look) => string) | null): void
  /** Width of standard output; large where it is no terminal, so that nothing is cut in a pipe. */
  columns: number
  /** True where standard error is a terminal that can redraw a line, and the command is not quiet. */
  isLive: boolean
  /** True where both standard input and standard error are terminals, so that the command may ask. */
  canAsk: boolean
  isUnicode: boolean
}

/** `accent` colours text where colours are allowed. */
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
  const isTerminal = stdout.isTTY === true
  const decoder = new TextDecoder()
  const shownAs = (data: string | Uint8Array): string | Uint8Array => {
    if (typeof data === 'string') return shownData(data, { isTerminal })
    return isTerminal ? shownData(decoder.decode(data, { stream: true }), { isTerminal }) : data
  }
  endQuietlyWithReader(stdout)
  return {
    isUnicode,
    isLive,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    columns: isTerminal ? stdout.columns || TERMINAL_COLUMNS : PIPE_COLUMNS,
    async data(text) {
      clear()
      if (stdout.write(shownAs(text))) return
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

/** Returns a line for people as it is written to this stream: broken between words on a terminal. */
export function shownLine(
  line: string,
  stream: NodeJS.WriteStream,
  isUnicode = knowsUnicode(process.env, process.platform),
): string {
  const safe = printable(line, { isUnicode })
  return stream.isTTY === true ? wrapped(safe, stream.columns || TERMINAL_COLUMNS) : safe
}

/**
 * Returns whether the locale is UTF-8, from the first of the three variables that is set, as the C library decides.
 * Windows' own terminals all know UTF-8.
 */
export function knowsUnicode(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return /utf-?8/i.test(locale)
}

/** Ends the program where `| head` closes the pipe, which is no failure. */
function endQuietlyWithReader(stdout: NodeJS.WriteStream): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

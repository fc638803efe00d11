/** A command of the operator: its options, those that several commands take among them, and its result. */
import type { DatabaseContext } from '../context.ts'
import { ConfigError } from '../kit/settings.ts'

/** The result: a value for `--json` and lines for people. The exit code is 0 unless another one is said. */
export type CommandResult = {
  exitCode?: number
  value: unknown
  lines: string[] | AsyncIterable<string>
}

export type Command = {
  /**
   * The command's name, its words (in capitals) and its options. Arguments are read by it: an option that names no
   * value is a flag.
   */
  usage: string
  about: string
  /** True where it works on whatever server answers, and nothing that was told is compared with that before. */
  acceptsSystem?: true
  run(ctx: DatabaseContext, input: Input): Promise<CommandResult>
}

export type Input = {
  words: string[]
  /** Returns the option's value. Where it is missing, throws the sentence that asks for it. */
  option(name: string): string
  optional(name: string): string | null
  /** Returns whether the flag is there. */
  has(name: string): boolean
}

/** Returns the whole line that runs a command of the operator, as a shell takes it. */
export function commandLine(...words: string[]): string {
  return ['npm run --silent admin --', ...words.map(shellWord)].join(' ')
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** Returns a refusal that leads on: its sentence, then each command on a line of its own, to be copied. */
export function leadingTo(sentence: string, ...commands: string[][]): ConfigError {
  const lines = commands.map((words) => `\n  ${commandLine(...words)}`)
  return new ConfigError(`${sentence}:${lines.join('')}`)
}

// Options that several commands take: pages, whole numbers, one of some words.

const PAGE = { default: 50, max: 1_000 }

/** Returns `--limit`, which is `page.default` where it is not said, and `--offset`. */
export function readPage(input: Input, page = PAGE): { limit: number; offset: number } {
  const offset = { default: 0, max: Number.MAX_SAFE_INTEGER }
  return { limit: readWhole(input, 'limit', page), offset: readWhole(input, 'offset', offset) }
}

/** Returns the option's whole number; throws the sentence that names the option. */
export function readWhole(
  input: Input,
  option: string,
  range: { default: number; min?: number; max: number },
): number {
  const { min = 0, max } = range
  const text = input.optional(option) ?? String(range.default)
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(
    `--${option} must be a whole number ${min > 0 ? `from ${min} ` : ''}up to ${max}, not ${JSON.stringify(text)}`,
  )
}

/** Returns the option's word; null where the option is not there. */
export function readChoice<T extends string>(
  input: Input,
  option: string,
  words: readonly T[],
): T | null {
  const text = input.optional(option)
  if (text === null) return null
  const found = words.find((word) => word === text)
  if (found === undefined)
    throw new ConfigError(
      `--${option} must be one of ${words.join(', ')}, not ${JSON.stringify(text)}`,
    )
  return found
}

/** Returns what a command that lists answers: its page under `name` for programs, a line each for people. */
export function pageAnswer<T>(
  name: string,
  {
    items,
    lines,
    nextOffset,
    ...page
  }: { items: T[]; lines: string[]; nextOffset: number | null; limit: number; offset: number },
) {
  const more = nextOffset === null ? [] : [`there are more: --offset ${nextOffset}`]
  return {
    value: { ...page, nextOffset, [name]: items },
    lines: [...(lines.length > 0 ? lines : [`no ${name}`]), ...more],
  }
}

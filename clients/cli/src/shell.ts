/** What every command is given: its options, the terminal, the settings and the service. */
import { Scriptorium } from '../../typescript/src/index.ts'
import type { ApiKey } from '../../typescript/src/transport.ts'
import { savedKey } from './app-login.ts'
import { type ExitCode, usageFailure } from './failure.ts'
import type { Options } from './parse-words.ts'
import { jsonOf } from './printable.ts'
import type { Places } from './places.ts'
import { neededKey, neededServer, type Settings } from './settings.ts'
import type { Terminal } from './terminal.ts'

export type Shell = {
  terminal: Terminal
  options: Options
  words: string[]
  settings: Settings
  places: Places
  isJson: boolean
  stdin: NodeJS.ReadStream
  /** Sets the lines that Ctrl-C prints from now on; null for none. */
  onInterrupt(lines: readonly string[] | null): void
}

/** Resolves with the command's exit code. */
export type Command = (shell: Shell) => Promise<ExitCode>

/** Longest time of an answer, in milliseconds; the service may hold one for 20 s, two thirds of this. */
const TIMEOUT_MS = 30_000
/** Retries over some 15 s, in which the service can restart. */
const RETRIES_MAX = 5

/** Throws a failure where service or key is unknown. */
export function connect({ settings, places }: Pick<Shell, 'settings' | 'places'>): Scriptorium {
  return new Scriptorium({
    ...access({ settings, places }),
    timeoutMs: TIMEOUT_MS,
    maxRetries: RETRIES_MAX,
  })
}

/** Returns the service and its key, which a sign-in renews. Throws a failure where either is unknown. */
export function access({ settings, places }: Pick<Shell, 'settings' | 'places'>): {
  baseUrl: string
  apiKey: NonNullable<ApiKey>
} {
  const baseUrl = neededServer(settings)
  const apiKey = neededKey(settings)
  return { baseUrl, apiKey: settings.isLogin ? savedKey(places.configFile, baseUrl) : apiKey }
}

/** Prints the only value of `--json`, in one line: indenting it for people is left to jq. */
export function printJson({ terminal }: Pick<Shell, 'terminal'>, value: unknown): Promise<void> {
  return terminal.data(`${jsonOf(value)}\n`)
}

export function textOption(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns a whole number within bounds; undefined where the option was not given. */
export function numberOption(
  options: Options,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  const text = textOption(options, name)
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1
  if (value >= min && value <= max) return value
  throw usageFailure(`--${name} is a whole number from ${min} to ${max}, not "${text}"`)
}

/** Returns one of the choices; undefined where the option was not given. */
export function choiceOption<T extends string>(
  options: Options,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = textOption(options, name)
  const found = choices.find((choice) => choice === text)
  if (text === undefined || found !== undefined) return found
  throw usageFailure(`--${name} is ${choices.join(', ')}, not "${text}"`)
}

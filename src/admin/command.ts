/** A command of the operator: its options and its result. */
import type { DatabaseContext } from '../context.ts'

/**
 * The result: a value for `--json` and lines for people. Where `ok` is false, the exit code is 1 unless `exitCode` says
 * another.
 */
export type CommandResult = {
  ok: boolean
  exitCode?: number
  value: unknown
  lines: string[] | AsyncIterable<string>
}

export type Command = {
  usage: string
  about: string
  /** Options with a value; `--json` is always there. */
  options: readonly string[]
  /** Options without a value. */
  flags?: readonly string[]
  /** Number of words without `--` that it takes. */
  words: number
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

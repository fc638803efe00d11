/** A command of the operator: its options and its result. */
import type { DatabaseContext } from '../context.ts'

/** A value for `--json` and lines for people; `ok` false is exit code 1 unless another is told. */
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
  /** Options without one. */
  flags?: readonly string[]
  /** How many words without `--` it takes. */
  words: number
  run(ctx: DatabaseContext, input: Input): Promise<CommandResult>
}

export type Input = {
  words: string[]
  /** The value; throws the sentence that asks for it where it is missing. */
  option(name: string): string
  optional(name: string): string | null
  /** Whether the flag is there. */
  has(name: string): boolean
}

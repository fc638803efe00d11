/** How a command ends: its exit code, and the text of a failure. */
import { jsonOf } from './printable.ts'

/** Exit codes, which docs/command-line.md documents and scripts rely on. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  /** Some videos have no transcript; their reasons were printed. */
  partial: 3,
  /** There is no key, or the service does not know it. */
  login: 4,
  money: 5,
  /** EX_TEMPFAIL of sysexits.h: try again later. */
  busy: 75,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends the command with a sentence, and with a second one on what to do next. */
export class Failure extends Error {
  readonly exit: ExitCode
  /** Code for programs: the API's, or one of ours. */
  readonly code: string
  readonly hint: string | null

  constructor(
    message: string,
    { exit, code, hint = null }: { exit: ExitCode; code: string; hint?: string | null },
  ) {
    super(message)
    this.exit = exit
    this.code = code
    this.hint = hint
  }
}

export function usageFailure(message: string, hint: string | null = null): Failure {
  return new Failure(message, { exit: EXIT.usage, code: 'usage', hint })
}

/** Returns what `--json` prints on standard error. */
export function failureAsJson({ code, message, hint }: Failure): string {
  return jsonOf({ error: { code, message, ...(hint === null ? {} : { hint }) } })
}

#!/usr/bin/env node
/** The command `scriptorium`: reads its words, prints help or runs one command, and ends with its exit code. */
import { type ExitCode, EXIT, Failure, failureAsJson } from './failure.ts'
import { commandHelp, HELP_PAGE, mainHelp } from './help.ts'
import { type Invocation, parseWords } from './parse-words.ts'
import { knowsUnicode, shownLine } from './terminal.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<ExitCode> {
  try {
    const invocation = parseWords(args)
    if (invocation.kind !== 'command') return await printText(invocation)
    // Help is printed at once: the code that talks to the service is loaded on demand.
    const { runCommand } = await import('./run-command.ts')
    return await runCommand(invocation)
  } catch (error) {
    const failure = error instanceof Failure ? error : faultOf(error)
    return fail(failure, args.includes('--json'))
  }
}

async function printText(invocation: Exclude<Invocation, { kind: 'command' }>): Promise<ExitCode> {
  if (invocation.kind === 'version') {
    const { ownVersion } = await import('./version.ts')
    process.stdout.write(`${ownVersion()}\n`)
  } else {
    const { env, platform, stdout } = process
    const columns = stdout.isTTY === true ? stdout.columns || HELP_PAGE.columns : HELP_PAGE.columns
    const page = { columns, isUnicode: knowsUnicode(env, platform) }
    const text =
      invocation.kind === 'main_help' ? mainHelp(page) : commandHelp(invocation.command, page)
    const lines = text.split('\n').map((line) => shownLine(line, stdout))
    stdout.write(lines.join('\n'))
  }
  return EXIT.ok
}

function fail(failure: Failure, isJson: boolean): ExitCode {
  if (isJson) process.stderr.write(`${failureAsJson(failure)}\n`)
  else {
    const hint = failure.hint === null ? [] : [`  ${failure.hint}`]
    for (const line of [...`scriptorium: ${failure.message}`.split('\n'), ...hint])
      process.stderr.write(`${shownLine(line, process.stderr)}\n`)
  }
  return failure.exit
}

/** Returns the failure of an error that should not happen: its stack is worth more than a sentence. */
function faultOf(error: unknown): Failure {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const hint = 'this is a fault of scriptorium itself; please report it'
  return new Failure(text, { exit: EXIT.error, code: 'fault', hint })
}

/**
 * The operator's commands: `admin NOUN [VERB] …`. The exit code is 0 only if all is done; `--json` prints one value.
 */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import type { DatabaseContext } from '../context.ts'
import { ConfigError } from '../kit/settings.ts'
import { escapedJson, terminalText } from '../kit/text/controls.ts'
import { ACCOUNT_COMMANDS } from './account-commands.ts'
import { OVERVIEW_COMMANDS } from './account-overview-commands.ts'
import { BACKUP_COMMANDS } from './backup-commands.ts'
import { clientsCommand } from './client-commands.ts'
import type { Command, Input } from './command.ts'
import { doctorCommand } from './doctor-command.ts'
import { FAILOVER_COMMANDS } from './failover-commands.ts'
import { JOB_COMMANDS } from './job-commands.ts'
import { KEY_COMMANDS } from './key-commands.ts'
import { MONEY_COMMANDS } from './ledger-commands.ts'
import { OPERATOR_COMMANDS } from './operator-commands.ts'
import { SERVICE_COMMANDS } from './service-commands.ts'

const COMMANDS: readonly Command[] = [
  ...ACCOUNT_COMMANDS,
  ...OVERVIEW_COMMANDS,
  ...JOB_COMMANDS,
  ...SERVICE_COMMANDS,
  ...OPERATOR_COMMANDS,
  ...KEY_COMMANDS,
  ...MONEY_COMMANDS,
  ...FAILOVER_COMMANDS,
  clientsCommand,
  doctorCommand,
  ...BACKUP_COMMANDS,
]

export type Terminal = {
  /** Opens the database that the command works on, once its words are understood. */
  open: (how: { acceptsSystem: boolean }) => Promise<DatabaseContext>
  print: (text: string) => void
}

/** Runs a command and prints its result. Returns the exit code; an error's message is one sentence for the operator. */
export async function admin(args: string[], { open, print }: Terminal): Promise<number> {
  const command = COMMANDS.find((one) => commandWords(one).every((word, at) => word === args[at]))
  if (command === undefined) throw new ConfigError(usage(args))
  const { input, isJson } = readInput(command, args.slice(commandWords(command).length))

  const ctx = await open({ acceptsSystem: command.acceptsSystem === true })
  try {
    const answer = await command.run(ctx, input)
    if (isJson) print(`${escapedJson(JSON.stringify(answer.value))}\n`)
    else for await (const line of answer.lines) print(terminalText(`${line}\n`))
    return answer.exitCode ?? 0
  } finally {
    await ctx.close()
  }
}

/** Returns the words of the command's name: those in small letters with which its usage begins. */
function commandWords({ usage }: Command): string[] {
  return plainWordsOf(usage).filter((word) => word === word.toLowerCase())
}

/** Returns the words before the first option. */
function plainWordsOf(usage: string): string[] {
  const [words = ''] = usage.split(/ \[?--/, 1)
  return words.split(' ')
}

function usage(args: string[]): string {
  const lines = COMMANDS.map((command) => `  admin ${command.usage}\n      ${command.about}`)
  const what =
    args.length === 0
      ? 'name a command'
      : `there is no command "admin ${args.slice(0, 2).join(' ')}"`
  return `${what}; there are:\n${lines.join('\n')}`
}

function readInput(command: Command, args: string[]): { input: Input; isJson: boolean } {
  const { values, positionals: words } = parseWords(command, args)
  const wanted = plainWordsOf(command.usage).length - commandWords(command).length
  if (words.length !== wanted) throw new ConfigError(`usage: admin ${command.usage}`)
  const optional = (name: string): string | null => {
    const value = values[name]
    return typeof value === 'string' ? value : null
  }
  const input: Input = {
    words,
    optional,
    option(name) {
      const value = optional(name)
      if (value === null)
        throw new ConfigError(`--${name} is missing; usage: admin ${command.usage}`)
      return value
    },
    has: (name) => values[name] === true,
  }
  return { input, isJson: values['json'] === true }
}

function parseWords(command: Command, args: string[]) {
  const options: ParseArgsOptionsConfig = {}
  for (const [, name = '', value] of command.usage.matchAll(/--([a-z-]+)( [^[\] ]+)?/g))
    options[name] = { type: value === undefined ? 'boolean' : 'string' }
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [said] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/, 1)
    throw new ConfigError(`${said}; usage: admin ${command.usage}`)
  }
}

/** The operator's commands: `admin NOUN [VERB] …`. Exit code 0 only if done; `--json` prints one value. */
import { openDatabaseContext, openLog, type DatabaseContext } from '../context.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../settings.ts'
import { createAccountCommand } from './account-commands.ts'
import { backupCommand, restoreCommand } from './backup-commands.ts'
import { doctorCommand } from './doctor-commands.ts'
import { addCreditCommand } from './credit-commands.ts'
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './key-commands.ts'
import { claimsCommand, rotateKeyCommand, statementCommand, verifyLedgerCommand } from './ledger-commands.ts'

/** What a command answers: a value for `--json` and lines for people; `ok` false is exit code 1. */
export type Answer = { ok: boolean; value: unknown; lines: string[] | AsyncIterable<string> }

export type Command = {
  usage: string
  about: string
  /** Options with a value; `--json` is always there. */
  options: readonly string[]
  /** How many words without `--` it takes. */
  words: number
  run(ctx: DatabaseContext, input: Input): Promise<Answer>
}

export type Input = { words: string[]; option(name: string): string; optional(name: string): string | null }

const COMMANDS: Record<string, Command> = {
  'account create': createAccountCommand,
  'key create': createKeyCommand,
  'key list': listKeysCommand,
  'key revoke': revokeKeyCommand,
  'credit add': addCreditCommand,
  doctor: doctorCommand,
  backup: backupCommand,
  restore: restoreCommand,
  'ledger verify': verifyLedgerCommand,
  'ledger statement': statementCommand,
  'payment claims': claimsCommand,
  'signing-key rotate': rotateKeyCommand,
}

export async function admin(config: Config, args: string[]): Promise<number> {
  const name = [args.slice(0, 2).join(' '), args[0] ?? ''].find((words) => Object.hasOwn(COMMANDS, words))
  const command = name === undefined ? undefined : COMMANDS[name]
  if (name === undefined || command === undefined) throw new ConfigError(usage(args))
  const { input, isJson } = readInput(command, args.slice(name.split(' ').length))

  const ctx = await openDatabaseContext(config, { log: openLog({ ...config, LOG_LEVEL: 'warn' }, 2) })
  try {
    const answer = await command.run(ctx, input)
    const text = isJson ? [JSON.stringify(answer.value)] : answer.lines
    for await (const line of text) process.stdout.write(`${line}\n`)
    return answer.ok ? 0 : 1
  } finally {
    await ctx.close()
  }
}

function usage(args: string[]): string {
  const lines = Object.values(COMMANDS).map((command) => `  admin ${command.usage}\n      ${command.about}`)
  const what = args.length === 0 ? 'name a command' : `there is no command "admin ${args.slice(0, 2).join(' ')}"`
  return `${what}; there are:\n${lines.join('\n')}`
}

function readInput(command: Command, args: string[]): { input: Input; isJson: boolean } {
  const options = new Map<string, string>()
  const words: string[] = []
  let isJson = false
  for (let place = 0; place < args.length; place += 1) {
    const arg = args[place] ?? ''
    const [flag = '', inline] = arg.split(/=(.*)/s, 2)
    const name = flag.slice(2)
    if (arg === '--json') isJson = true
    else if (!arg.startsWith('--')) words.push(arg)
    else if (!command.options.includes(name)) throw new ConfigError(`unknown option ${flag}; usage: admin ${command.usage}`)
    else {
      const value = inline ?? args[(place += 1)]
      if (value === undefined) throw new ConfigError(`${flag} needs a value; usage: admin ${command.usage}`)
      options.set(name, value)
    }
  }
  if (words.length !== command.words) throw new ConfigError(`usage: admin ${command.usage}`)
  const input: Input = {
    words,
    optional: (name) => options.get(name) ?? null,
    option(name) {
      const value = options.get(name)
      if (value === undefined) throw new ConfigError(`--${name} is missing; usage: admin ${command.usage}`)
      return value
    },
  }
  return { input, isJson }
}

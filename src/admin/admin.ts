/**
 * The operator's commands: `admin NOUN [VERB] …`. The exit code is 0 only if all is done; `--json` prints one value.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { DatabaseContext } from '../context.ts'
import { ConfigError } from '../kit/config/settings.ts'
import {
  createAccountCommand,
  deleteAccountCommand,
  exportAccountCommand,
  resumeAccountCommand,
  suspendAccountCommand,
} from './account-commands.ts'
import {
  listAccountsCommand,
  showAccountCommand,
  subscriptionsCommand,
  usageCommand,
} from './account-overview-commands.ts'
import { backupCommand, migrateCommand, restoreCommand } from './backup-commands.ts'
import { doctorCommand } from './doctor.ts'
import { clientsCommand } from './client-commands.ts'
import type { Command, Input } from './command.ts'
import {
  addCreditCommand,
  claimsCommand,
  rotateKeyCommand,
  statementCommand,
  verifyLedgerCommand,
} from './ledger-commands.ts'
import { cancelJobCommand, listJobsCommand, showJobCommand } from './job-commands.ts'
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './key-commands.ts'
import {
  actsCommand,
  grantOperatorCommand,
  listOperatorsCommand,
  revokeOperatorCommand,
} from './operator-commands.ts'
import {
  deliveriesCommand,
  healthCommand,
  settingsCommand,
  storageCommand,
} from './service-commands.ts'

const COMMANDS: Record<string, Command> = {
  'account create': createAccountCommand,
  'account list': listAccountsCommand,
  'account show': showAccountCommand,
  'account suspend': suspendAccountCommand,
  'account resume': resumeAccountCommand,
  'account export': exportAccountCommand,
  'account delete': deleteAccountCommand,
  'job list': listJobsCommand,
  'job show': showJobCommand,
  'job cancel': cancelJobCommand,
  subscriptions: subscriptionsCommand,
  usage: usageCommand,
  health: healthCommand,
  deliveries: deliveriesCommand,
  storage: storageCommand,
  settings: settingsCommand,
  'operator grant': grantOperatorCommand,
  'operator revoke': revokeOperatorCommand,
  'operator list': listOperatorsCommand,
  acts: actsCommand,
  'key create': createKeyCommand,
  'key list': listKeysCommand,
  'key revoke': revokeKeyCommand,
  'credit add': addCreditCommand,
  clients: clientsCommand,
  doctor: doctorCommand,
  backup: backupCommand,
  restore: restoreCommand,
  migrate: migrateCommand,
  'ledger verify': verifyLedgerCommand,
  'ledger statement': statementCommand,
  'payment claims': claimsCommand,
  'signing-key rotate': rotateKeyCommand,
}

export type Terminal = {
  /** Opens the database that the command works on, once its words are understood. */
  open: () => Promise<DatabaseContext>
  print: (text: string) => void
}

/** Runs a command and prints its result. Returns the exit code; an error's message is one sentence for the operator. */
export async function admin(args: string[], { open, print }: Terminal): Promise<number> {
  const name = [args.slice(0, 2).join(' '), args[0] ?? ''].find((words) =>
    Object.hasOwn(COMMANDS, words),
  )
  const command = name === undefined ? undefined : COMMANDS[name]
  if (name === undefined || command === undefined) throw new ConfigError(usage(args))
  const { input, isJson } = readInput(command, args.slice(name.split(' ').length))

  const ctx = await open()
  try {
    const answer = await command.run(ctx, input)
    const text = isJson ? [JSON.stringify(answer.value)] : answer.lines
    for await (const line of text) print(`${line}\n`)
    return answer.exitCode ?? (answer.ok ? 0 : 1)
  } finally {
    await ctx.close()
  }
}

function usage(args: string[]): string {
  const lines = Object.values(COMMANDS).map(
    (command) => `  admin ${command.usage}\n      ${command.about}`,
  )
  const what =
    args.length === 0
      ? 'name a command'
      : `there is no command "admin ${args.slice(0, 2).join(' ')}"`
  return `${what}; there are:\n${lines.join('\n')}`
}

function readInput(command: Command, args: string[]): { input: Input; isJson: boolean } {
  const { values, positionals: words } = parseWords(command, args)
  if (words.length !== command.words) throw new ConfigError(`usage: admin ${command.usage}`)
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
  const options: NonNullable<ParseArgsConfig['options']> = {
    json: { type: 'boolean' },
    ...Object.fromEntries(command.options.map((name) => [name, { type: 'string' } as const])),
    ...Object.fromEntries(
      (command.flags ?? []).map((name) => [name, { type: 'boolean' } as const]),
    ),
  }
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [said] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/, 1)
    throw new ConfigError(`${said}; usage: admin ${command.usage}`)
  }
}

/** `admin account create|suspend|resume`: creates, suspends and resumes accounts. */
import os from 'node:os'
import {
  createAccountWithKey,
  resumeAccount,
  suspendAccount,
} from '../features/accounts/account.ts'
import { formatUsd, parseUsd } from '../model/money/money.ts'
import { ConfigError } from '../kit/config/settings.ts'
import { isUniqueViolation } from '../kit/postgres/database.ts'
import type { Command, Input } from './command.ts'
import { requireAccount } from './key-commands.ts'

const EMAIL = /^[^\s@]+@[^\s@]+$/

export const createAccountCommand: Command = {
  usage: 'account create --email E [--credit-usd 10] [--json]',
  about: 'creates an account with an API key (shown only once) and credit',
  options: ['email', 'credit-usd'],
  words: 0,
  async run({ db }, input) {
    const email = input.option('email')
    if (!EMAIL.test(email))
      throw new ConfigError(`--email ${JSON.stringify(email)} is not an email address`)
    const micros = readUsd('credit-usd', input.optional('credit-usd') ?? '0')
    try {
      const made = await createAccountWithKey(db, { email, micros })
      const lines = [
        `account ${made.accountId} for ${email} with ${formatUsd(micros)} USD`,
        `API key (shown only once): ${made.apiKey}`,
      ]
      return { ok: true, value: made, lines }
    } catch (error) {
      if (!isUniqueViolation(error, 'account_email')) throw error
      throw new ConfigError(
        `${email} already has an account; add credit with: admin credit add --account ${email}`,
      )
    }
  },
}

export const suspendAccountCommand: Command = {
  usage: 'account suspend A --reason R [--by NAME] [--json]',
  about:
    'blocks the keys and sessions of an account at once; cancels and settles its jobs; keeps its money',
  options: ['reason', 'by'],
  words: 1,
  async run({ db }, input) {
    const { id: accountId, email } = await requireAccount(db, input.words[0] ?? '')
    const reason = readReason(input)
    const suspension = await suspendAccount(db, { accountId, actor: actorOf(input), reason })
    if (suspension === null)
      throw new ConfigError(`${email} is already suspended; see: admin account show ${email}`)
    const { stoppedJobs } = suspension
    const lines = [
      `${email} is suspended; ${stoppedJobs.length === 1 ? 'one job was' : `${stoppedJobs.length} jobs were`} cancelled and settled`,
    ]
    return {
      ok: true,
      value: { accountId, state: 'suspended', reason, cancelledJobs: stoppedJobs },
      lines,
    }
  },
}

export const resumeAccountCommand: Command = {
  usage: 'account resume A [--reason R] [--by NAME] [--json]',
  about: 'ends the suspension of an account: its keys work again',
  options: ['reason', 'by'],
  words: 1,
  async run({ db }, input) {
    const { id: accountId, email } = await requireAccount(db, input.words[0] ?? '')
    const reason = input.optional('reason')
    if (!(await resumeAccount(db, { accountId, actor: actorOf(input), reason })))
      throw new ConfigError(`${email} is not suspended`)
    return {
      ok: true,
      value: { accountId, state: 'active' },
      lines: [`${email} is active again`],
    }
  },
}

/** Returns the operator's name: `--by`, or the operating system's user. */
export function actorOf(input: Input): string {
  return input.optional('by') ?? os.userInfo().username
}

/** Returns `--reason`; throws where it is blank. */
export function readReason(input: Input): string {
  const reason = input.option('reason').trim()
  if (reason === '') throw new ConfigError('--reason must not be blank; it is recorded')
  return reason
}

/** Returns the micros of a `--…usd` option; throws the sentence that names it. */
export function readUsd(option: string, text: string): bigint {
  const micros = parseUsd(text)
  if (micros !== null) return micros
  throw new ConfigError(
    `--${option} must be a plain amount of USD such as 10 or 2.50, not ${JSON.stringify(text)}`,
  )
}

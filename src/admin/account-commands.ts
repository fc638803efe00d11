/** `admin account create`: an account, its first key and its first credit, in one transaction. */
import { createAccountWithKey } from '../accounts/create-account.ts'
import { formatUsd, parseUsd } from '../billing/money.ts'
import { ConfigError } from '../settings.ts'
import { isUniqueViolation } from '../store/database.ts'
import type { Command } from './admin.ts'

const EMAIL = /^[^\s@]+@[^\s@]+$/

export const createAccountCommand: Command = {
  usage: 'account create --email E [--credit-usd 10] [--json]',
  about: 'makes an account with an API key, shown only now, and credit',
  options: ['email', 'credit-usd'],
  words: 0,
  async run({ db }, input) {
    const email = input.option('email')
    if (!EMAIL.test(email)) throw new ConfigError(`--email ${JSON.stringify(email)} is no e-mail address`)
    const micros = readUsd('credit-usd', input.optional('credit-usd') ?? '0')
    try {
      const made = await createAccountWithKey(db, { email, micros })
      const lines = [
        `account ${made.accountId} for ${email} with ${formatUsd(micros)} USD`,
        `API key, shown only now: ${made.apiKey}`,
      ]
      return { ok: true, value: made, lines }
    } catch (error) {
      if (!isUniqueViolation(error, 'account_email')) throw error
      throw new ConfigError(`${email} has an account already; add credit with: admin credit add --account ${email}`)
    }
  },
}

/** Micros of a `--…usd` option; throws the sentence that names it. */
export function readUsd(option: string, text: string): bigint {
  const micros = parseUsd(text)
  if (micros !== null) return micros
  throw new ConfigError(`--${option} must be a plain amount of USD such as 10 or 2.50, not ${JSON.stringify(text)}`)
}

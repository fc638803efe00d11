/** `admin credit add`: the operator's top-up, with its reason. */
import { randomUUID } from 'node:crypto'
import { formatUsd } from '../billing/money.ts'
import { available } from '../billing/ledger.ts'
import { addCredit } from '../billing/top-up.ts'
import { ConfigError } from '../settings.ts'
import { transact } from '../postgres/database.ts'
import { readUsd } from './account-commands.ts'
import type { Command } from './command.ts'
import { requireAccount } from './key-commands.ts'

export const addCreditCommand: Command = {
  usage: 'credit add --account A --usd 5 --reason R [--json]',
  about: 'adds credit to an account, named by id or email address',
  options: ['account', 'usd', 'reason'],
  words: 0,
  async run({ db }, input) {
    const { id: accountId } = await requireAccount(db, input.option('account'))
    const micros = readUsd('usd', input.option('usd'))
    const reason = input.option('reason')
    if (micros === 0n) throw new ConfigError('--usd must be more than 0')
    const reference = `grant:${randomUUID()}`
    const balance = await transact(db, (tx) =>
      addCredit(tx, { accountId, micros, reference, reason }),
    )
    const value = {
      accountId,
      addedUsd: formatUsd(micros),
      balance: formatUsd(available(balance)),
      reference,
    }
    return {
      ok: true,
      value,
      lines: [`${value.addedUsd} USD added; ${value.balance} USD available`],
    }
  },
}

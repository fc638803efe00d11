/** `admin credit add`: the operator's top-up, with its reason. */
import { formatUsd } from '../model/money/money.ts'
import { giveCredit } from '../features/operator/give-credit.ts'
import { ConfigError } from '../kit/config/settings.ts'
import { actorOf, readUsd } from './account-commands.ts'
import type { Command } from './command.ts'
import { requireLivingAccount } from './key-commands.ts'

export const addCreditCommand: Command = {
  usage: 'credit add --account A --usd 5 --reason R [--by NAME] [--json]',
  about: 'adds credit to an account, named by id or email address',
  options: ['account', 'usd', 'reason', 'by'],
  words: 0,
  async run({ db }, input) {
    const { id: accountId } = await requireLivingAccount(db, input.option('account'))
    const micros = readUsd('usd', input.option('usd'))
    const reason = input.option('reason')
    if (micros === 0n) throw new ConfigError('--usd must be more than 0')
    const actor = actorOf(input)
    const { reference, availableMicros } = await giveCredit(db, {
      accountId,
      micros,
      actor,
      reason,
    })
    const value = {
      accountId,
      addedUsd: formatUsd(micros),
      balance: formatUsd(availableMicros),
      reference,
    }
    return {
      ok: true,
      value,
      lines: [`${value.addedUsd} USD added; ${value.balance} USD available`],
    }
  },
}

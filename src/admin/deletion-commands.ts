/** `admin account delete`: an account ends for good; what is left says which backups still hold it. */
import assert from 'node:assert/strict'
import {
  deleteAccount,
  eraseAccount,
  LEFT_MONEY,
  type LeftMoney,
} from '../features/accounts/delete-account.ts'
import { formatUsd } from '../model/money/money.ts'
import { type DatedBackup, datedBackup, listBackups } from '../features/backup/list-backups.ts'
import type { Config } from '../kit/config/config.ts'
import { ConfigError } from '../kit/config/settings.ts'
import { actorOf, readReason } from './account-commands.ts'
import type { Command } from './command.ts'
import { requireAccount } from './key-commands.ts'
import { readChoice } from './paging.ts'

export const deleteAccountCommand: Command = {
  usage: `account delete A --reason R [--balance ${LEFT_MONEY.join('|')}] [--by NAME] [--json]`,
  about:
    'deletes an account for good: its jobs end settled, its texts, rows, keys, webhooks and people go; the ledger stays, without a name. ' +
    'Repeated with the id, it goes on where it was interrupted',
  options: ['reason', 'balance', 'by'],
  words: 1,
  async run({ db, config }, input) {
    const { id: accountId, deletedAt } = await requireAccount(db, input.words[0] ?? '')
    const backups = await readBackups(config)
    const order = {
      accountId,
      backups,
      actor: actorOf(input),
      reason: readReason(input),
      leftMoney: readChoice(input, 'balance', LEFT_MONEY) as LeftMoney | null,
    }
    const deletion = await deleteAccount(db, order)
    if (deletion.kind === 'has_money') throw moneyLeft(deletion.micros)
    const erased = await eraseAccount(db, accountId)

    // The account is read again where another operator deleted it meanwhile.
    const before = deletedAt ?? (await requireAccount(db, accountId)).deletedAt
    const at = deletion.kind === 'deleted' ? deletion.at : before
    assert(at !== null, 'what is deleted says since when')
    const left = deletion.kind === 'deleted' ? deletion.leftMicros : 0n
    const cancelledJobs = deletion.kind === 'deleted' ? deletion.stoppedJobs : []
    const holding = presentBackups(backups, at)
    const rows = Object.values(erased).reduce((sum, count) => sum + count, 0)
    const lines = [
      `${accountId} is deleted; ${cancelledJobs.length} jobs were cancelled and settled, ${rows} rows erased`,
      ...(left > 0n
        ? [`${formatUsd(left)} USD were left and are ${order.leftMoney} in the ledger`]
        : []),
      ...linesOf(holding, config),
    ]
    const value = { accountId, state: 'deleted', deletedAt: at.toISOString() }
    return {
      ok: true,
      value: { ...value, cancelledJobs, leftUsd: formatUsd(left), erased, backups: holding },
      lines,
    }
  },
}

function moneyLeft(micros: bigint): ConfigError {
  return new ConfigError(
    `the account owns ${formatUsd(micros)} USD and nothing was done; pay it back and say --balance paid-back, ` +
      'or say --balance given-up where its owner leaves it',
  )
}

/**
 * Reads the backups before anything is deleted: an account is not deleted where the folder that holds its copies cannot
 * be read.
 */
async function readBackups({ BACKUP_DIR, BACKUP_DAYS }: Config): Promise<DatedBackup[]> {
  if (BACKUP_DIR === null) return []
  const known = await listBackups(BACKUP_DIR).catch((cause: Error) => {
    throw new ConfigError(`BACKUP_DIR ${BACKUP_DIR} cannot be read: ${cause.message}`)
  })
  return known.map((backup) => datedBackup(backup, BACKUP_DAYS))
}

/** Presents the backups that hold the account; `isDue` is true for one older than backups are to become. */
function presentBackups(backups: DatedBackup[], at: Date) {
  return backups
    .filter(({ createdAt }) => createdAt < at)
    .map(({ file, createdAt, removeBy }) => ({
      file,
      createdAt: createdAt.toISOString(),
      removeBy: removeBy.toISOString(),
      isDue: removeBy <= at,
    }))
}

function linesOf(backups: ReturnType<typeof presentBackups>, { BACKUP_DIR }: Config): string[] {
  if (BACKUP_DIR === null)
    return ['backups from before still hold it; set BACKUP_DIR to have them named']
  if (backups.length === 0) return [`no backup in ${BACKUP_DIR} is older than the deletion`]
  return backups.map(({ file, createdAt, removeBy, isDue }) =>
    isDue
      ? `backup ${file} of ${createdAt} still holds it and is too old: remove it now`
      : `backup ${file} of ${createdAt} still holds it: remove it by ${removeBy}`,
  )
}

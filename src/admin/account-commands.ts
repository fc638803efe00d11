/**
 * `admin account create|suspend|resume|delete|export`: opens, stops and ends accounts, and takes along what they have.
 */
import { counted } from '../kit/text/counted.ts'
import assert from 'node:assert/strict'
import { open, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  createAccountWithKey,
  resumeAccount,
  suspendAccount,
} from '../features/accounts/account.ts'
import {
  deleteAccount,
  eraseAccount,
  LEFT_MONEY,
  type LeftMoney,
} from '../features/accounts/delete-account.ts'
import { exportAccount } from '../features/accounts/export-account.ts'
import { type DatedBackup, datedBackup, listBackups } from '../features/backup/list-backups.ts'
import { openSigner } from '../features/money/receipts.ts'
import { textsOf } from '../features/transcripts/read-stored.ts'
import { sendZip } from '../features/files/send-zip.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../kit/settings.ts'
import { hasVisible, withoutInvisible } from '../kit/text/invisible.ts'
import { isUniqueViolation } from '../kit/postgres/database.ts'
import { dollars, formatUsd, parseUsd } from '../model/money/money.ts'
import { type Command, type Input, leadingTo, readChoice } from './command.ts'
import { requireAccount } from './key-commands.ts'

const EMAIL = /^[^\s@]+@[^\s@]+$/

const createAccountCommand: Command = {
  usage: 'account create --email E [--credit-usd 10] [--json]',
  about: 'creates an account with an API key (shown only once) and credit',
  async run({ db }, input) {
    const email = input.option('email')
    if (!EMAIL.test(email) || withoutInvisible(email) !== email)
      throw new ConfigError(`--email ${JSON.stringify(email)} is not an email address`)
    const micros = readUsd('credit-usd', input.optional('credit-usd') ?? '0')
    try {
      const made = await createAccountWithKey(db, { email, micros })
      const lines = [
        `account ${made.accountId} for ${email} with ${dollars(micros)}`,
        `API key (shown only once): ${made.apiKey}`,
      ]
      return { value: made, lines }
    } catch (error) {
      if (!isUniqueViolation(error, 'account_email')) throw error
      throw hasAccount(email, micros)
    }
  },
}

/** The refusal for a known address: how it gets what was asked for, the credit and a key. */
function hasAccount(email: string, micros: bigint): ConfigError {
  const credit = ['credit', 'add', '--account', email, '--usd', formatUsd(micros)]
  return leadingTo(
    `${email} already has an account; ${micros > 0n ? 'add the credit, and create a key, with' : 'create a key with'}`,
    ...(micros > 0n ? [[...credit, '--reason', 'credit at the start']] : []),
    ['key', 'create', '--account', email, '--name', 'default', '--json'],
  )
}

const suspendAccountCommand: Command = {
  usage: 'account suspend A --reason R [--by NAME] [--json]',
  about:
    'blocks the keys and sessions of an account at once; cancels and settles its jobs; keeps its money',
  async run({ db }, input) {
    const { id: accountId, email } = await requireAccount(db, input.words[0] ?? '')
    const reason = readReason(input)
    const suspension = await suspendAccount(db, { accountId, actor: actorOf(input), reason })
    if (suspension === null)
      throw leadingTo(`${email} is already suspended; see`, ['account', 'show', email])
    const { stoppedJobs } = suspension
    const lines = [
      `${email} is suspended; ${counted(stoppedJobs.length, 'job')} cancelled and settled`,
    ]
    const value = { accountId, state: 'suspended', reason, cancelledJobs: stoppedJobs }
    return { value, lines }
  },
}

const resumeAccountCommand: Command = {
  usage: 'account resume A [--reason R] [--by NAME] [--json]',
  about: 'ends the suspension of an account: its keys work again',
  async run({ db }, input) {
    const { id: accountId, email } = await requireAccount(db, input.words[0] ?? '')
    const reason = input.optional('reason')
    if (!(await resumeAccount(db, { accountId, actor: actorOf(input), reason })))
      throw new ConfigError(`${email} is not suspended`)
    return { value: { accountId, state: 'active' }, lines: [`${email} is active again`] }
  },
}

/** Returns the operator's name: `--by`, or the operating system's user. */
export function actorOf(input: Input): string {
  return input.optional('by') ?? os.userInfo().username
}

/** Returns `--reason`; throws where it is blank. */
export function readReason(input: Input): string {
  const reason = input.option('reason').trim()
  if (!hasVisible(reason)) throw new ConfigError('--reason must not be blank; it is recorded')
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

// `admin account delete`: an account ends for good; what is left says which backups still hold it.

const deleteAccountCommand: Command = {
  usage: `account delete A --reason R [--balance ${LEFT_MONEY.join('|')}] [--by NAME] [--json]`,
  about:
    'deletes an account for good: its jobs end settled, its texts, rows, keys, webhooks and people go; the ledger stays, without a name. ' +
    'Repeated with the ID, it continues where it was interrupted',
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
    const holding = backups
      .filter(({ createdAt }) => createdAt < at)
      .map((backup) => ({ ...backup, isDue: backup.removeBy <= at }))
    const rows = Object.values(erased).reduce((sum, count) => sum + count, 0)
    const lines = [
      `${accountId} is deleted; ${counted(cancelledJobs.length, 'job')} cancelled and settled, ${counted(rows, 'row')} erased`,
      ...(left > 0n
        ? [`${dollars(left)} was left and is recorded as ${order.leftMoney} in the ledger`]
        : []),
      ...linesOf(holding, config),
    ]
    const deleted = { accountId, state: 'deleted', deletedAt: at, cancelledJobs }
    const value = { ...deleted, leftUsd: formatUsd(left), erased, backups: holding }
    return { value, lines }
  },
}

function moneyLeft(micros: bigint): ConfigError {
  return new ConfigError(
    `the account owns ${dollars(micros)} and nothing was done; pay it back and say --balance paid-back, ` +
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

/** Returns what is to be done about the backups that hold the account; `isDue` says that one is too old already. */
function linesOf(backups: (DatedBackup & { isDue: boolean })[], { BACKUP_DIR }: Config): string[] {
  if (BACKUP_DIR === null) return ['earlier backups still hold it; set BACKUP_DIR to list them']
  if (backups.length === 0) return [`no backup in ${BACKUP_DIR} is older than the deletion`]
  return backups.map(({ file, createdAt, removeBy, isDue }) => {
    const holds = `backup ${file} of ${createdAt.toISOString()} still holds it`
    return isDue
      ? `${holds} and is too old: remove it now`
      : `${holds}: remove it by ${removeBy.toISOString()}`
  })
}

// `admin account export`: everything that an account is and has, in one ZIP.

const exportAccountCommand: Command = {
  usage: 'account export A FILE [--json]',
  about:
    'writes account, statement, jobs, receipts and texts of an account to a new ZIP, which can be read without Scriptorium',
  async run({ config, now, db, textStore, textReader }, { words: [name = '', file = ''] }) {
    const { id: accountId } = await requireAccount(db, name)
    const made = await exportAccount(textsOf({ db, textStore, textReader }, accountId), {
      accountId,
      signer: openSigner(db, config.RECEIPT_SIGNING_KEY),
      issuer: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
      now: now(),
      makeRoom: async () => () => undefined, // nobody else is served by this process
    })
    if (made === null)
      throw new ConfigError(`account ${accountId} is deleted; nothing is left of it`)
    const target = path.resolve(file)
    // The file is opened first: one that is there already is neither written over nor removed.
    const handle = await open(target, 'wx', 0o600)
    try {
      await pipeline(sendZip(made.files), handle.createWriteStream())
    } catch (error) {
      await rm(target, { force: true }) // half a ZIP is of no use, and stands in the way of the next try
      throw error
    }
    const { size } = await stat(target)
    const lines = [`account ${accountId} written to ${file} (${size.toLocaleString('en')} bytes)`]
    return { value: { accountId, file: target, bytes: size }, lines }
  },
}

export const ACCOUNT_COMMANDS = [
  createAccountCommand,
  suspendAccountCommand,
  resumeAccountCommand,
  exportAccountCommand,
  deleteAccountCommand,
]

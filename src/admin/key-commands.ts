/** `admin key create|list|revoke`: an account's API keys, managed by the operator. */
import { issueKey, revokeKey } from '../features/accounts/keys.ts'
import { formatUsd, inDollars } from '../model/money/money.ts'
import { ConfigError } from '../kit/settings.ts'
import {
  type AccountRow,
  type ApiKeyRow,
  findAccount,
  readKeysOf,
} from '../features/operator/read-accounts.ts'
import { visibleLine } from '../kit/text/invisible.ts'
import { transact } from '../kit/postgres/database.ts'
import type { Db } from '../store/database.ts'
import { type Command, leadingTo } from './command.ts'

const createKeyCommand: Command = {
  usage: 'key create --account A --name N [--json]',
  about: 'creates an API key (shown only once)',
  async run({ db }, input) {
    const { id: accountId } = await requireLivingAccount(db, input.option('account'))
    const name = visibleLine(input.option('name'))
    if (name === '') throw new ConfigError('--name must not be blank; keys are told apart by it')
    const { keyId, apiKey } = await transact(db, (tx) => issueKey(tx, { accountId, name }))
    return { value: { keyId, apiKey }, lines: [`${keyId}: ${apiKey} (shown only once)`] }
  },
}

const listKeysCommand: Command = {
  usage: 'key list --account A [--json]',
  about: 'lists the API keys of an account, newest first',
  async run({ db }, input) {
    const account = input.option('account')
    const keys = await readKeysOf(db, account)
    if (keys === null) throw noAccount(account)
    const value = keys.map(presentKey)
    const lines = value.map(lineOfKey)
    return { value, lines: lines.length > 0 ? lines : ['no keys'] }
  },
}

/**
 * Presents a key as JSON, without its secret, which is not stored. `scopes` is null for everything, `monthlyCap` for no
 * cap.
 */
export function presentKey({ id: keyId, monthlyCapMicros, ...key }: ApiKeyRow) {
  const { name, prefix, createdAt, lastUsedAt, revokedAt, sentInClearAt, scopes } = key
  const monthlyCap = monthlyCapMicros === null ? null : formatUsd(monthlyCapMicros)
  return {
    keyId,
    name,
    prefix,
    createdAt,
    lastUsedAt,
    revokedAt,
    sentInClearAt,
    scopes,
    monthlyCap,
  }
}

export function lineOfKey(key: ReturnType<typeof presentKey>): string {
  const state = key.revokedAt === null ? 'live' : 'revoked'
  const limits = [
    ...(key.scopes === null ? [] : [`only ${key.scopes.join(' ')}`]),
    ...(key.sentInClearAt === null ? [] : ['sent without encryption']),
    ...(key.monthlyCap === null ? [] : [`at most ${inDollars(key.monthlyCap)} a month`]),
  ]
  return [key.keyId, `${key.prefix}…`, state, key.name, limits.join(', ')].join('  ').trimEnd()
}

const revokeKeyCommand: Command = {
  usage: 'key revoke KEYID [--json]',
  about: 'revokes an API key at once',
  async run({ db }, input) {
    const keyId = input.words[0] ?? ''
    const isKnown = await transact(db, (tx) => revokeKey(tx, { keyId, accountId: null }))
    if (!isKnown)
      throw leadingTo(
        `there is no key ${JSON.stringify(keyId)}; the keys of each account are shown by "account show", the accounts by`,
        ['account', 'list'],
      )
    return { value: { keyId, revoked: true }, lines: [`${keyId} is revoked`] }
  },
}

/** Returns the account with this id or e-mail address; where there is none, throws the sentence that says so. */
export async function requireAccount(db: Db, idOrEmail: string): Promise<AccountRow> {
  const account = await findAccount(db, idOrEmail)
  if (account === null) throw noAccount(idOrEmail)
  return account
}

/**
 * Returns the account for a command that would give it something; throws where it is deleted, since nobody uses it any
 * more and it is not erased a second time.
 */
export async function requireLivingAccount(db: Db, idOrEmail: string): Promise<AccountRow> {
  const account = await requireAccount(db, idOrEmail)
  if (account.deletedAt !== null) throw deletedAccount(account.id)
  return account
}

export function noAccount(idOrEmail: string): ConfigError {
  return leadingTo(`there is no account ${JSON.stringify(idOrEmail)}; see`, ['account', 'list'])
}

export function deletedAccount(accountId: string): ConfigError {
  return new ConfigError(`the account ${accountId} is deleted; nothing was given to it`)
}

export const KEY_COMMANDS = [createKeyCommand, listKeysCommand, revokeKeyCommand]

/** `admin account list` and `admin account show`: all accounts, and everything about one of them. */
import { available } from '../model/money/ledger.ts'
import { formatUsd } from '../model/money/money.ts'
import {
  type AccountDetails,
  type AccountOverview,
  findAccounts,
  readAccount,
} from '../features/operator/read-accounts.ts'
import type { Command } from './command.ts'
import { presentAct, presentAnyJob } from './job-commands.ts'
import { lineOfKey, noAccount, presentKey } from './key-commands.ts'
import { presentLine } from './ledger-commands.ts'
import { readPage } from './paging.ts'
import { presentUsage } from './usage-commands.ts'

export const listAccountsCommand: Command = {
  usage: 'account list [--search S] [--suspended] [--limit 50] [--offset 0] [--json]',
  about:
    'lists accounts with their balances, newest first; --search matches part of an email address or id',
  options: ['search', 'limit', 'offset'],
  flags: ['suspended'],
  words: 0,
  async run({ db }, input) {
    const page = readPage(input)
    const ask = { ...page, search: input.optional('search'), onlySuspended: input.has('suspended') }
    const { total, accounts, nextOffset } = await findAccounts(db, ask)
    const value = { total, ...page, nextOffset, accounts: accounts.map(presentAccount) }
    const lines = value.accounts.map((account) =>
      inColumns([
        account.accountId,
        account.state,
        account.available,
        account.charged,
        String(account.jobs),
        account.lastUsedAt ?? 'never used',
        account.email,
      ]),
    )
    const names = ['account', 'state', 'USD available', 'USD charged', 'jobs', 'last used', 'email']
    return {
      ok: true,
      value,
      lines: [inColumns(names), ...lines, `${accounts.length} of ${total} accounts`],
    }
  },
}

export const showAccountCommand: Command = {
  usage: 'account show A [--json]',
  about: 'shows the keys, sign-in methods, open jobs, money, usage and suspensions of an account',
  options: [],
  words: 1,
  async run({ db }, input) {
    const [name = ''] = input.words
    const account = await readAccount(db, name)
    if (account === null) throw noAccount(name)
    const value = presentDetails(account)
    return { ok: true, value, lines: linesOf(value) }
  },
}

/** Returns one line of the list, under its names. */
function inColumns([
  id = '',
  state = '',
  available = '',
  charged = '',
  jobs = '',
  used = '',
  email = '',
]: string[]) {
  return [
    id.padEnd(36),
    state.padEnd(9),
    available.padStart(13),
    charged.padStart(12),
    jobs.padStart(7),
    used.padEnd(24),
    email,
  ].join('  ')
}

/** Presents an account of a list as JSON. */
export function presentAccount(account: AccountOverview) {
  return {
    accountId: account.id,
    email: account.email,
    createdAt: account.createdAt.toISOString(),
    state: stateOf(account),
    available: formatUsd(available(account)),
    held: formatUsd(account.heldMicros),
    charged: formatUsd(account.chargedMicros),
    jobs: account.jobs,
    lastUsedAt: account.lastUsedAt?.toISOString() ?? null,
  }
}

function stateOf({ deletedAt, suspendedAt }: AccountOverview): 'active' | 'suspended' | 'deleted' {
  if (deletedAt !== null) return 'deleted'
  return suspendedAt === null ? 'active' : 'suspended'
}

function presentDetails({ overview, suspension, users, usage, ...account }: AccountDetails) {
  return {
    ...presentAccount(overview),
    deletedAt: overview.deletedAt?.toISOString() ?? null,
    erasedAt: overview.erasedAt?.toISOString() ?? null,
    suspension: suspension === null ? null : presentAct(suspension),
    acts: account.acts.map(presentAct),
    keys: account.keys.map(presentKey),
    signIn: users,
    openJobs: account.openJobs.map(presentAnyJob),
    entries: account.entries.map(presentLine),
    usage: { today: presentUsage(usage.today), last30Days: presentUsage(usage.last30Days) },
  }
}

function linesOf(account: ReturnType<typeof presentDetails>): string[] {
  const { suspension, usage } = account
  return [
    `${account.accountId}  ${account.email}  ${account.state} since ${account.deletedAt ?? suspension?.at ?? account.createdAt}`,
    ...(suspension === null ? [] : [`suspended by ${suspension.by}: ${suspension.reason}`]),
    `${account.available} USD available, ${account.held} held, ${account.charged} charged by ${account.jobs} jobs`,
    `last used ${account.lastUsedAt ?? 'never'}`,
    ...account.keys.map((key) => `key ${lineOfKey(key)}`),
    ...account.signIn.map(
      (user) =>
        `signs in as ${user.email}: ${user.hasPassword ? 'password' : 'no password'}, ` +
        `${user.passkeys} passkeys, ${user.sessions} sessions${user.providers.map((name) => `, ${name}`).join('')}`,
    ),
    ...account.openJobs.map(
      (job) => `job ${job.jobId}  ${job.state}  ${job.delivered} of ${job.maxVideos} delivered`,
    ),
    ...account.entries.map(
      (entry) => `entry ${entry.number}  ${entry.createdAt}  ${entry.kind}  ${entry.changeUsd}`,
    ),
    ...(['today', 'last30Days'] as const).map(
      (span) =>
        `${span === 'today' ? 'today' : 'in 30 days'}: ` +
        `${usage[span].calls} calls, ${usage[span].receivedBytes} bytes, ${usage[span].cpuSeconds} s of CPU, ${usage[span].storedBytes} bytes stored`,
    ),
  ]
}

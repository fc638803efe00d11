/** `admin account list|show`, `admin usage` and `admin subscriptions`: what accounts have, cost and follow. */
import { counted } from '../kit/text/counted.ts'
import {
  type AccountDetails,
  type AccountOverview,
  findAccounts,
  readAccount,
  type Usage,
} from '../features/operator/read-accounts.ts'
import { findSubscriptions, type OwnedSubscription } from '../features/operator/read-jobs.ts'
import {
  type AccountCost,
  COST_COLUMNS,
  type CostColumn,
  readCosts,
  readStorage,
  type UsageCost,
} from '../features/operator/storage.ts'
import { SUBSCRIPTION_STATES } from '../model/follow/subscription.ts'
import { available } from '../model/money/ledger.ts'
import { formatUsd, inDollars } from '../model/money/money.ts'
import { type Command, pageAnswer, readChoice, readPage, readWhole } from './command.ts'
import { presentAct, presentAnyJob } from './job-commands.ts'
import { lineOfKey, noAccount, presentKey, requireAccount } from './key-commands.ts'
import { presentLine } from './ledger-commands.ts'
import { storageLines } from './service-commands.ts'

const listAccountsCommand: Command = {
  usage: 'account list [--search S] [--suspended] [--limit 50] [--offset 0] [--json]',
  about:
    'lists accounts with their balances, newest first; --search matches part of an email address or id',
  async run({ db }, input) {
    const page = readPage(input)
    const filter = { search: input.optional('search'), onlySuspended: input.has('suspended') }
    const { total, accounts, nextOffset } = await findAccounts(db, { ...page, ...filter })
    const value = { total, ...page, nextOffset, accounts: accounts.map(presentAccount) }
    const lines = value.accounts.map((account) =>
      [
        account.accountId.padEnd(36),
        account.state.padEnd(9),
        account.available.padStart(13),
        account.charged.padStart(12),
        String(account.jobs).padStart(7),
        (account.lastUsedAt?.toISOString() ?? 'never used').padEnd(24),
        account.email,
      ].join('  '),
    )
    const names = ['account'.padEnd(36), 'state'.padEnd(9), 'USD available', ' USD charged']
    const head = [...names, 'jobs'.padStart(7), 'last used'.padEnd(24), 'email'].join('  ')
    const foot = `${accounts.length} of ${counted(total, 'account')}`
    return { value, lines: [head, ...lines, foot] }
  },
}

const showAccountCommand: Command = {
  usage: 'account show A [--json]',
  about: 'shows the keys, sign-in methods, open jobs, money, usage and suspensions of an account',
  async run({ db }, input) {
    const [name = ''] = input.words
    const account = await readAccount(db, name)
    if (account === null) throw noAccount(name)
    const value = presentDetails(account)
    return { value, lines: accountLines(value) }
  },
}

/** Presents an account of a list as JSON. */
export function presentAccount(account: AccountOverview) {
  return {
    accountId: account.id,
    email: account.email,
    createdAt: account.createdAt,
    state: stateOf(account),
    available: formatUsd(available(account)),
    held: formatUsd(account.heldMicros),
    charged: formatUsd(account.chargedMicros),
    jobs: account.jobs,
    lastUsedAt: account.lastUsedAt,
  }
}

function stateOf({ deletedAt, suspendedAt }: AccountOverview): 'active' | 'suspended' | 'deleted' {
  if (deletedAt !== null) return 'deleted'
  return suspendedAt === null ? 'active' : 'suspended'
}

function presentDetails({ overview, suspension, users, usage, ...account }: AccountDetails) {
  return {
    ...presentAccount(overview),
    deletedAt: overview.deletedAt,
    erasedAt: overview.erasedAt,
    suspension: suspension === null ? null : presentAct(suspension),
    acts: account.acts.map(presentAct),
    keys: account.keys.map(presentKey),
    signIn: users,
    openJobs: account.openJobs.map(presentAnyJob),
    entries: account.entries.map(presentLine),
    usage: { today: presentUsage(usage.today), last30Days: presentUsage(usage.last30Days) },
  }
}

function accountLines(account: ReturnType<typeof presentDetails>): string[] {
  const { suspension, usage } = account
  const since = account.deletedAt ?? suspension?.at ?? account.createdAt
  return [
    `${account.accountId}  ${account.email}  ${account.state} since ${since.toISOString()}`,
    ...(suspension === null ? [] : [`suspended by ${suspension.by}: ${suspension.reason}`]),
    `${inDollars(account.available)} available, ${inDollars(account.held)} held, ${inDollars(account.charged)} charged by ${counted(account.jobs, 'job')}`,
    `last used ${account.lastUsedAt?.toISOString() ?? 'never'}`,
    ...account.keys.map((key) => `key ${lineOfKey(key)}`),
    ...account.signIn.map(
      (user) =>
        `signs in as ${user.email}: ${user.hasPassword ? 'password' : 'no password'}, ` +
        `${counted(user.passkeys, 'passkey')}, ${counted(user.sessions, 'session')}${user.providers.map((name) => `, ${name}`).join('')}`,
    ),
    ...account.openJobs.map(
      (job) => `job ${job.jobId}  ${job.state}  ${job.delivered} of ${job.maxVideos} delivered`,
    ),
    ...account.entries.map(
      (entry) =>
        `entry ${entry.number}  ${entry.createdAt.toISOString()}  ${entry.kind}  ${entry.changeUsd}`,
    ),
    ...(['today', 'last30Days'] as const).map(
      (span) =>
        `${span === 'today' ? 'today' : 'in 30 days'}: ` +
        `${counted(usage[span].calls, 'call')}, ${usage[span].receivedBytes} bytes, ${usage[span].cpuSeconds} s of CPU, ${usage[span].storedBytes} bytes stored`,
    ),
  ]
}

// `admin usage`: what each account costs, the most expensive first.

const DAYS = { default: 1, min: 1, max: 3_650 }
const TOP = { default: 10, min: 1, max: 1_000 }
const MS_PER_SECOND = 1_000

const usageCommand: Command = {
  usage: `usage [--days 1] [--top 10] [--by ${COST_COLUMNS.join('|')}] [--json]`,
  about:
    'shows what each account costs: platform calls and bytes, CPU time, stored bytes, jobs, money; day 1 is today (UTC); and the bytes that each table and account takes now, what each day added, and the backups',
  async run({ db, config }, input) {
    const days = readWhole(input, 'days', DAYS)
    const limit = readWhole(input, 'top', TOP)
    const chosen = readChoice(input, 'by', COST_COLUMNS)
    const { totals, tops } = await readCosts(db, { days, limit, by: chosen })
    const { accounts, ...total } = totals
    const storage = await readStorage(db, config)
    const value = {
      days,
      totals: { accounts, ...presentSums(total) },
      top: Object.fromEntries(tops.map(({ by, costs }) => [by, costs.map(presentCost)])),
      storage,
    }
    const lines = [
      `${counted(accounts, 'account')} in ${counted(days, 'day')}: ${costLine(value.totals)}`,
      ...tops.flatMap(({ by, costs }) => [
        '',
        `most ${COST_WORDS[by]}`,
        ...costs.map((cost) => `  ${cost.email}: ${costLine(presentCost(cost))}`),
      ]),
      '',
      ...storageLines(storage),
    ]
    return { value, lines }
  },
}

const COST_WORDS: Record<CostColumn, string> = {
  calls: 'platform calls',
  bytes: 'bytes from the platform',
  cpu: 'CPU time',
  stored: 'bytes stored',
  money: 'money charged',
}

/** Presents what was measured as JSON. */
export function presentUsage({ calls, receivedBytes, cpuMs, storedBytes }: Usage) {
  return { calls, receivedBytes, cpuSeconds: Math.round(cpuMs) / MS_PER_SECOND, storedBytes }
}

function presentSums({ jobs, delivered, chargedMicros, ...usage }: UsageCost) {
  return { ...presentUsage(usage), jobs, delivered, charged: formatUsd(chargedMicros) }
}

function presentCost({ accountId, email, ...sums }: AccountCost) {
  return { accountId, email, ...presentSums(sums) }
}

function costLine(sums: ReturnType<typeof presentSums>): string {
  return (
    `${counted(sums.calls, 'call')}, ${sums.receivedBytes} bytes received, ${sums.cpuSeconds.toFixed(1)} s of CPU, ` +
    `${sums.storedBytes} bytes stored, ${counted(sums.jobs, 'job')}, ${sums.delivered} delivered, ${inDollars(sums.charged)}`
  )
}

// `admin subscriptions`: what accounts follow, and when each is looked at.

const subscriptionsCommand: Command = {
  usage: 'subscriptions [--account A] [--state S] [--limit 50] [--offset 0] [--json]',
  about: 'lists what all accounts or one follow, those first whose look is due first',
  async run({ db }, input) {
    const named = input.optional('account')
    const accountId = named === null ? null : (await requireAccount(db, named)).id
    const page = readPage(input)
    const state = readChoice(input, 'state', SUBSCRIPTION_STATES)
    const found = await findSubscriptions(db, { ...page, accountId, state })
    const subscriptions = found.subscriptions.map(presentAnySubscription)
    const { nextOffset } = found
    const lines = subscriptions.map((one) =>
      [
        one.subscriptionId,
        one.state.padEnd(12),
        one.nextLookAt?.toISOString() ?? 'no further look'.padEnd(24),
        one.monthlyCap.padStart(9),
        one.email,
        one.url,
        ...(one.failures > 0 ? [`${one.failures} looks failed`] : []),
      ].join('  '),
    )
    return pageAnswer('subscriptions', { ...page, items: subscriptions, lines, nextOffset })
  },
}

function presentAnySubscription(one: OwnedSubscription) {
  const { id: subscriptionId, line: url, capMicros, everyHours: _, ...rest } = one
  return { subscriptionId, url, ...rest, monthlyCap: formatUsd(capMicros) }
}

export const OVERVIEW_COMMANDS = [
  listAccountsCommand,
  showAccountCommand,
  subscriptionsCommand,
  usageCommand,
]

/** `admin account list` and `admin account show`: whose accounts there are, and how one does. */
import { available } from '../billing/ledger.ts'
import { formatUsd } from '../billing/money.ts'
import { readStatement } from '../billing/read-statement.ts'
import { listApiKeys } from '../store/accounts.ts'
import { readUsage } from '../store/account-usage.ts'
import type { Db } from '../postgres/database.ts'
import { listActs } from '../store/operator-acts.ts'
import {
  type AccountOverview,
  findOverview,
  listAccounts,
  listAllJobs,
  listUsers,
} from '../store/overviews.ts'
import { readSignInMethods } from '../store/sign-in.ts'
import { isFinal, JOB_STATES } from '../jobs/job.ts'
import type { Command } from './admin.ts'
import { presentAct, presentJobs } from './job-commands.ts'
import { presentKey, requireAccount } from './key-commands.ts'
import { presentLine } from './ledger-commands.ts'
import { readPage } from './paging.ts'
import { presentUsage } from './usage-commands.ts'

/** What `account show` lists at most of jobs, entries and acts. */
const SHOWN = { jobs: 1_000, entries: 10, acts: 20 }
const USAGE_DAYS = 30
const OPEN_STATES = JOB_STATES.filter((state) => !isFinal(state))

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
    const { total, accounts } = await listAccounts(db, ask)
    const next = page.offset + page.limit
    const value = {
      total,
      ...page,
      nextOffset: next < total ? next : null,
      accounts: accounts.map(presentAccount),
    }
    const lines = value.accounts.map((account) =>
      [
        account.accountId,
        account.state.padEnd(9),
        account.available.padStart(12),
        account.charged.padStart(12),
        String(account.jobs).padStart(7),
        account.lastUsedAt ?? 'never used',
        account.email,
      ].join('  '),
    )
    return { ok: true, value, lines: [...lines, `${accounts.length} of ${total} accounts`] }
  },
}

export const showAccountCommand: Command = {
  usage: 'account show A [--json]',
  about: 'shows the keys, sign-in methods, open jobs, money, usage and suspensions of an account',
  options: [],
  words: 1,
  async run({ db }, input) {
    const { id } = await requireAccount(db, input.words[0] ?? '')
    const value = await readAccount(db, id)
    return { ok: true, value, lines: linesOf(value) }
  },
}

function presentAccount(account: AccountOverview) {
  return {
    accountId: account.id,
    email: account.email,
    createdAt: account.createdAt.toISOString(),
    state: account.suspendedAt === null ? ('active' as const) : ('suspended' as const),
    available: formatUsd(available(account)),
    held: formatUsd(account.heldMicros),
    charged: formatUsd(account.chargedMicros),
    jobs: account.jobs,
    lastUsedAt: account.lastUsedAt?.toISOString() ?? null,
  }
}

async function readAccount(db: Db, accountId: string) {
  const account = await findOverview(db, accountId)
  if (account === null) throw new Error(`account ${accountId} has a balance`)
  const acts = await listActs(db, { accountId, limit: SHOWN.acts })
  const openJobs = await listAllJobs(db, {
    accountId,
    states: OPEN_STATES,
    offset: 0,
    limit: SHOWN.jobs,
  })
  const users = await Promise.all(
    (await listUsers(db, accountId)).map(async ({ id, ...user }) => ({
      ...user,
      ...summaryOf(await readSignInMethods(db, id)),
    })),
  )
  const { entries } = await readStatement(db, { accountId, offset: 0, limit: SHOWN.entries })
  const suspended =
    account.suspendedAt === null ? undefined : acts.find(({ act }) => act === 'suspend_account')
  return {
    ...presentAccount(account),
    suspension: suspended === undefined ? null : presentAct(suspended),
    acts: acts.map(presentAct),
    keys: (await listApiKeys(db, accountId)).map(presentKey),
    signIn: users,
    openJobs: await presentJobs(db, openJobs),
    entries: entries.map(presentLine),
    usage: {
      today: presentUsage(await readUsage(db, { accountId, days: 1 })),
      last30Days: presentUsage(await readUsage(db, { accountId, days: USAGE_DAYS })),
    },
  }
}

function summaryOf(methods: Awaited<ReturnType<typeof readSignInMethods>>) {
  const { hasPassword, providers, passkeys, sessions } = methods
  return { hasPassword, providers, passkeys: passkeys.length, sessions }
}

function linesOf(account: Awaited<ReturnType<typeof readAccount>>): string[] {
  const { suspension, usage } = account
  return [
    `${account.accountId}  ${account.email}  ${account.state} since ${suspension?.at ?? account.createdAt}`,
    ...(suspension === null ? [] : [`suspended by ${suspension.by}: ${suspension.reason}`]),
    `${account.available} USD available, ${account.held} held, ${account.charged} charged by ${account.jobs} jobs`,
    `last used ${account.lastUsedAt ?? 'never'}`,
    ...account.keys.map(
      (key) =>
        `key ${key.keyId}  ${key.prefix}…  ${key.revokedAt === null ? 'live' : 'revoked'}  ${key.name}`,
    ),
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

/** The operator's view of accounts: a list of all, and everything about one of them. */
import { pageInfo } from '../../kit/page.ts'
import { readStatement } from '../money/balance.ts'
import { isFinal, JOB_STATES } from '../../model/jobs/job.ts'
import type { Db } from '../../store/database.ts'
import { type Usage, readUsage } from '../../store/account-usage.ts'
import { type AccountRow, type ApiKeyRow, findAccount, listApiKeys } from '../../store/accounts.ts'
import { listActs } from '../../store/operators.ts'
import {
  type AccountOverview,
  type AccountsFilter,
  findOverview,
  listAccounts,
  listAllJobs,
  listUsers,
} from '../../store/overviews.ts'
import { readSignInMethods } from '../../store/sign-in.ts'
import type { SpendingDay } from '../../model/money/spending.ts'
import { listDaysOf } from '../../store/spending.ts'
import { asFound } from './read-jobs.ts'

/** The most that is read of one account. */
const READ_MAX = { jobs: 1_000, entries: 10, acts: 20 }
const USAGE_DAYS = 30
const OPEN_STATES = JOB_STATES.filter((state) => !isFinal(state))

export { findAccount }
export type { AccountOverview, AccountRow, ApiKeyRow, Usage }

/** Returns accounts, newest first; `nextOffset` is null on the last page. */
export async function findAccounts(
  db: Db,
  asked: AccountsFilter,
): Promise<{ total: number; accounts: AccountOverview[]; nextOffset: number | null }> {
  const { total, accounts } = await listAccounts(db, asked)
  return { total, accounts, nextOffset: pageInfo(asked, total).nextOffset }
}

/** Returns, by account, what its jobs of each of the last 30 days delivered and cost, in order. */
export async function readDays(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, (SpendingDay & { accountId: string })[]>> {
  const days = await listDaysOf(db, accountIds, USAGE_DAYS)
  return Map.groupBy(days, ({ accountId }) => accountId)
}

/** Everything about one account. */
export type AccountDetails = NonNullable<Awaited<ReturnType<typeof readAccount>>>

/** Returns everything about the account with this id or e-mail address; null where there is none. */
export async function readAccount(db: Db, idOrEmail: string) {
  const account = await findAccount(db, idOrEmail)
  const overview = account === null ? null : await findOverview(db, account.id)
  if (overview === null) return null
  const { id: accountId, suspendedAt } = overview
  const acts = await listActs(db, { accountId, limit: READ_MAX.acts })
  const suspension = acts.find(({ act }) => act === 'suspend_account') ?? null
  const jobs = { accountId, states: OPEN_STATES, offset: 0, limit: READ_MAX.jobs }
  return {
    overview,
    /** The latest acts of operators on it or its jobs, newest first. */
    acts,
    /** Why it is suspended; null while it is not. */
    suspension: suspendedAt === null || overview.deletedAt !== null ? null : suspension,
    keys: await listApiKeys(db, accountId),
    users: await readUsers(db, accountId),
    openJobs: await asFound(db, await listAllJobs(db, jobs)),
    /** The latest entries, newest first. */
    entries: (await readStatement(db, { accountId, offset: 0, limit: READ_MAX.entries })).entries,
    usage: {
      today: await readUsage(db, { accountId, days: 1 }),
      last30Days: await readUsage(db, { accountId, days: USAGE_DAYS }),
    },
  }
}

/** Reads the persons who sign in to the account, and how. */
async function readUsers(db: Db, accountId: string) {
  const users = await listUsers(db, accountId)
  return Promise.all(
    users.map(async ({ id, email, isProven }) => {
      const { hasPassword, providers, passkeys, sessions } = await readSignInMethods(db, id)
      return { email, isProven, hasPassword, providers, passkeys: passkeys.length, sessions }
    }),
  )
}

/** Returns the keys of the account with this id or e-mail address, newest first; null where there is no account. */
export async function readKeysOf(db: Db, idOrEmail: string): Promise<ApiKeyRow[] | null> {
  const account = await findAccount(db, idOrEmail)
  return account === null ? null : listApiKeys(db, account.id)
}

/** Calls of the statements that erase, one for each table that the plan names. */
import { ERASURE_PLAN } from '../../src/model/accounts/erasure-plan.ts'
import type { Db, Tx } from '../../src/store/database.ts'
import {
  AGEING_TABLES,
  type AgeingTable,
  deleteOldTexts,
  eraseRowsOfAccount,
  eraseRowsOfJobs,
  type ExpiringTable,
  EXPIRING_TABLES,
  listUnerasedJobs,
  sweepAged,
  sweepExpired,
} from '../../src/store/erasure.ts'
import { setErased, stripJob } from '../../src/store/jobs.ts'
import { deleteUsers } from '../../src/store/sign-in.ts'
import { disableWebhooksOf } from '../../src/store/webhooks.ts'

const [accountId, jobIds, rowsMax] = ['account', ['job'], 10]

export const ERASURE_CALLS: ((given: { db: Db; tx: Tx }) => Promise<unknown>)[] = [
  ...ERASURE_PLAN.ofJobs.map(
    (table) =>
      ({ db }: { db: Db }) =>
        eraseRowsOfJobs(db, table, { jobIds, rowsMax }),
  ),
  ...Object.entries({ ...ERASURE_PLAN.ofAccount, ...ERASURE_PLAN.afterJobs }).map(
    ([table, condition]) =>
      ({ db }: { db: Db }) =>
        eraseRowsOfAccount(db, { table, condition }, { accountId, rowsMax }),
  ),
  ...(Object.keys(EXPIRING_TABLES) as ExpiringTable[]).map(
    (table) =>
      ({ db }: { db: Db }) =>
        sweepExpired(db, table, rowsMax),
  ),
  ...(Object.keys(AGEING_TABLES) as AgeingTable[]).map(
    (table) =>
      ({ db }: { db: Db }) =>
        sweepAged(db, table, { maxSeconds: 1, rowsMax }),
  ),
  ({ db }) => listUnerasedJobs(db, { accountId, after: null, limit: 10 }),
  ({ db }) =>
    listUnerasedJobs(db, { accountId, after: { id: 'job', createdAt: new Date(0) }, limit: 10 }),
  ({ db }) => deleteOldTexts(db, { keptDays: 30, jobsMax: 2 }),
  ({ tx }) => stripJob(tx, 'job', 'hash'),
  ({ db }) => setErased(db, jobIds),
  ({ tx }) => deleteUsers(tx, accountId),
  ({ tx }) => disableWebhooksOf(tx, accountId),
]

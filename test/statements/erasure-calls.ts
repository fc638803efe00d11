/** Calls of the statements that sweep, erase and export, one for each table of which the register says so. */
import type { Db, Tx } from '../../src/store/database.ts'
import {
  deleteAllButLatest,
  deleteOldTexts,
  eraseRowsOfAccount,
  eraseRowsOfJobs,
  listUnerasedJobs,
  setErased,
  sweepTable,
} from '../../src/store/erasure.ts'
import { describeExported, listExportedRows, listOwnerIds } from '../../src/store/exported-rows.ts'
import { stripJob } from '../../src/store/jobs.ts'
import { REGISTER, type SweptTable, tablesErased } from '../../src/store/register.ts'
import type { TableEntry } from '../../src/store/register/entry.ts'
import { deleteUsers } from '../../src/store/sign-in.ts'
import { disableWebhooksOf } from '../../src/store/webhooks.ts'

const [accountId, jobIds, rowsMax] = ['account', ['job'], 10]

export const ERASURE_CALLS: ((given: { db: Db; tx: Tx }) => Promise<unknown>)[] = [
  ...tablesErased(REGISTER, 'by_job').map(
    (table) =>
      ({ db }: { db: Db }) =>
        eraseRowsOfJobs(db, table, { jobIds, rowsMax }),
  ),
  ...[...tablesErased(REGISTER, 'by_account'), ...tablesErased(REGISTER, 'after_jobs')].map(
    (table) =>
      ({ db }: { db: Db }) =>
        eraseRowsOfAccount(db, { register: REGISTER, table }, { accountId, rowsMax }),
  ),
  ...tablesWhere(({ swept }) => swept !== undefined).map(
    (table) =>
      ({ db }: { db: Db }) =>
        sweepTable(db, table as SweptTable, { minSeconds: 1, rowsMax }),
  ),
  ...(['api_key', 'oauth_grant', 'oauth_refresh_token', 'sign_in_session'] as const).map(
    (table) =>
      ({ db }: { db: Db }) =>
        deleteAllButLatest(db, table, { ownerId: 'owner', keptMax: 1 }),
  ),
  ({ db }) => describeExported(db, ['project']),
  ({ db }) => listOwnerIds(db, { column: 'project_id', of: 'project' }, accountId),
  ...tablesWhere(({ exported }) => typeof exported === 'string').flatMap((table) =>
    [null, ['0', '0']].map((after) => {
      const column = table === 'job' ? 'id' : (REGISTER[table]?.path?.column ?? '')
      const page = { table, columns: [column], column, ownerId: 'owner', after, limit: 10 }
      return ({ db }: { db: Db }) => listExportedRows(db, { ...page, key: [column, column] })
    }),
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

function tablesWhere(isMeant: (entry: TableEntry) => boolean): string[] {
  return Object.entries(REGISTER).flatMap(([table, entry]) => (isMeant(entry) ? [table] : []))
}

/** Storage: what is kept, what it costs, and which backups hold it. */
import type { Config } from '../../config/config.ts'
import {
  type AccountCost,
  COST_COLUMNS,
  type CostColumn,
  listCosts,
  listStoredTexts,
  readTotals,
  type Totals,
  type UsageCost,
} from '../../store/account-usage.ts'
import type { Db } from '../../store/database.ts'
import { countDeletedSince } from '../../store/overviews.ts'
import { listStoredBytes, listTableSizes, readDatabaseBytes } from '../../store/observations.ts'
import { listDeliveryHours } from '../../store/webhook-log.ts'
import { type FailingWebhook, listFailingWebhooks } from '../../store/webhooks.ts'
import { datedBackup, type KnownBackup, listBackups } from '../backup/list-backups.ts'

const CONSOLE_TABLES = 15
const CONSOLE_ACCOUNTS = 15
const CONSOLE_GROWTH_DAYS = 30
const FAILING_WEBHOOKS_MAX = 100

export {
  type AccountCost,
  COST_COLUMNS,
  type CostColumn,
  type FailingWebhook,
  type Totals,
  type UsageCost,
}

/** The service's share of the disk, and its growth. */
export type Storage = Awaited<ReturnType<typeof readStorage>>

export async function readStorage(db: Db, config: Config) {
  const sinceDays = config.RETENTION_DAYS === 0 ? null : config.RETENTION_DAYS
  return {
    databaseBytes: await readDatabaseBytes(db),
    tables: await listTableSizes(db, CONSOLE_TABLES),
    /**
     * Accounts with the bytes of their texts, the largest first. It is an estimate: what was counted when it was
     * stored, without the days whose texts RETENTION_DAYS has deleted. Rows, history and indexes are counted for no
     * account.
     */
    accounts: await listStoredTexts(db, { sinceDays, limit: CONSOLE_ACCOUNTS }),
    /** Bytes of transcripts by day, oldest first. */
    growth: await listStoredBytes(db, CONSOLE_GROWTH_DAYS),
    backups: await readBackups(db, config),
  }
}

/** Returns the failing webhooks. An address may hold a secret in its path or query, so only its origin is shown. */
export async function readFailingWebhooks(db: Db): Promise<FailingWebhook[]> {
  const failing = await listFailingWebhooks(db, FAILING_WEBHOOKS_MAX)
  return failing.map((webhook) => ({
    ...webhook,
    url: webhook.url === null ? null : new URL(webhook.url).origin,
  }))
}

export { listDeliveryHours }

/**
 * Reads the backups in BACKUP_DIR, oldest first: which are older than BACKUP_DAYS, and how many accounts in each were
 * deleted after it was written. `problem` says why the folder could not be read; `folder` is null where it is not set.
 */
export async function readBackups(db: Db, { BACKUP_DIR: folder, BACKUP_DAYS: days }: Config) {
  if (folder === null) return { folder, problem: null, files: [] }
  let known: KnownBackup[]
  try {
    known = await listBackups(folder)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { folder, problem: `BACKUP_DIR ${folder} cannot be read: ${why}`, files: [] }
  }
  const writtenAt = known.map(({ createdAt }) => createdAt)
  const { now, counts } = await countDeletedSince(db, writtenAt)
  const files = known.map((backup, at) => {
    const dated = datedBackup(backup, days)
    return { ...dated, isDue: dated.removeBy <= now, deletedAccounts: counts[at] ?? 0 }
  })
  return { folder, problem: null, files }
}

/**
 * Returns what accounts cost in the last `days`, today (UTC) included: the sum of all, and the largest accounts by each
 * column. `by` is null for every column.
 */
export async function readCosts(
  db: Db,
  { days, limit, by }: { days: number; limit: number; by: CostColumn | null },
): Promise<{ totals: Totals; tops: { by: CostColumn; costs: AccountCost[] }[] }> {
  const columns = by === null ? COST_COLUMNS : [by]
  const top = async (column: CostColumn) => {
    return { by: column, costs: await listCosts(db, { days, by: column, limit }) }
  }
  const tops = await Promise.all(columns.map(top))
  return { totals: await readTotals(db, days), tops }
}

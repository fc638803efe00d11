/** What the service takes of the disk and how it grows, and which webhooks fail: of all accounts. */
import type { Config } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import { type Backups, readBackups } from './read-backups.ts'
import { listStoredTexts, type StoredTexts } from '../../store/account-usage.ts'
import { type FailingWebhook, listFailingWebhooks } from '../../store/failing-webhooks.ts'
import {
  listStoredBytes,
  listTableSizes,
  readDatabaseBytes,
  type TableSize,
} from '../../store/storage-sizes.ts'

const CONSOLE_TABLES = 15
const CONSOLE_ACCOUNTS = 15
const CONSOLE_GROWTH_DAYS = 30
const FAILING_WEBHOOKS_MAX = 100

export type { FailingWebhook }

export type Storage = {
  databaseBytes: number
  tables: TableSize[]
  /**
   * Most bytes of texts first. An estimate: what was counted when it was stored, without the days whose texts
   * RETENTION_DAYS has deleted. Rows, history and indexes are no account's here.
   */
  accounts: StoredTexts[]
  /** Bytes of transcripts by day, oldest first. */
  growth: { day: string; storedBytes: number }[]
  backups: Backups
}

export async function readStorage(
  db: Db,
  config: Pick<Config, 'RETENTION_DAYS' | 'BACKUP_DIR' | 'BACKUP_DAYS'>,
): Promise<Storage> {
  const { RETENTION_DAYS: days } = config
  return {
    databaseBytes: await readDatabaseBytes(db),
    tables: await listTableSizes(db, CONSOLE_TABLES),
    accounts: await listStoredTexts(db, {
      sinceDays: days === 0 ? null : days,
      limit: CONSOLE_ACCOUNTS,
    }),
    growth: await listStoredBytes(db, CONSOLE_GROWTH_DAYS),
    backups: await readBackups(db, config),
  }
}

/** An address may hold a secret in its path or query: only where it stands is shown. */
export async function readFailingWebhooks(db: Db): Promise<FailingWebhook[]> {
  const failing = await listFailingWebhooks(db, FAILING_WEBHOOKS_MAX)
  return failing.map((webhook) => ({
    ...webhook,
    url: webhook.url === null ? null : new URL(webhook.url).origin,
  }))
}

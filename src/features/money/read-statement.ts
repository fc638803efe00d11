/** Reads an account's statement: a page of it, or all of it as CSV, however long it is. */
import { LIMITS } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import { listEntriesDown, readBalanceAfter } from '../../store/ledger.ts'
import type { Balance } from '../../model/money/ledger.ts'
import {
  balanceBefore,
  statementHead,
  statementLine,
  type StatementLine,
  withBalances,
} from '../../model/money/statement.ts'

export type StatementPage = {
  total: number
  offset: number
  limit: number
  nextOffset: number | null
  /** Newest first. */
  entries: StatementLine[]
}

/** A page; empty where the account has no entries there (or is none). */
export async function readStatement(
  db: Db,
  { accountId, offset, limit }: { accountId: string; offset: number; limit: number },
): Promise<StatementPage> {
  const found = await readBalanceAfter(db, { accountId, newerEntries: offset })
  const total = Number(found?.entries ?? 0n)
  const next = offset + limit
  const page = { total, offset, limit, nextOffset: next < total ? next : null }
  if (found === null || offset >= total) return { ...page, entries: [] }

  const { entries: count, ...newest } = found
  const fromNumber = count - BigInt(offset)
  const entries = await listEntriesDown(db, { accountId, fromNumber, limit })
  return { ...page, entries: withBalances(entries, newest) }
}

/**
 * The whole statement as pieces of CSV, newest first, as it stood when the first piece was asked
 * for: entries are never changed, so later pages still belong to it. Memory is that of one page.
 */
export async function* streamStatementCsv(db: Db, accountId: string): AsyncGenerator<string> {
  yield statementHead()
  const found = await readBalanceAfter(db, { accountId, newerEntries: 0 })
  if (found === null) return
  const { entries: count, ...now } = found
  let newest: Balance = now
  for (let fromNumber = count; fromNumber > 0n;) {
    const lines = withBalances(
      await listEntriesDown(db, { accountId, fromNumber, limit: LIMITS.statementCsvPage }),
      newest,
    )
    const last = lines.at(-1)
    if (last === undefined) return
    yield lines.map((line) => statementLine(accountId, line)).join('')
    newest = balanceBefore(last)
    fromNumber = last.number - 1n
  }
}

/** What accounts cost: the largest by each measure, beside the sum of all. */
import type { Db } from '../../store/database.ts'
import {
  type AccountCost,
  COST_COLUMNS,
  type CostColumn,
  listCosts,
  readTotals,
  type Totals,
} from '../../store/account-usage.ts'

export { COST_COLUMNS }
export type { AccountCost, CostColumn, Totals }

export type Costs = {
  totals: Totals
  /** The largest first, by each column that was asked for. */
  tops: { by: CostColumn; costs: AccountCost[] }[]
}

/** Of the last `days`, today (UTC) included; `by` null: every column. */
export async function readCosts(
  db: Db,
  { days, limit, by }: { days: number; limit: number; by: CostColumn | null },
): Promise<Costs> {
  const columns = by === null ? COST_COLUMNS : [by]
  const tops = await Promise.all(
    columns.map(async (column) => ({
      by: column,
      costs: await listCosts(db, { days, by: column, limit }),
    })),
  )
  return { totals: await readTotals(db, days), tops }
}

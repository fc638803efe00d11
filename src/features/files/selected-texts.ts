/** The texts of a selection, by the rows that hold them. */
import { LIMITS } from '../../config/config.ts'
import { keyOfRow, type RowKey } from '../../model/library/row-key.ts'
import { type ChosenParts, tooManyTexts } from '../../model/library/selection.ts'
import type { Db } from '../../store/database.ts'
import { listTexts } from '../../store/library-rows.ts'
import { findChosen } from '../library/selections.ts'
import { wholePart, rowsOfOrder } from './filed-order.ts'

/**
 * Returns the rows that hold what the selection's jobs, batches and collections brought, with the texts behind their
 * `unchanged` rows, each row once; one whose text is deleted stands for itself. Throws not_found that names the first
 * part which the account does not have, and invalid_request where there are too many.
 */
export async function readSelectedTexts(
  db: Db,
  accountId: string,
  selection: ChosenParts,
): Promise<RowKey[]> {
  const { orders, collections, rows } = await findChosen(db, accountId, selection)
  const found = new Map(rows.map((row) => [keyOfRow(row), row]))
  const add = (row: RowKey): void => {
    const { jobId, index } = row
    found.set(keyOfRow(row), { jobId, index })
    if (found.size > LIMITS.selectionTextsMax) throw tooManyTexts()
  }
  for (const jobs of orders) {
    const parts = jobs.map(wholePart)
    for await (const page of rowsOfOrder(db, { parts }))
      for (const { jobId, index, status, textRow } of page)
        if (textRow !== null) add(textRow)
        else if (status === 'success') add({ jobId, index })
  }
  for (const collection of collections) {
    if (collection.delivered > LIMITS.selectionTextsMax) throw tooManyTexts()
    for (const row of await listTexts(db, { accountId, collection })) add(row)
  }
  return [...found.values()]
}

/** Reads the stored members of a job, for its files and pages. */
import type { Db } from '../postgres/database.ts'
import { readMembers, type RowForm } from '../store/transcripts.ts'
import type { Form } from '../transcripts/formats.ts'
import type { ReadMembers } from './job-rows.ts'

/** Reads members of one job; each question is one statement. */
export function membersOfJob(db: Db, jobId: string): ReadMembers {
  return async (ask) => byIndex(await readMembers(db, { jobId, ...ask }), ({ gzip }) => gzip)
}

/** What `pick` takes from each, by row index and form. */
export function byIndex<Row extends RowForm, T>(
  rows: readonly Row[],
  pick: (row: Row) => T,
): Map<number, Partial<Record<Form, T>>> {
  const found = new Map<number, Partial<Record<Form, T>>>()
  for (const row of rows) {
    const forms = found.get(row.index) ?? {}
    forms[row.form] = pick(row)
    found.set(row.index, forms)
  }
  return found
}

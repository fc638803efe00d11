/** The stored members of a job's delivered rows: what is recorded of them, and their bytes. */
import assert from 'node:assert/strict'
import type { Db } from '../postgres/database.ts'
import { readMembers, type RowForm } from '../store/transcripts.ts'
import type { FileForm, Form } from '../transcripts/formats.ts'
import type { MemberFacts } from '../transcripts/gzip-member.ts'
import type { DeliveredRow, ReadMembers } from './job-rows.ts'

/** What is recorded of one form of a row; the caller asks only for forms that every row has. */
export function memberFacts(row: DeliveredRow, form: FileForm): MemberFacts {
  const facts = row.members[form]
  assert(facts !== undefined, `row ${row.index} has its ${form}`)
  return facts
}

/** How every file and page of a job reads its bytes: those asked for at once, in one statement. */
export function membersOfJob(db: Db, jobId: string): ReadMembers {
  return async (keys) => {
    const indexes = [...new Set(keys.map((key) => key.index))]
    const forms = [...new Set(keys.map((key) => key.form))]
    const stored = byIndex(await readMembers(db, { jobId, indexes, forms }))
    return ({ index, form }) => {
      const member = stored.get(index)?.[form]
      assert(member !== undefined, `the ${form} of row ${index} is stored`)
      return member.gzip
    }
  }
}

/** By row index and form. */
export function byIndex<Row extends RowForm>(
  rows: readonly Row[],
): Map<number, Partial<Record<Form, Row>>> {
  const found = new Map<number, Partial<Record<Form, Row>>>()
  for (const row of rows) {
    const forms = found.get(row.index) ?? {}
    forms[row.form] = row
    found.set(row.index, forms)
  }
  return found
}

/** The stored members of delivered rows: what is recorded of them, and the bytes of a group. */
import assert from 'node:assert/strict'
import type { FileForm, Form } from '../transcripts/formats.ts'
import type { MemberFacts } from '../transcripts/gzip-member.ts'
import type { DeliveredRow, ReadMembers } from './job-rows.ts'

/** Which member of which row. */
export type MemberKey = { index: number; form: Form }

/** What is recorded of one form of a row; the caller asks only for forms that every row has. */
export function memberFacts(row: DeliveredRow, form: FileForm): MemberFacts {
  const facts = row.members[form]
  assert(facts !== undefined, `row ${row.index} has its ${form}`)
  return facts
}

/** Reads the members of a group of rows at once; the answer gives the bytes of each. */
export async function readGroup(
  keys: readonly MemberKey[],
  readMembers: ReadMembers,
): Promise<(key: MemberKey) => Buffer> {
  const indexes = [...new Set(keys.map((key) => key.index))]
  const forms = [...new Set(keys.map((key) => key.form))]
  const members = indexes.length === 0 ? new Map() : await readMembers({ indexes, forms })
  return ({ index, form }) => {
    const gzip: Buffer | undefined = members.get(index)?.[form]
    assert(gzip !== undefined, `the ${form} of row ${index} is stored`)
    return gzip
  }
}

/** The forms of a job's delivered rows: what is recorded of them, and their bytes. */
import assert from 'node:assert/strict'
import type { Db } from '../../store/database.ts'
import type { RowForm, RowKey } from '../../store/transcripts.ts'
import type { FileForm, Form } from '../../model/transcripts/formats.ts'
import { type MemberFacts, unpackMember } from '../../model/transcripts/gzip-member.ts'
import { type FormsOfRows, readContents, readMadeMembers } from './read-forms.ts'
import { recentForms } from './recent-forms.ts'
import type { DeliveredRow, RowReaders, MemberKey } from '../../model/transcripts/job-rows.ts'

/** What is recorded of one form of a row; the caller asks only for forms that every row has. */
export function memberFacts(row: DeliveredRow, form: FileForm): MemberFacts {
  const facts = row.members[form]
  assert(facts !== undefined, `row ${row.index} has its ${form}`)
  return facts
}

/** How every file and page of a job reads its bytes: those asked for at once, in one statement. */
export function formsOfJob(db: Db, jobId: string): RowReaders {
  return formReaders(db, (index) => ({ jobId, index }))
}

/** The same of rows of several jobs, each under a number of the caller's. */
export function formReaders(db: Db, rowOf: (index: number) => RowKey | undefined): RowReaders {
  return {
    members: async (keys) => {
      const recent = findRecent(keys)
      const find = finder(
        rowOf,
        await readMadeMembers(db, wantedOf(lackingOf(keys, recent), rowOf)),
      )
      return (key) => recent.get(key.facts.sha256) ?? find(key).gzip
    },
    contents: async (keys) => {
      const recent = findRecent(keys)
      const unpacked = new Map<string, Buffer>()
      for (const { facts } of keys) {
        const gzip = recent.get(facts.sha256)
        if (gzip !== undefined) unpacked.set(facts.sha256, await unpackMember(gzip, facts))
      }
      const find = finder(rowOf, await readContents(db, wantedOf(lackingOf(keys, recent), rowOf)))
      return (key) => unpacked.get(key.facts.sha256) ?? find(key).content
    },
  }
}

type Recent = ReadonlyMap<string, Buffer>

/** Members that this process recorded a short while ago, by the SHA-256 of their content. */
function findRecent(keys: readonly MemberKey[]): Recent {
  const found = new Map<string, Buffer>()
  for (const { facts } of keys) {
    const gzip = recentForms.find(facts)
    if (gzip !== null) found.set(facts.sha256, gzip)
  }
  return found
}

function lackingOf(keys: readonly MemberKey[], recent: Recent): MemberKey[] {
  return keys.filter(({ facts }) => !recent.has(facts.sha256))
}

function wantedOf(
  keys: readonly MemberKey[],
  rowOf: (index: number) => RowKey | undefined,
): FormsOfRows {
  const indexes = [...new Set(keys.map((key) => key.index))]
  const forms = [...new Set(keys.map((key) => key.form))]
  return { rows: indexes.flatMap((index) => rowOf(index) ?? []), forms }
}

function finder<T extends RowKey & RowForm>(
  rowOf: (index: number) => RowKey | undefined,
  read: readonly T[],
): (key: MemberKey) => T {
  const nameOf = ({ jobId, index }: RowKey, form: Form): string => `${jobId} ${index} ${form}`
  const stored = new Map(read.map((one) => [nameOf(one, one.form), one]))
  return ({ index, form }) => {
    const row = rowOf(index)
    const found = row === undefined ? undefined : stored.get(nameOf(row, form))
    assert(found !== undefined, `the ${form} of row ${index} is stored`)
    return found
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

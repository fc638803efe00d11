/** The forms of delivered rows, as files and pages read them: those that are asked for at once, by one statement. */
import assert from 'node:assert/strict'
import type { RowForm, RowKey } from '../../store/transcripts.ts'
import type { FileForm, Form } from '../../model/transcripts/formats.ts'
import type { DeliveredRow, FormKey, ReadForms } from '../../model/transcripts/job-rows.ts'
import type { ContentFacts } from '../../model/transcripts/recorded-forms.ts'
import { readForms } from './read-forms.ts'
import type { TextSource } from './write-stored.ts'

/** Returns what is recorded of one form of a row; the caller asks only for forms that the row has. */
export function factsOf(row: DeliveredRow, form: FileForm): ContentFacts {
  const facts = row.forms[form]
  assert(facts !== undefined, `row ${row.index} has its ${form}`)
  return facts
}

export function formsOfJob(source: TextSource, jobId: string): ReadForms {
  return formReader(source, (index) => ({ jobId, index }))
}

/** Returns a reader for rows of several jobs, each under a number of the caller's. */
export function formReader(
  source: TextSource,
  rowOf: (index: number) => RowKey | undefined,
): ReadForms {
  return async (keys) => {
    const wanted = [...Map.groupBy(keys, ({ index }) => index)].flatMap(([index, ofRow]) => {
      const row = rowOf(index)
      return row === undefined ? [] : [{ ...row, forms: ofRow.map(({ form }) => form) }]
    })
    const read = await readForms(source, wanted)
    const contents = new Map(read.map((one) => [nameOf(one, one.form), one.content]))
    return ({ index, form, facts }: FormKey) => {
      const row = rowOf(index)
      const content = row === undefined ? undefined : contents.get(nameOf(row, form))
      assert(content !== undefined, `the ${form} of row ${index} is stored`)
      assert(
        content.length === facts.sizeBytes,
        `the ${form} of row ${index} is as it was recorded`,
      )
      return content
    }
  }
}

function nameOf({ jobId, index }: RowKey, form: Form): string {
  return `${jobId} ${index} ${form}`
}

/** Returns the rows by index and form. */
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

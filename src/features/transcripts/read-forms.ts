/**
 * Gives forms of transcripts, as they are or as gzip members, whether a row holds its forms or only its words: of
 * those each form is made, a transcript in a turn of the event loop.
 */
import assert from 'node:assert/strict'
import type { Db } from '../../store/database.ts'
import {
  type ReadBody,
  readBodiesOf,
  readMembersOf,
  type RowForm,
  type RowKey,
} from '../../store/transcripts.ts'
import { yieldToEventLoop } from '../../kit/yield-to-event-loop.ts'
import type { Form } from '../../model/transcripts/formats.ts'
import { type Member, unpackMember } from '../../model/transcripts/gzip-member.ts'
import type { Lines } from '../../model/transcripts/lines.ts'
import { packAnywhere } from './pack-pool.ts'
import { formContent } from '../../model/transcripts/packed-forms.ts'
import { type RecordedForm, unpackRecorded } from '../../model/transcripts/recorded-forms.ts'
import { unpackBody } from '../../model/transcripts/transcript-body.ts'
import { inTurnsIfLong } from '../../model/transcripts/transcript-forms.ts'

export type FormsOfRows<F extends Form = Form> = { rows: readonly RowKey[]; forms: readonly F[] }
type OfRow<F extends Form> = RowForm<F> & RowKey

type LackingRow<F extends Form> = RowKey & { forms: F[] }

/** The gzip members of these forms, in no order; what is not stored is missing. */
export async function readMadeMembers<F extends Form>(
  db: Db,
  wanted: FormsOfRows<F>,
): Promise<(OfRow<F> & Member)[]> {
  const members = await readMembersOf(db, wanted)
  const read = await readBodies(db, lackingOf(wanted, members))
  const bodies = read.map(({ body: { jobId, index, body, recorded }, forms }) => {
    return { key: { jobId, index }, body, wanted: unpackRecorded(recorded, forms) }
  })
  if (bodies.length === 0) return members
  const packed = await packAnywhere(
    bodies.map(({ body, wanted: facts }) => ({ body, wanted: facts })),
  )
  let at = 0
  for (const { key, wanted: asked } of bodies) {
    for (const facts of asked) {
      members.push({ ...key, ...facts, gzip: packed.subarray(at, at + facts.gzipBytes) })
      at += facts.gzipBytes
    }
  }
  return members
}

/** These forms as they are, in no order; what is not stored is missing. */
export async function readContents<F extends Form>(
  db: Db,
  wanted: FormsOfRows<F>,
): Promise<(OfRow<F> & { content: Buffer })[]> {
  const contents: (OfRow<F> & { content: Buffer })[] = []
  const members = await readMembersOf(db, wanted)
  for (const member of members) {
    const { jobId, index, form, gzip } = member
    contents.push({ jobId, index, form, content: await unpackMember(gzip, member) })
  }
  for (const read of await readBodies(db, lackingOf(wanted, members))) {
    for await (const { key, facts, lines } of formsOfBody(read)) {
      const content = formContent(lines, key.form)
      assert(content.length === facts.sizeBytes, `the ${key.form} of a body has its length`)
      contents.push({ ...key, content })
    }
  }
  return contents
}

/** The rows of which some forms are not among the members, with those forms. */
function lackingOf<F extends Form>(
  { rows, forms }: FormsOfRows<F>,
  members: readonly OfRow<F>[],
): LackingRow<F>[] {
  const found = new Map<string, F[]>()
  for (const member of members)
    found.set(keyOf(member), [...(found.get(keyOf(member)) ?? []), member.form])
  return rows.flatMap((row) => {
    const having = found.get(keyOf(row)) ?? []
    const lacking = forms.filter((form) => !having.includes(form))
    return lacking.length === 0 ? [] : [{ ...row, forms: lacking }]
  })
}

type BodyToRead<F extends Form> = { body: ReadBody; forms: F[] }

/** The bodies of these rows, each with the forms that are wanted of it; no question where there are no rows. */
async function readBodies<F extends Form>(
  db: Db,
  wanted: readonly LackingRow<F>[],
): Promise<BodyToRead<F>[]> {
  const formsOf = new Map(wanted.map((row) => [keyOf(row), row.forms]))
  const bodies = await readBodiesOf(db, wanted)
  return bodies.map((body) => ({ body, forms: formsOf.get(keyOf(body)) ?? [] }))
}

/** Those of the forms that its job asked for, each with what was recorded of it. */
async function* formsOfBody<F extends Form>({
  body: { jobId, index, body, recorded },
  forms,
}: BodyToRead<F>): AsyncGenerator<{ key: OfRow<F>; facts: RecordedForm; lines: Lines }, void> {
  await yieldToEventLoop()
  const asked = new Map(unpackRecorded(recorded, forms).map((facts) => [facts.form, facts]))
  const lines = await unpackBody(body)
  for await (const form of inTurnsIfLong(lines, [...asked.keys()])) {
    const facts = asked.get(form)
    if (facts !== undefined) yield { key: { jobId, index, form }, facts, lines }
  }
}

function keyOf({ jobId, index }: RowKey): string {
  return `${jobId} ${index}`
}

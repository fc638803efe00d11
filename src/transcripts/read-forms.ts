/**
 * Gives forms of transcripts, whether a row holds them or only its words: as they are, or as gzip members, which are
 * made of bodies in turns of the event loop, compressed off it, and kept in a cache for the next who asks.
 */
import assert from 'node:assert/strict'
import type { Db } from '../postgres/database.ts'
import { insertPacked, listPackedOf, type PackedOfRow } from '../store/packed-forms.ts'
import {
  listFormsOf,
  type ReadBody,
  readBodiesOf,
  readMembersOf,
  type RowForm,
  type RowKey,
  rowsNamed,
  type RowsWanted,
} from '../store/transcripts.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { Form } from './formats.ts'
import {
  type ContentFacts,
  type Member,
  type MemberFacts,
  packMemberElsewhere,
  unpackMember,
} from './gzip-member.ts'
import { unpackRecorded } from './recorded-forms.ts'
import { unpackBody } from './transcript-body.ts'
import { rendered } from './transcript-forms.ts'

export type FormsOfRows<F extends Form = Form> = { rows: readonly RowKey[]; forms: readonly F[] }
type OfRow<F extends Form> = RowForm<F> & RowKey

type UnpackedRow<F extends Form> = RowKey & { forms: F[] }

/** Rows that are looked at in one turn of the event loop, which takes a few milliseconds. */
const LOOKED_AT_ONCE = 100
/** Bodies whose forms are made before they are kept: what is in memory at a time. */
const PACKED_AT_ONCE = 16

/**
 * Makes the members of these forms that are not at hand, so that their lengths are known and they can be read. Tells
 * how many rows are bodies, and of how many of them something was missing.
 */
export async function readyMembers<F extends Form>(
  db: Db,
  wanted: { rows: RowsWanted; forms: readonly F[] },
): Promise<{ bodies: number; made: number }> {
  const rows = await listPackedOf(db, wanted.rows)
  let made = 0
  for (let from = 0; from < rows.length; from += LOOKED_AT_ONCE) {
    if (from > 0) await yieldToEventLoop()
    const some = rows.slice(from, from + LOOKED_AT_ONCE)
    const unpacked = some.flatMap((row) => unpackedOf(row, wanted.forms))
    made += unpacked.length
    for (let at = 0; at < unpacked.length; at += PACKED_AT_ONCE)
      await makeMembers(db, unpacked.slice(at, at + PACKED_AT_ONCE))
  }
  return { bodies: rows.length, made }
}

/** The row with those of the forms that are not in the cache, if there are any. */
function unpackedOf<F extends Form>(
  { jobId, index, recorded, packed }: PackedOfRow,
  forms: readonly F[],
): UnpackedRow<F>[] {
  const missing = unpackRecorded(recorded, forms)
    .map(({ form }) => form)
    .filter((form) => !packed.includes(form))
  return missing.length === 0 ? [] : [{ jobId, index, forms: missing }]
}

/** What is recorded of these forms with the lengths of their members, which are made where they are not at hand. */
export async function readMemberFacts<F extends Form>(
  db: Db,
  wanted: FormsOfRows<F>,
): Promise<(OfRow<F> & MemberFacts)[]> {
  const isReady = <T extends { gzipBytes: number | null }>(
    facts: T,
  ): facts is T & { gzipBytes: number } => facts.gzipBytes !== null
  const listed = await listFormsOf(db, wanted)
  if (listed.every(isReady)) return listed
  await readyMembers(db, { ...wanted, rows: rowsNamed(wanted.rows) })
  const ready = await listFormsOf(db, wanted)
  assert(ready.every(isReady), 'members that were just made are at hand')
  return ready
}

/** The gzip members of these forms, in no order; what is not stored is missing. */
export async function readMadeMembers<F extends Form>(
  db: Db,
  { rows, forms }: FormsOfRows<F>,
): Promise<(OfRow<F> & Member)[]> {
  const members = await readMembersOf(db, { rows, forms })
  const missing = lackingOf({ rows, forms }, members)
  return missing.length === 0 ? members : [...members, ...(await makeMembers(db, missing))]
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
  for (const { body, forms } of await readBodies(db, lackingOf(wanted, members)))
    for await (const made of formsOfBody(body, forms)) contents.push(made)
  return contents
}

/** The rows of which some forms are not among the members, with those forms. */
function lackingOf<F extends Form>(
  { rows, forms }: FormsOfRows<F>,
  members: readonly OfRow<F>[],
): UnpackedRow<F>[] {
  const found = new Map<string, F[]>()
  for (const member of members)
    found.set(keyOf(member), [...(found.get(keyOf(member)) ?? []), member.form])
  return rows.flatMap((row) => {
    const having = found.get(keyOf(row)) ?? []
    const lacking = forms.filter((form) => !having.includes(form))
    return lacking.length === 0 ? [] : [{ ...row, forms: lacking }]
  })
}

/** The bodies of these rows, each with the forms that are wanted of it; no question where there are no rows. */
async function readBodies<F extends Form>(
  db: Db,
  wanted: readonly UnpackedRow<F>[],
): Promise<{ body: ReadBody; forms: F[] }[]> {
  const formsOf = new Map(wanted.map((row) => [keyOf(row), row.forms]))
  const bodies = await readBodiesOf(db, wanted)
  return bodies.map((body) => ({ body, forms: formsOf.get(keyOf(body)) ?? [] }))
}

/** Of rows that are stored as members none are made. */
async function makeMembers<F extends Form>(
  db: Db,
  wanted: readonly UnpackedRow<F>[],
): Promise<(OfRow<F> & Member)[]> {
  const members: (OfRow<F> & Member)[] = []
  for (const { body, forms } of await readBodies(db, wanted)) {
    const making: Promise<OfRow<F> & Member>[] = []
    for await (const made of formsOfBody(body, forms)) making.push(memberOf(made))
    members.push(...(await Promise.all(making)))
  }
  await insertPacked(db, members)
  return members
}

async function memberOf<F extends Form>(made: MadeForm<F>): Promise<OfRow<F> & Member> {
  const { jobId, index, form, content, facts } = made
  return { jobId, index, form, ...(await packMemberElsewhere(content, facts)) }
}

type MadeForm<F extends Form> = OfRow<F> & { content: Buffer; facts: ContentFacts }

/** Those of the forms that its job asked for, each as long as was recorded; in a turn of the event loop of their own. */
async function* formsOfBody<F extends Form>(
  { jobId, index, body, recorded }: ReadBody,
  forms: readonly F[],
): AsyncGenerator<MadeForm<F>, void> {
  await yieldToEventLoop()
  const asked = unpackRecorded(recorded, forms)
  const segments = await unpackBody(body)
  for await (const { form, content } of rendered(
    segments,
    asked.map((one) => one.form),
  )) {
    const facts = asked.find((one) => one.form === form)
    const isSame = facts?.sizeBytes === content.length
    assert(isSame, `the ${form} of a body is what was recorded of it`)
    yield { jobId, index, form, content, facts }
  }
}

function keyOf({ jobId, index }: RowKey): string {
  return `${jobId} ${index}`
}

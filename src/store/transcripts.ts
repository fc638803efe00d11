/**
 * The tables `transcript`, `transcript_form` and `transcript_body`: delivered transcripts, each stored in all its forms or
 * as its words, and what is recorded of the forms.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Form } from '../model/transcripts/formats.ts'
import type { Member, MemberFacts } from '../model/transcripts/gzip-member.ts'
import { packRecorded, unpackRecorded } from '../model/transcripts/recorded-forms.ts'
import type {
  StoredBody,
  StoredForm,
  StoredTranscript,
} from '../model/transcripts/transcript-forms.ts'
import type { Db } from './database.ts'
import { valueLines } from '../kit/postgres/value-lines.ts'

/** Which form of which row a member is. */
export type RowForm<F extends Form = Form> = { index: number; form: F }

/** Which row of which job. */
export type RowKey = { jobId: string; index: number }

/** Which rows: those of tables with `job_id` and `index` that this joins or compares. */
export type RowsWanted = (table: RawBuilder<unknown>) => RawBuilder<unknown>

/** A member of a row with what is recorded of it, or (`recorded`) what is of all forms of its body. */
export type RecordedForms = RowKey & MemberFacts & { form: string; recorded: Buffer | null }
export type FactsByForm<F extends Form = Form> = Partial<Record<F, MemberFacts>>

/**
 * octet_length reads no bytes of a member that is stored apart from its row. A CRC-32 is a number that JavaScript has:
 * nothing is left to be done with each of very many rows.
 */
const FACTS = sql`octet_length(m.gzip) as "gzipBytes", m.size_bytes as "sizeBytes",
  m.crc32::float8 as crc32, m.sha256`

/** Whether any transcript is stored in its forms. */
export async function hasMembers(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from transcript_form) as has
  `.execute(db)
  return rows[0]?.has ?? false
}

/** What is recorded of one form; null where the row was not delivered or the form not asked for. */
export async function findForm(
  db: Db,
  { jobId, index, form }: { jobId: string; index: number; form: Form },
): Promise<MemberFacts | null> {
  const [found] = await listForms(db, { jobId, indexes: [index], forms: [form] })
  return found ?? null
}

/** What is recorded of these forms, in no order; `indexes` null: in the whole job. */
export async function listForms<F extends Form>(
  db: Db,
  {
    jobId,
    indexes,
    forms,
  }: { jobId: string; indexes: readonly number[] | null; forms: readonly F[] },
): Promise<(RowForm<F> & MemberFacts)[]> {
  return listFormsWhere(db, { rows: rowsOfJob(jobId, indexes), forms })
}

/** What is recorded of these forms of rows of several jobs, in no order; what is not stored is missing. */
export async function listFormsOf<F extends Form>(
  db: Db,
  { rows, forms }: { rows: readonly RowKey[]; forms: readonly F[] },
): Promise<(RowForm<F> & RowKey & MemberFacts)[]> {
  return listFormsWhere(db, { rows: rowsNamed(rows), forms })
}

async function listFormsWhere<F extends Form>(
  db: Db,
  wanted: { rows: RowsWanted; forms: readonly F[] },
): Promise<(RowForm<F> & RowKey & MemberFacts)[]> {
  const found = new Map<string, { key: RowKey; facts: FactsByForm<F> }>()
  for (const row of await listRecorded(db, wanted)) {
    const { jobId, index } = row
    const name = `${jobId} ${index}`
    const one = found.get(name) ?? { key: { jobId, index }, facts: {} }
    addRecorded(one.facts, row, wanted.forms)
    found.set(name, one)
  }
  return [...found.values()].flatMap(({ key, facts }) =>
    wanted.forms.flatMap((form) => {
      const known = facts[form]
      return known === undefined ? [] : [{ ...key, form, ...known }]
    }),
  )
}

/** What is recorded of these forms as the rows have it: as members, and of bodies all of it (see addRecorded). */
export async function listRecorded(
  db: Db,
  { rows: wanted, forms }: { rows: RowsWanted; forms: readonly Form[] },
): Promise<RecordedForms[]> {
  const { rows } = await sql<RecordedForms>`
    select m.job_id as "jobId", m.index, m.form, ${FACTS}, null::bytea as recorded
    from ${wanted(sql.table('transcript_form'))} and m.form = any(${[...forms]})
    union all
    select m.job_id, m.index, '', 0, 0, 0, '', m.recorded from ${wanted(sql.table('transcript_body'))}
  `.execute(db)
  return rows
}

/** Adds what one of them says to what is known of its row. */
export function addRecorded<F extends Form>(
  known: FactsByForm<F>,
  { form, gzipBytes, sizeBytes, crc32, sha256, recorded }: RecordedForms,
  forms: readonly F[],
): void {
  if (recorded === null) {
    known[form as F] = { gzipBytes, sizeBytes, crc32, sha256 }
    return
  }
  for (const { form: made, ...facts } of unpackRecorded(recorded, forms)) known[made] = facts
}

/** The gzip members that are stored of rows of several jobs, in no order. */
export async function readMembersOf<F extends Form>(
  db: Db,
  { rows: wanted, forms }: { rows: readonly RowKey[]; forms: readonly F[] },
): Promise<(RowForm<F> & RowKey & Member)[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<RowKey & Member & { form: string }>`
    select m.job_id as "jobId", m.index, m.form, m.gzip, ${FACTS}
    from ${rowsNamed(wanted)(sql.table('transcript_form'))} and m.form = any(${[...forms]})
  `.execute(db)
  return rows as (RowForm<F> & RowKey & Member)[]
}

/** A row's words: a body or the gzip member of its JSON, whichever is stored (see segmentsOfStored). */
export type StoredWords = RowKey & { stored: Buffer }

/** Those of rows of several jobs, in no order; of rows whose text is gone none. */
export async function readWordsOf(db: Db, wanted: readonly RowKey[]): Promise<StoredWords[]> {
  if (wanted.length === 0) return []
  const rows = rowsNamed(wanted)
  const { rows: read } = await sql<StoredWords>`
    select m.job_id as "jobId", m.index, m.gzip as stored from ${rows(sql.table('transcript_form'))} and m.form = 'json'
    union all
    select m.job_id, m.index, m.body from ${rows(sql.table('transcript_body'))}
  `.execute(db)
  return read
}

/** A body with what is recorded of some of its forms. */
export type ReadBody = RowKey & { body: Buffer; recorded: Buffer }

/** The bodies of rows of several jobs, in no order; rows that are stored as members have none. */
export async function readBodiesOf(db: Db, wanted: readonly RowKey[]): Promise<ReadBody[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<ReadBody>`
    select m.job_id as "jobId", m.index, m.body, m.recorded
    from ${rowsNamed(wanted)(sql.table('transcript_body'))}
  `.execute(db)
  return rows
}

export function rowsOfJob(jobId: string, indexes: readonly number[] | null): RowsWanted {
  const ofRows = indexes === null ? sql`` : sql`and m.index = any(${[...indexes]})`
  return (table) => sql`${table} m where m.job_id = ${jobId} ${ofRows}`
}

export function rowsNamed(wanted: readonly RowKey[]): RowsWanted {
  const jobIds = wanted.map(({ jobId }) => jobId)
  const indexes = wanted.map(({ index }) => index)
  return (table) => sql`unnest(${jobIds}::text[], ${indexes}::int[]) as w (job_id, index)
    join ${table} m on m.job_id = w.job_id and m.index = w.index where true`
}

/** A transcript that is being recorded, with its row; null where the row has none. */
export type RecordedTranscript = { index: number; transcript: StoredTranscript | StoredBody | null }

/**
 * Parts of recording rows: the transcripts of those in `ready`, as bodies or members. `shape` names what the text of
 * these parts depends on beside `size`, for as many rows as there may be.
 */
export function insertTranscripts(
  jobId: string,
  size: number,
  rows: readonly RecordedTranscript[],
): { shape: string; parts: RawBuilder<unknown> } {
  const bodies = rows.flatMap(({ index, transcript }) =>
    transcript !== null && 'recorded' in transcript ? [{ index, ...transcript }] : [],
  )
  const members = rows.flatMap(({ index, transcript }) =>
    transcript !== null && 'forms' in transcript ? [{ index, forms: transcript.forms }] : [],
  )
  const shapes: string[] = []
  const parts: RawBuilder<unknown>[] = []
  if (bodies.length > 0) {
    shapes.push('bodies')
    parts.push(insertBodies(jobId, size, bodies))
  }
  const formsMax = Math.max(0, ...members.map(({ forms }) => forms.length))
  if (formsMax > 0) {
    const forms = members.flatMap(({ index, forms: own }) =>
      own.map((form) => ({ index, ...form })),
    )
    shapes.push(`${formsMax}-forms`)
    parts.push(insertForms(jobId, size * formsMax, forms))
  }
  if (parts.length === 0) return { shape: 'none', parts: sql`` }
  return { shape: shapes.join('-'), parts: sql`${KEPT(jobId)} ${sql.join(parts, sql` `)}` }
}

const KEPT = (jobId: string): RawBuilder<unknown> => sql`, kept as (
      insert into transcript (job_id, index, text_hash, words)
      select ${jobId}, ready.index, ready.text_hash, ready.words from held, ready where ready.text_hash is not null
    )`

function insertBodies(
  jobId: string,
  size: number,
  bodies: readonly (StoredBody & { index: number })[],
): RawBuilder<unknown> {
  const lines = bodies.map(({ index, body, recorded }) => [index, body, packRecorded(recorded)])
  const values = valueLines(lines, { types: ['int', 'bytea', 'bytea'], count: size })
  return sql`, bodies as (
      insert into transcript_body (job_id, index, body, recorded)
      select ${jobId}, b.index, b.body, b.recorded
      from held, ready join (values ${values}) as b (index, body, recorded)
        on b.index = ready.index
    )`
}

function insertForms(
  jobId: string,
  size: number,
  forms: readonly (StoredForm & { index: number })[],
): RawBuilder<unknown> {
  const lines = forms.map((one) => [
    one.index,
    one.form,
    one.gzip,
    one.sizeBytes,
    one.crc32,
    one.sha256,
  ])
  const types = ['int', 'text', 'bytea', 'int', 'bigint', 'text']
  const values = valueLines(lines, { types, count: size })
  return sql`, forms as (
      insert into transcript_form (job_id, index, form, gzip, size_bytes, crc32, sha256)
      select ${jobId}, f.index, f.form, f.gzip, f.size_bytes, f.crc32, f.sha256
      from held, ready join (values ${values}) as f (index, form, gzip, size_bytes, crc32, sha256)
        on f.index = ready.index
    )`
}

/** Parts of deleting old texts: all that holds words of the jobs in this part; what receipts need of them stays. */
export function deleteFormsOf(jobs: 'due'): RawBuilder<unknown> {
  const due = sql.raw(jobs)
  return sql`gone as (
      delete from transcript_form f using ${due} where f.job_id = ${due}.id
    ), bodies as (
      delete from transcript_body b using ${due} where b.job_id = ${due}.id
    )`
}

/** The tables `transcript` and `transcript_form`: stored forms of delivered transcripts, and what is recorded of them. */
import { type RawBuilder, sql } from 'kysely'
import type { Form } from '../transcripts/formats.ts'
import type { Member, MemberFacts } from '../transcripts/gzip-member.ts'
import type { StoredTranscript } from '../transcripts/transcript-forms.ts'
import type { Db } from '../postgres/database.ts'

/** Rows of one job, and which of their forms. */
export type FormsInput<F extends Form = Form> = {
  jobId: string
  indexes: readonly number[]
  forms: readonly F[]
}

/** Which form of which row a member is. */
export type RowForm<F extends Form = Form> = { index: number; form: F }

type Facts = Omit<MemberFacts, 'crc32'> & { crc32: bigint }

/** octet_length reads no bytes of a member that is stored apart from its row. */
const FACTS = sql`octet_length(gzip) as "gzipBytes", size_bytes as "sizeBytes", crc32, sha256`

/** What is recorded of one form; null where the row was not delivered or the form not asked for. */
export async function findForm(
  db: Db,
  { jobId, index, form }: { jobId: string; index: number; form: Form },
): Promise<MemberFacts | null> {
  const { rows } = await sql<Facts>`
    select ${FACTS} from transcript_form
    where job_id = ${jobId} and index = ${index} and form = ${form}
  `.execute(db)
  return rows[0] === undefined ? null : { ...rows[0], crc32: Number(rows[0].crc32) }
}

/** What is recorded of these forms, in no order; `indexes` null: in the whole job. */
export async function listForms<F extends Form>(
  db: Db,
  { jobId, indexes, forms }: Omit<FormsInput<F>, 'indexes'> & { indexes: readonly number[] | null },
): Promise<(RowForm<F> & MemberFacts)[]> {
  const ofRows = indexes === null ? sql`` : sql`and index = any(${[...indexes]})`
  const { rows } = await sql<RowForm & Facts>`
    select index, form, ${FACTS} from transcript_form
    where job_id = ${jobId} ${ofRows} and form = any(${[...forms]})
  `.execute(db)
  return rows.map((row) => ({ ...row, form: row.form as F, crc32: Number(row.crc32) }))
}

/** The gzip members asked for, in no order; what is not stored is missing. */
export async function readMembers<F extends Form>(
  db: Db,
  { jobId, indexes, forms }: FormsInput<F>,
): Promise<(RowForm<F> & Member)[]> {
  if (indexes.length === 0) return []
  const { rows } = await sql<RowForm & Facts & { gzip: Buffer }>`
    select index, form, gzip, ${FACTS} from transcript_form
    where job_id = ${jobId} and index = any(${[...indexes]}) and form = any(${[...forms]})
  `.execute(db)
  return rows.map((row) => ({ ...row, form: row.form as F, crc32: Number(row.crc32) }))
}

/** Which row of which job. */
export type RowKey = { jobId: string; index: number }

/** The gzip members asked for of rows of several jobs, in no order; what is not stored is missing. */
export async function readMembersOf<F extends Form>(
  db: Db,
  { rows: wanted, forms }: { rows: readonly RowKey[]; forms: readonly F[] },
): Promise<(RowForm<F> & RowKey & Member)[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<RowForm & RowKey & Facts & { gzip: Buffer }>`
    select f.job_id as "jobId", f.index, f.form, f.gzip, ${FACTS}
    from ${rowsWanted(wanted)}
    join transcript_form f on f.job_id = w.job_id and f.index = w.index and f.form = any(${[...forms]})
  `.execute(db)
  return rows.map((row) => ({ ...row, form: row.form as F, crc32: Number(row.crc32) }))
}

/** What is recorded of these forms of rows of several jobs, in no order; what is not stored is missing. */
export async function listFormsOf<F extends Form>(
  db: Db,
  { rows: wanted, forms }: { rows: readonly RowKey[]; forms: readonly F[] },
): Promise<(RowForm<F> & RowKey & MemberFacts)[]> {
  const { rows } = await sql<RowForm & RowKey & Facts>`
    select f.job_id as "jobId", f.index, f.form, ${FACTS} from ${rowsWanted(wanted)}
    join transcript_form f on f.job_id = w.job_id and f.index = w.index and f.form = any(${[...forms]})
  `.execute(db)
  return rows.map((row) => ({ ...row, form: row.form as F, crc32: Number(row.crc32) }))
}

function rowsWanted(wanted: readonly RowKey[]): RawBuilder<unknown> {
  return sql`unnest(${wanted.map(({ jobId }) => jobId)}::text[], ${wanted.map(({ index }) => index)}::int[]) as w (job_id, index)`
}

/** Parts of recording a row: its transcript in every form, where `held` counted it. */
export function insertTranscript(
  { jobId, index }: { jobId: string; index: number },
  transcript: StoredTranscript,
): RawBuilder<unknown> {
  const forms = sql.join(
    transcript.forms.map(
      (form) => sql`(${form.form}::text, ${form.gzip}::bytea,
    ${form.sizeBytes}::int, ${form.crc32}::bigint, ${form.sha256}::text)`,
    ),
  )
  return sql`, kept as (
      insert into transcript (job_id, index, text_hash, words)
      select ${jobId}, ${index}, ${transcript.textSha256}, ${transcript.words} from held
    ), forms as (
      insert into transcript_form (job_id, index, form, gzip, size_bytes, crc32, sha256)
      select ${jobId}, ${index}, f.form, f.gzip, f.size_bytes, f.crc32, f.sha256
      from held, (values ${forms}) as f (form, gzip, size_bytes, crc32, sha256)
    )`
}

/** A part of deleting old texts: every form of the jobs in this part; what receipts need of them stays. */
export function deleteFormsOf(jobs: 'due'): RawBuilder<unknown> {
  return sql`delete from transcript_form f using ${sql.raw(jobs)} where f.job_id = ${sql.raw(jobs)}.id`
}

/** Transcripts as release 1.0.0 stored them: each form as a gzip member. */
import zlib from 'node:zlib'
import type pg from 'pg'
import type { Form } from '../../src/model/files/formats.ts'
import { FILE_FORMS } from '../../src/model/files/catalogue.ts'
import { unpackRecorded } from '../../src/model/files/recorded-forms.ts'
import { segmentsOfStored } from '../../src/model/transcripts/transcript-body.ts'
import { writeForm } from '../../src/model/files/write-form.ts'

const FORMS: readonly Form[] = [...FILE_FORMS, 'text']

/** Stores the transcripts of a job in this way, of the rows given or of all; returns how many. */
export async function storeAsMembers(
  pool: pg.Pool,
  jobId: string,
  indexes: readonly number[] | null = null,
): Promise<number> {
  const { rows } = await pool.query<{ index: number; body: Buffer; recorded: Buffer }>(
    `delete from transcript_body where job_id = $1 and ($2::int[] is null or index = any($2::int[]))
    returning index, body, recorded`,
    [jobId, indexes],
  )
  for (const { index, body, recorded } of rows) {
    const segments = segmentsOfStored(body)
    for (const { form, sizeBytes, crc32, sha256 } of unpackRecorded(recorded, FORMS))
      await pool.query(
        `insert into transcript_form (job_id, index, form, gzip, size_bytes, crc32, sha256)
        values ($1, $2, $3, $4, $5, $6, $7)`,
        [jobId, index, form, zlib.gzipSync(writeForm(segments, form)), sizeBytes, crc32, sha256],
      )
  }
  return rows.length
}

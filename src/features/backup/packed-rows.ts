/** Rows of texts that lie in the object store, with their words, as COPY writes them: a backup is whole. */
import { keyOfRow, type RowKey } from '../../model/library/row-key.ts'
import { listPackedAfter } from '../../store/text-packs.ts'
import {
  type KeptTexts,
  readWordsOf,
  readWordTimesOf,
  TextAway,
} from '../transcripts/text-store.ts'
import { BackupError } from './format.ts'

const ROWS_AT_ONCE = 64

/** Yields lines of `transcript_body`, after those that COPY gives. Throws a `BackupError` where one cannot be read. */
export async function* packedLines(kept: KeptTexts, columns: string[]): AsyncGenerator<Buffer> {
  for (let after: RowKey = { jobId: '', index: 0 }; ;) {
    const rows = await listPackedAfter(kept.db, { ...after, limit: ROWS_AT_ONCE })
    const bodies = new Map(
      (await readWordsOf(kept, rows).catch(explain)).map((one) => [keyOfRow(one), one.stored]),
    )
    const times = await readWordTimesOf(kept, rows).catch(explain)
    const wordTimes = new Map(times.map((one) => [keyOfRow(one), one.wordTimes]))
    for (const { jobId, index, recorded } of rows) {
      const key = keyOfRow({ jobId, index })
      const values: Record<string, string> = {
        job_id: jobId,
        index: String(index),
        body: bytea(bodies.get(key)),
        recorded: bytea(recorded),
        word_times: bytea(wordTimes.get(key)),
      }
      yield Buffer.from(`${columns.map((column) => values[column]).join('\t')}\n`)
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}

function explain(error: unknown): never {
  if (!(error instanceof TextAway)) throw error
  const { message } = error.cause as Error
  throw new BackupError(`a backup holds all texts, and not all can be read: ${message}`)
}

function bytea(bytes: Buffer | undefined): string {
  return bytes === undefined ? String.raw`\N` : String.raw`\\x${bytes.toString('hex')}`
}

/**
 * Opens a file of the words of one text, each with its times. Its size and hash are recorded with the text; it is made
 * while it is sent, piece by piece.
 */
import { bodyOf } from '../../kit/file-body.ts'
import { found } from '../../kit/problem.ts'
import { type Naming, stemOf } from '../../model/files/file-names.ts'
import {
  type RecordedForm,
  unpackRecorded,
  withRecorded,
} from '../../model/files/recorded-forms.ts'
import { WORD_FILES, type WordFile, WORDS } from '../../model/files/catalogue.ts'
import type { RowKey } from '../../model/library/row-key.ts'
import { findNamedRow } from '../../store/file-rows.ts'
import { findRecordedWords, replaceRecorded } from '../../store/transcripts.ts'
import type { OpenFile } from './open-file.ts'
import type { TextSource } from '../transcripts/read-stored.ts'
import { readWordsOf, readWordTimesOf } from '../transcripts/text-store.ts'

/** Returns null where no word times of the row are kept. The caller knows that the row is the account's. */
export async function openWordFile(
  source: TextSource,
  { jobId, index, file, naming }: RowKey & { file: WordFile; naming: Naming },
): Promise<OpenFile | null> {
  const { db, textReader } = source
  const key = { jobId, index }
  const [recorded, row] = await Promise.all([
    findRecordedWords(db, key),
    naming === 'title' ? findNamedRow(db, key) : null,
  ])
  if (recorded === null) return null
  const [whole, ...parts] = await factsOfWords(source, key, { recorded, file })
  if (whole === undefined) return null

  let reading: Promise<StoredWords> | null = null
  const load = async (nth: number): Promise<Buffer> => {
    const { stored, wordTimes } = await (reading ??= readWords(source, key))
    return textReader.writeWordPiece(stored, { file, wordTimes, nth })
  }
  const pieces = parts.length === 0 ? [whole] : parts
  return {
    contentType: WORDS[file].media,
    name: `${row === null ? index : stemOf(row, naming, String(row.indexMax).length)}.${file}`,
    stability: 'final',
    sha256: whole.sha256,
    body: bodyOf(pieces.map(({ sizeBytes }, nth) => ({ sizeBytes, load: () => load(nth) }))),
  }
}

type StoredWords = { stored: Buffer; wordTimes: Buffer }

/** Throws not_found where the text was deleted meanwhile. */
async function readWords(source: TextSource, key: RowKey): Promise<StoredWords> {
  const [[words], [times]] = await Promise.all([
    readWordsOf(source, [key]),
    readWordTimesOf(source, [key]),
  ])
  return { stored: found(words ?? null).stored, wordTimes: found(times ?? null).wordTimes }
}

/** Returns what is recorded of a file; a text that 2.0.0 delivered is measured once, when it is first asked for. */
async function factsOfWords(
  source: TextSource,
  key: RowKey,
  { recorded, file }: { recorded: Buffer; file: WordFile },
): Promise<RecordedForm<WordFile>[]> {
  const facts = unpackRecorded(recorded, [file])
  if (facts.length > 0) return facts
  const { stored, wordTimes } = await readWords(source, key)
  const measured: RecordedForm<WordFile>[] = []
  for (const each of WORD_FILES)
    measured.push(...(await source.textReader.measureWordFile(stored, { file: each, wordTimes })))
  const after = withRecorded(recorded, measured)
  await replaceRecorded(source.db, key, { before: recorded, after })
  return measured.filter(({ form }) => form === file)
}

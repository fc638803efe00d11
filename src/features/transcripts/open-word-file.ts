/** Opens a file of the words of one text, each with its times; the file is made whole when it is asked for. */
import { hash } from 'node:crypto'
import { bodyOf, chunkOf } from '../../kit/file-body.ts'
import { type Naming, stemOf } from '../../model/transcripts/file-names.ts'
import type { WordFile } from '../../model/transcripts/word-files.ts'
import { findNamedRow } from '../../store/file-rows.ts'
import { readWordsOf, readWordTimesOf, type RowKey } from '../../store/transcripts.ts'
import type { OpenFile } from './open-file.ts'
import type { TextSource } from './read-stored.ts'

const TYPES: Record<WordFile, string> = {
  'words.json': 'application/json; charset=utf-8',
  'words.vtt': 'text/vtt; charset=utf-8',
}

/** Returns null where no word times of the row are kept. The caller knows that the row is the account's. */
export async function openWordFile(
  { db, textReader }: TextSource,
  { jobId, index, file, naming }: RowKey & { file: WordFile; naming: Naming },
): Promise<OpenFile | null> {
  const key = [{ jobId, index }]
  const [[words], [times], row] = await Promise.all([
    readWordsOf(db, key),
    readWordTimesOf(db, key),
    naming === 'title' ? findNamedRow(db, { jobId, index }) : null,
  ])
  if (words === undefined || times === undefined) return null
  const { wordTimes } = times
  const content = await textReader.writeWordFile(words.stored, { file, wordTimes })
  return {
    kind: 'video',
    contentType: TYPES[file],
    name: `${row === null ? index : stemOf(row, naming, String(row.indexMax).length)}.${file}`,
    stability: 'final',
    sha256: hash('sha256', content),
    body: bodyOf([chunkOf(content)]),
  }
}

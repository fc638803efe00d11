/** Citations of all videos of a job or a collection, for reference managers; made while they are sent. */
import { yieldToEventLoop } from '../../kit/concurrency.ts'
import { gather } from '../../kit/file-body.ts'
import type { ExportFile } from '../../model/files/catalogue.ts'
import { type CitedVideo, cslEntry, risEntry } from '../../model/files/citations.ts'
import { keyOfRow } from '../../model/library/row-key.ts'
import type { Db } from '../../store/database.ts'
import { listFetchTimes } from '../../store/transcripts.ts'
import type { KeptText } from './export-texts.ts'

/** The writer of an entry for each video. */
type EntryWriter = {
  /** Text before the entries, between two of them, and behind the last. */
  frame: { head: string; between: string; end: string }
  entry(video: CitedVideo): string
}

const WRITERS = {
  'export.ris': { frame: { head: '', between: '', end: '' }, entry: risEntry },
  'export.csl.json': { frame: { head: '[\n', between: ',\n', end: '\n]\n' }, entry: cslEntry },
} as const satisfies Partial<Record<ExportFile, EntryWriter>>
type EntryExport = keyof typeof WRITERS

export function isEntryExport(file: ExportFile): file is EntryExport {
  return Object.hasOwn(WRITERS, file)
}

/** Yields one entry for each video, also where a project has it in several languages; no text is read. */
export async function* writeCitations(
  db: Db,
  file: EntryExport,
  texts: readonly KeptText[],
): AsyncGenerator<Buffer, void> {
  const { entry, frame } = WRITERS[file]
  const { head, between, end } = frame
  const cited = new Set<string>()
  yield Buffer.from(head)
  for (const group of gather(texts)) {
    const rows = group.map(({ row }) => row)
    const times = await listFetchTimes(db, rows)
    const fetchedOf = new Map(times.map((time) => [keyOfRow(time), time.fetchedAt]))
    await yieldToEventLoop()
    let entries = ''
    for (const row of rows) {
      if (cited.has(row.videoId)) continue
      const video = { ...row, fetchedAt: fetchedOf.get(keyOfRow(row)) ?? null }
      entries += `${cited.size === 0 ? '' : between}${entry(video)}`
      cited.add(row.videoId)
    }
    yield Buffer.from(entries)
  }
  yield Buffer.from(end)
}

/** Citations of all videos of a job or a collection, for reference managers; made while they are sent. */
import { yieldToEventLoop } from '../../kit/concurrency.ts'
import { gather } from '../../kit/file-body.ts'
import { CITATION_FRAMES, citationEntry } from '../../model/library/citations.ts'
import type { CitationExport } from '../../model/library/exports.ts'
import type { Db } from '../../store/database.ts'
import { listFetchTimes } from '../../store/transcripts.ts'
import { type KeptText, keyOf } from './export-texts.ts'

/** Yields one entry for each video, also where a project has it in several languages; no text is read. */
export async function* writeCitations(
  db: Db,
  file: CitationExport,
  texts: readonly KeptText[],
): AsyncGenerator<Buffer, void> {
  const { head, between, end } = CITATION_FRAMES[file]
  const cited = new Set<string>()
  yield Buffer.from(head)
  for (const group of gather(texts)) {
    const rows = group.map(({ row }) => row)
    const times = await listFetchTimes(db, rows)
    const fetchedOf = new Map(times.map((time) => [keyOf(time), time.fetchedAt]))
    await yieldToEventLoop()
    let entries = ''
    for (const row of rows) {
      if (cited.has(row.videoId)) continue
      const video = { ...row, fetchedAt: fetchedOf.get(keyOf(row)) ?? null }
      entries += `${cited.size === 0 ? '' : between}${citationEntry(file, video)}`
      cited.add(row.videoId)
    }
    yield Buffer.from(entries)
  }
  yield Buffer.from(end)
}

/** Exports that are ZIPs of Markdown: sources of a notebook, and a vault with a note for each text. */
import { inTurns, yieldToEventLoop } from '../../kit/concurrency.ts'
import { LIMITS } from '../../config/config.ts'
import { gather, slicesOf } from '../../kit/file-body.ts'
import { Problem } from '../../kit/problem.ts'
import {
  NOTEBOOK_PARTS,
  type NotebookBounds,
  type NotebookItem,
  type NotebookSize,
  packSources,
} from '../../model/files/notebook.ts'
import { noteStem, sourceName } from '../../model/files/file-names.ts'
import type { TextSource } from '../transcripts/read-stored.ts'
import { newestDate } from './archive.ts'
import { madeFile, type SentFile, sendZip } from './send-zip.ts'
import { type KeptText, readStored, type StoredText } from './export-texts.ts'

export type NotebookTerms = {
  bounds: NotebookBounds
  /** Aborts when the caller leaves: all texts are read once to count their words, before anything is sent. */
  departure: AbortSignal
}

/** `title` is what its sources are called, behind their numbers. */
type NotebookOrder = NotebookTerms & { title: string; texts: readonly KeptText[] }

/**
 * Returns the ZIP of a notebook's sources; null where the caller left. Throws a Problem where the texts need more
 * sources than are allowed: nothing is left out of a notebook in silence.
 */
export async function openNotebook(
  source: TextSource,
  order: NotebookOrder,
): Promise<AsyncIterable<Buffer> | null> {
  const { wordsMax, partsMax } = order.bounds
  const texts = await countWords(source, order)
  if (texts === null) return null
  const sources = await inTurns(
    packSources(
      texts.map(({ pieces }) => pieces),
      wordsMax,
    ),
  )
  if (sources.length > partsMax) throw tooManyWords(texts, order.bounds, sources.length)
  return zipped(sourceFiles(source, order, { texts, sources }))
}

type CountedText = KeptText & { pieces: NotebookSize[] }

async function countWords(
  source: TextSource,
  { texts, bounds: { wordsMax }, departure }: NotebookOrder,
): Promise<CountedText[] | null> {
  const counted: CountedText[] = []
  for (const group of gather(texts)) {
    if (departure.aborted) return null
    for await (const { text, stored, video } of readGroup(source, group)) {
      const pieces = await source.textReader.sizeNotebook(stored, { video, wordsMax })
      counted.push({ ...text, pieces })
    }
  }
  return counted
}

/** Yields the texts of a group that are still kept, each in a turn of the event loop of its own. */
async function* readGroup<Text extends KeptText>(
  source: TextSource,
  group: readonly Text[],
): AsyncGenerator<StoredText & { text: Text }, void> {
  const rows = group.map(({ row }) => row)
  const storedOf = new Map((await readStored(source, rows)).map((read) => [read.row, read]))
  for (const text of group) {
    const stored = storedOf.get(text.row)
    if (stored === undefined) continue
    await yieldToEventLoop()
    yield { ...stored, text }
  }
}

function tooManyWords(
  texts: readonly CountedText[],
  { partsMax, wordsMax }: NotebookBounds,
  parts: number,
): Problem {
  const words = texts.reduce((sum, { pieces }) => {
    return sum + pieces.reduce((own, piece) => own + piece.words, 0)
  }, 0)
  const [total, most] = [words, wordsMax].map((count) => count.toLocaleString('en-US'))
  const help =
    parts <= NOTEBOOK_PARTS.most
      ? `Ask for parts=${parts}`
      : `A notebook takes ${NOTEBOOK_PARTS.most} at most: allow more words`
  const message =
    `parts: the ${texts.length} texts have ${total} words, which fill ${parts} sources of at most ${most} words, ` +
    `and ${partsMax} are allowed. ${help}, or put fewer videos into a project and take that.`
  return new Problem('invalid_request', { message, field: 'parts' })
}

type Packed = { texts: readonly CountedText[]; sources: readonly NotebookItem[][] }

async function* sourceFiles(
  source: TextSource,
  { title, bounds: { wordsMax } }: NotebookOrder,
  { texts, sources }: Packed,
): AsyncGenerator<SentFile, void> {
  for (const [at, items] of sources.entries()) {
    const pieces = items.flatMap(({ text, nth }) => {
      const found = texts[text]
      return found === undefined ? [] : [{ ...found, nth }]
    })
    const videos = pieces.map(({ row }) => row)
    const name = sourceName(title, videos, { nth: at + 1, count: sources.length })
    yield madeFile({ name, at: newestDate(videos) }, writePieces(source, pieces, wordsMax))
  }
}

async function* writePieces(
  source: TextSource,
  pieces: readonly (KeptText & { nth: number })[],
  wordsMax: number,
): AsyncGenerator<Buffer, void> {
  for (const group of gather(pieces))
    for await (const { text, stored, video } of readGroup(source, group)) {
      const ask = { video, wordsMax, nth: text.nth }
      yield* slicesOf(await source.textReader.writeNotebook(stored, ask))
    }
}

/** Returns the ZIP of a vault. Throws a Problem where there are more notes than a ZIP can hold files. */
export function openVault(source: TextSource, texts: readonly KeptText[]): AsyncIterable<Buffer> {
  if (texts.length > LIMITS.zipEntriesMax)
    throw new Problem('invalid_request', {
      message: `${texts.length} notes are more than the ${LIMITS.zipEntriesMax} files that a ZIP can hold; put fewer videos into a project and take that, or take export.md.`,
    })
  return zipped(notesOf(source, texts))
}

async function* notesOf(
  source: TextSource,
  texts: readonly KeptText[],
): AsyncGenerator<SentFile, void> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()]
  for (const { row } of texts) (seen.has(row.videoId) ? repeated : seen).add(row.videoId)
  for (const group of gather(texts))
    for await (const { row, stored, video } of readGroup(source, group)) {
      const name = `${noteStem(video, repeated.has(row.videoId))}.md`
      const note = { file: 'note.md', video, passageMs: 0 } as const
      yield madeFile({ name, at: video.publishedAt }, source.textReader.writeExport(stored, note))
    }
}

/** Yields the ZIP; nothing is read before its first byte is asked for. */
async function* zipped(files: AsyncGenerator<SentFile, void>): AsyncGenerator<Buffer, void> {
  yield* sendZip(files) as AsyncIterable<Buffer>
}

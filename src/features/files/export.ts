/** Exports of all texts of a job or a collection for readers, machines and other programs, made while they are sent. */
import { inTurns } from '../../kit/concurrency.ts'
import { gather, heldBytesOf } from '../../kit/file-body.ts'
import { keyOfRow } from '../../model/library/row-key.ts'
import type { LibraryRow } from '../../model/library/collection.ts'
import { EXPORTS, type ExportFile } from '../../model/files/catalogue.ts'
import { isTextExport, TEXT_EXPORTS, type TextExport } from '../../model/files/text-exports.ts'
import { exportName } from '../../model/files/file-names.ts'
import { eachInSteps, type Steps } from '../../model/transcripts/steps.ts'
import type { Db } from '../../store/database.ts'
import { listTexts } from '../../store/library-rows.ts'
import { factsOfForms, listRecorded, type RecordedForms } from '../../store/transcripts.ts'
import type { TextSource } from '../transcripts/read-stored.ts'
import { isEntryExport, writeCitations } from './export-citations.ts'
import { type NotebookTerms, openNotebook, openVault } from './export-packs.ts'
import {
  type Export,
  type ExportMaking,
  type KeptText,
  readStored,
  SIZED_BY,
} from './export-texts.ts'
import {
  findFiledOrder,
  isOrder,
  type OrderOfFile,
  readTextsOfOrder,
  stemOfOrder,
} from './filed-order.ts'
import { type CollectedKey, findCollected } from './open-collection-file.ts'

/** An export as it is asked for. */
export type ExportAsked = {
  file: ExportFile
  of: OrderOfFile | CollectedKey
}

type ExportOrder = ExportAsked &
  NotebookTerms & {
    accountId: string
    /** The greatest length of a passage in JSON lines, in milliseconds. */
    passageMs: number
  }

/**
 * Opens all texts of a job, a batch or a collection as one export, made while it is sent. Returns null where the
 * account has no such order or collection; throws not_found with a message of its own for a job whose texts are
 * deleted. Texts are read a few at a time, as the reader takes them.
 */
export async function openExport(source: TextSource, order: ExportOrder): Promise<Export | null> {
  const { file } = order
  const found = await findExported(source.db, order)
  if (found === null) return null
  const { stem, head, rows, recorded } = found
  const texts = await inTurns(keptSteps(rows, recorded))
  const made = makingOf(source, order, { head, texts })
  return { name: exportName(stem, file), contentType: EXPORTS[file].media, ...made }
}

function makingOf(
  source: TextSource,
  order: ExportOrder,
  { head, texts }: { head: Head; texts: readonly KeptText[] },
): ExportMaking {
  const { file, of, bounds, departure, passageMs } = order
  const heldBytes = heldBytesOf({ chunks: texts })
  if (isTextExport(file)) {
    const ask = { file, passageMs }
    return { heldBytes, begin: async () => writeTexts(source, ask, { head, texts }) }
  }
  if (isEntryExport(file))
    return { heldBytes: 0, begin: async () => writeCitations(source.db, file, texts) }
  if (file === 'vault.zip') {
    const bytes = openVault(source, texts)
    return { heldBytes, begin: async () => bytes }
  }
  file satisfies 'notebook.zip'
  // What is new in a collection comes behind what a notebook has already; a job's rows keep their order.
  const ordered = isOrder(of) ? texts : texts.toReversed()
  const notebook = { title: head.title, texts: ordered, bounds, departure }
  return { heldBytes, begin: () => openNotebook(source, notebook) }
}

type Head = { title: string } & Record<string, string | number | null>
type Exported = { stem: string; head: Head; rows: LibraryRow[]; recorded: RecordedForms[] }

async function findExported(db: Db, { accountId, of }: ExportOrder): Promise<Exported | null> {
  if (isOrder(of)) {
    const order = await findFiledOrder(db, { accountId, ...of })
    if (order === null) return null
    const texts = await readTextsOfOrder(db, order)
    const [title, stem] = [await order.title(), await stemOfOrder(order)]
    const head = { title, [order.kind]: order.id, created: order.createdAt.toISOString() }
    const [rows, recorded] = [texts.map(({ row }) => row), texts.map((text) => text.recorded)]
    return { stem, head: { ...head, transcripts: rows.length }, rows, recorded }
  }
  const found = await findCollected(db, accountId, of)
  if (found === null) return null
  const { owned, stem } = found
  const [rows, recorded] = await Promise.all([listTexts(db, owned), listRecorded(db, owned)])
  return { stem, head: { ...found.head, transcripts: rows.length }, rows, recorded }
}

/** Returns the texts in steps. One that came between the two queries is left out; the next download has it. */
function* keptSteps(
  rows: readonly LibraryRow[],
  recorded: readonly RecordedForms[],
): Steps<KeptText[]> {
  const sizes = new Map<string, number>()
  yield* eachInSteps(recorded, (line) => {
    sizes.set(keyOfRow(line), factsOfForms(line, [SIZED_BY])[SIZED_BY]?.sizeBytes ?? 0)
  })
  const kept: KeptText[] = []
  yield* eachInSteps(rows, (row) => {
    const sizeBytes = sizes.get(keyOfRow(row))
    if (sizeBytes !== undefined) kept.push({ row, sizeBytes })
  })
  return kept
}

async function* writeTexts(
  source: TextSource,
  { file, passageMs }: { file: TextExport; passageMs: number },
  { head, texts }: { head: Head; texts: readonly KeptText[] },
): AsyncGenerator<Buffer, void> {
  const beginning = TEXT_EXPORTS[file].head?.(head)
  if (beginning !== undefined) yield Buffer.from(beginning)
  for (const group of gather(texts)) {
    for (const { stored, video } of await readStored(
      source,
      group.map(({ row }) => row),
    ))
      yield* source.textReader.writeExport(stored, { file, video, passageMs })
  }
}

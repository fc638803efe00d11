/**
 * The ZIP of thousands of texts, with the bytes that archive.ts would give it, laid out from names and lengths alone: what
 * the records of an entry need besides is read with what they stand before. So its length is known soon, a range
 * loads what it touches, and little is kept while it is sent.
 */
import type { FileForm } from '../../model/transcripts/formats.ts'
import {
  deflateStream,
  deflateStreamBytes,
  type Member,
  type MemberFacts,
} from '../../model/transcripts/gzip-member.ts'
import { TEXT_SEPARATOR, textHeadOf } from './all-text.ts'
import { storedEntry } from './archive.ts'
import {
  bodyOf,
  type Chunk,
  chunkOf,
  type FileBody,
  gather,
  type HashedBody,
  totalBytes,
} from '../../kit/file-body.ts'
import { ALL_TEXT_NAME, REPORT_NAME } from '../../model/transcripts/file-names.ts'
import type { DeliveredRow } from '../../model/transcripts/job-rows.ts'
import { withPart } from './splice.ts'
import { eachInSteps, type Steps } from '../../model/transcripts/steps.ts'
import {
  centralHeader,
  centralHeaderBytes,
  endRecord,
  ENTRIES_A_STEP,
  localHeader,
  localHeaderBytes,
  type ZipEntry,
} from '../../model/transcripts/zip-records.ts'

export type LargeText = {
  /** Its index is its place in all-transcripts.txt. */
  row: Omit<DeliveredRow, 'members'>
  /** What its files are called, before the ending; unique. */
  stem: string
  /** Of its gzip members; 0: that form is not stored. */
  gzipBytes: Readonly<Record<FileForm, number>>
  /** Of its text, uncompressed. */
  textBytes: number
}

/** Reads what is recorded of texts, or with their bytes, by place and form; of texts of one chunk at a time. */
export type FormReaders = {
  facts(texts: readonly LargeText[], forms: readonly FileForm[]): Promise<ReadForm<MemberFacts>>
  members(texts: readonly LargeText[], forms: readonly FileForm[]): Promise<ReadForm<Member>>
  contents(
    texts: readonly LargeText[],
    forms: readonly FileForm[],
  ): Promise<ReadForm<{ content: Buffer }>>
}
export type ReadForm<T> = (text: LargeText, form: FileForm) => T

export type LargeArchiveOrder = {
  /** In the order of all-transcripts.txt. */
  texts: readonly LargeText[]
  /** Which forms go in, sorted by ending; of each text those that are stored. */
  forms: readonly FileForm[]
  report: HashedBody
  read: FormReaders
}

/** A text's entries in the ZIP. */
type Laid = {
  text: LargeText
  forms: FileForm[]
  offset: number
  /** Headers and bodies. */
  sizeBytes: number
  directoryBytes: number
}

/** Nothing is read until it is sent. */
export function* largeArchiveSteps(order: LargeArchiveOrder): Steps<FileBody> {
  const { report, read, forms } = order
  const laid = yield* layOut(order)
  yield
  const allText = yield* allTextLater(order)
  const entriesEnd = totalBytes(laid)
  const reportAt = entriesEnd + localHeaderBytes({ name: ALL_TEXT_NAME }) + allText.sizeBytes
  const directoryAt = reportAt + localHeaderBytes({ name: REPORT_NAME }) + report.sizeBytes
  const wholeJob = async (): Promise<[ZipEntry, ZipEntry]> => [
    storedEntry(ALL_TEXT_NAME, { sizeBytes: allText.sizeBytes, crc32: await allText.crc32() }),
    storedEntry(REPORT_NAME, report),
  ]
  yield
  const directory = gatherEntries(laid).map((group) => directoryChunk(group, read))
  const lastNames = [{ name: ALL_TEXT_NAME }, { name: REPORT_NAME }]
  const lastBytes = lastNames.reduce((bytes, entry) => bytes + centralHeaderBytes(entry), 0)
  const end = endRecord({
    entries: laid.reduce((count, each) => count + each.forms.length, lastNames.length),
    offset: directoryAt,
    sizeBytes: totalBytes(directory) + lastBytes,
  })
  const ending: Chunk = {
    sizeBytes: lastBytes + end.length,
    load: async () => {
      const [all, csv] = await wholeJob()
      const placed = [
        { ...all, offset: entriesEnd },
        { ...csv, offset: reportAt },
      ]
      return Buffer.concat([...placed.map(centralHeader), end])
    },
  }
  return bodyOf([
    ...gather(laid).map((group) => entriesChunk(group, forms, read)),
    {
      sizeBytes: localHeaderBytes({ name: ALL_TEXT_NAME }),
      load: async () => localHeader((await wholeJob())[0]),
    },
    ...allText.chunks,
    chunkOf(localHeader(storedEntry(REPORT_NAME, report))),
    ...report.chunks,
    ...directory,
    ending,
  ])
}

function* layOut({ texts, forms }: LargeArchiveOrder): Steps<Laid[]> {
  const keyed = texts.map((text) => ({ text, key: `${text.stem}.` }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  yield
  const laid: Laid[] = []
  let offset = 0
  yield* eachInSteps(keyed, ({ text }) => {
    const stored = forms.filter((form) => text.gzipBytes[form] > 0)
    const stem = { name: `${text.stem}.` }
    let [sizeBytes, directoryBytes] = [0, 0]
    for (const form of stored) {
      const packedBytes = deflateStreamBytes({ gzipBytes: text.gzipBytes[form] })
      sizeBytes += localHeaderBytes(stem) + form.length + packedBytes
      directoryBytes += centralHeaderBytes(stem) + form.length
    }
    laid.push({ text, forms: stored, offset, sizeBytes, directoryBytes })
    offset += sizeBytes
  })
  return laid
}

function entryOf({ stem }: LargeText, form: FileForm, facts: MemberFacts): ZipEntry {
  const { sizeBytes, crc32 } = facts
  const packedBytes = deflateStreamBytes(facts)
  return { name: `${stem}.${form}`, method: 'deflate', packedBytes, sizeBytes, crc32 }
}

function entriesChunk(
  group: readonly Laid[],
  forms: readonly FileForm[],
  read: FormReaders,
): Chunk {
  const texts = group.map(({ text }) => text)
  const load = async (): Promise<Buffer> => {
    const memberOf = await read.members(texts, forms)
    const parts = group.flatMap(({ text, forms: stored }) =>
      stored.flatMap((form) => {
        const member = memberOf(text, form)
        return [localHeader(entryOf(text, form, member)), deflateStream(member.gzip, member)]
      }),
    )
    return Buffer.concat(parts)
  }
  return { sizeBytes: totalBytes(group), load }
}

/** A text's entries at most. */
const FORMS_MAX = 4

/** Texts whose entries stand in one piece of the directory. */
function gatherEntries(laid: readonly Laid[]): Laid[][] {
  return pieces(laid, ENTRIES_A_STEP / FORMS_MAX)
}

function pieces<T>(items: readonly T[], itemsEach: number): T[][] {
  const cut: T[][] = []
  for (let at = 0; at < items.length; at += itemsEach) cut.push(items.slice(at, at + itemsEach))
  return cut
}

function directoryChunk(group: readonly Laid[], read: FormReaders): Chunk {
  const load = async (): Promise<Buffer> => {
    const forms = [...new Set(group.flatMap((each) => each.forms))]
    const texts = group.map(({ text }) => text)
    const factsOf = await read.facts(texts, forms)
    const headers = group.flatMap(({ text, forms: stored, offset: first }) => {
      let offset = first
      return stored.map((form) => {
        const entry = { ...entryOf(text, form, factsOf(text, form)), offset }
        offset += localHeaderBytes(entry) + entry.packedBytes
        return centralHeader(entry)
      })
    })
    return Buffer.concat(headers)
  }
  return { sizeBytes: group.reduce((bytes, each) => bytes + each.directoryBytes, 0), load }
}

/** The texts one after the other, whose checksum is reckoned when it is asked for, once. */
type LaterText = FileBody & { crc32(): Promise<number> }

function* allTextLater({ texts, read }: LargeArchiveOrder): Steps<LaterText> {
  const sized: { text: LargeText; sizeBytes: number }[] = []
  yield* eachInSteps(texts, (text) => {
    const headBytes = Buffer.byteLength(textHeadOf(text.row))
    sized.push({ text, sizeBytes: headBytes + text.textBytes + TEXT_SEPARATOR.length })
  })
  const groups = gather(sized)
  const chunks = groups.map((group): Chunk => {
    const load = async (): Promise<Buffer> => {
      const contentOf = await read.contents(textsOf(group), ['txt'])
      const parts: Buffer[] = []
      for (const { text } of group) {
        const head = Buffer.from(textHeadOf(text.row))
        parts.push(head, contentOf(text, 'txt').content, TEXT_SEPARATOR)
      }
      return Buffer.concat(parts)
    }
    return { sizeBytes: totalBytes(group), load }
  })
  let reckoned: Promise<number> | null = null
  const crc32 = (): Promise<number> => (reckoned ??= crc32Of(texts, read))
  return { ...bodyOf(chunks), crc32 }
}

function textsOf(group: readonly { text: LargeText }[]): LargeText[] {
  return group.map(({ text }) => text)
}

async function crc32Of(texts: readonly LargeText[], read: FormReaders): Promise<number> {
  let crc32 = 0
  for (const group of pieces(texts, ENTRIES_A_STEP / FORMS_MAX)) {
    const factsOf = await read.facts(group, ['txt'])
    for (const text of group) {
      const part = { index: text.row.index, form: 'txt', facts: factsOf(text, 'txt') } as const
      const head = Buffer.from(textHeadOf(text.row))
      crc32 = [head, part, TEXT_SEPARATOR].reduce(withPart, crc32)
    }
  }
  return crc32
}

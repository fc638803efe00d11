/**
 * Records of the forms of a transcript and of the files of its words, as bytes: enough to lay out a file, a
 * ZIP or a page before a form is written.
 *
 *     how many   ( number   length   CRC-32 ) of each   SHA-256 of each
 *
 * A file of words that is written in several pieces (word-files.ts) has an entry for each of them behind its own. A
 * release that does not know a number leaves its entries out.
 */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import zlib from 'node:zlib'
import type { Form } from './formats.ts'
import {
  FORM_FILES,
  FORMS,
  PAGE_TEXT_NUMBER,
  WORD_FILES,
  type WordFile,
  WORDS,
} from './catalogue.ts'

/** Length in bytes, CRC-32 and SHA-256 (hex) of a content. */
export type ContentFacts = { sizeBytes: number; crc32: number; sha256: string }
/** A form or file whose facts are recorded. */
export type Recordable = Form | WordFile
export type RecordedForm<F extends Recordable = Recordable> = ContentFacts & { form: F }

/** The number under which each is stored. */
const NUMBERS: ReadonlyMap<Recordable, number> = new Map<Recordable, number>([
  ['text', PAGE_TEXT_NUMBER],
  ...FORM_FILES.map((form) => [form, FORMS[form].number] as const),
  ...WORD_FILES.map((file) => [file, WORDS[file].number] as const),
])
assert(new Set(NUMBERS.values()).size === NUMBERS.size, 'each form has a number of its own')

const LENGTH_BYTES = 4
const HEAD_BYTES = 1 + 2 * LENGTH_BYTES
const HASH_BYTES = 32

export function contentFacts(content: Buffer): ContentFacts {
  return { sizeBytes: content.length, crc32: zlib.crc32(content), sha256: hash('sha256', content) }
}

export function packRecorded(forms: readonly RecordedForm[]): Buffer {
  const bytes = Buffer.alloc(1 + forms.length * (HEAD_BYTES + HASH_BYTES))
  bytes.writeUInt8(forms.length)
  for (const [place, { form, sizeBytes, crc32, sha256 }] of forms.entries()) {
    const at = 1 + place * HEAD_BYTES
    const number = NUMBERS.get(form)
    assert(number !== undefined, `${form} has a number`)
    bytes.writeUInt8(number, at)
    bytes.writeUInt32LE(sizeBytes, at + 1)
    bytes.writeUInt32LE(crc32, at + 1 + LENGTH_BYTES)
    bytes.write(sha256, 1 + forms.length * HEAD_BYTES + place * HASH_BYTES, 'hex')
  }
  return bytes
}

/** Returns the recorded facts of the forms asked for, in their order; forms that are not recorded are left out. */
export function unpackRecorded<F extends Recordable>(
  bytes: Buffer,
  forms: readonly F[],
): RecordedForm<F>[] {
  const count = bytes.readUInt8()
  const isWhole = bytes.length === 1 + count * (HEAD_BYTES + HASH_BYTES)
  assert(isWhole, 'what is recorded of forms has its length')
  return Array.from({ length: count }, (_, place) => place).flatMap((place) => {
    const at = 1 + place * HEAD_BYTES
    const form = forms.find((one) => NUMBERS.get(one) === bytes.readUInt8(at))
    if (form === undefined) return []
    const hashAt = 1 + count * HEAD_BYTES + place * HASH_BYTES
    return [
      {
        form,
        sizeBytes: bytes.readUInt32LE(at + 1),
        crc32: bytes.readUInt32LE(at + 1 + LENGTH_BYTES),
        sha256: bytes.toString('hex', hashAt, hashAt + HASH_BYTES),
      },
    ]
  })
}

/** Returns `recorded` with these entries behind its own. */
export function withRecorded(recorded: Buffer, more: readonly RecordedForm[]): Buffer {
  return packRecorded([...unpackRecorded(recorded, [...NUMBERS.keys()]), ...more])
}

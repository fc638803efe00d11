/**
 * What is recorded of the forms of a body, as bytes:
 *
 *     how many   ( number   length   length of its gzip member ) of each   ( CRC-32   SHA-256 ) of each
 *
 * Lengths come first, so that whoever needs nothing else reads nothing else.
 */
import assert from 'node:assert/strict'
import type { Form } from './formats.ts'

/** Lengths of a form and of its gzip member, in bytes. */
export type FormSizes = { form: Form; sizeBytes: number; gzipBytes: number }
/** As in gzip-member.ts: SHA-256 in hex. */
export type RecordedForm = FormSizes & { crc32: number; sha256: string }

/** Stored data: new forms go to the end. */
const NUMBERED: readonly Form[] = ['txt', 'json', 'text', 'srt', 'vtt']
const LENGTH_BYTES = 4
/** How many bytes the lengths of a form take, after the byte that says of how many forms they are. */
export const SIZES_BYTES = 1 + 2 * LENGTH_BYTES
const HASH_BYTES = 32
const FACTS_BYTES = LENGTH_BYTES + HASH_BYTES

/** The number by which a form is stored, and known to forms.wasm. */
export function formNumber(form: Form): number {
  return NUMBERED.indexOf(form)
}

export function packRecorded(forms: readonly RecordedForm[]): Buffer {
  const bytes = Buffer.alloc(1 + forms.length * (SIZES_BYTES + FACTS_BYTES))
  bytes.writeUInt8(forms.length)
  for (const [place, { form, sizeBytes, gzipBytes, crc32, sha256 }] of forms.entries()) {
    const at = 1 + place * SIZES_BYTES
    bytes.writeUInt8(formNumber(form), at)
    bytes.writeUInt32LE(sizeBytes, at + 1)
    bytes.writeUInt32LE(gzipBytes, at + 1 + LENGTH_BYTES)
    const factsAt = 1 + forms.length * SIZES_BYTES + place * FACTS_BYTES
    bytes.writeUInt32LE(crc32, factsAt)
    bytes.write(sha256, factsAt + LENGTH_BYTES, 'hex')
  }
  return bytes
}

/** Those of the forms asked for that are recorded. */
export function unpackRecorded<F extends Form>(
  bytes: Buffer,
  forms: readonly F[],
): (RecordedForm & { form: F })[] {
  const many = bytes.readUInt8()
  assert(bytes.length === 1 + many * (SIZES_BYTES + FACTS_BYTES), 'what is recorded has its length')
  return unpackSizes(bytes).flatMap((sizes, place) => {
    const form = forms.find((one) => one === sizes.form)
    if (form === undefined) return []
    const at = 1 + many * SIZES_BYTES + place * FACTS_BYTES
    const crc32 = bytes.readUInt32LE(at)
    const sha256 = bytes.toString('hex', at + LENGTH_BYTES, at + FACTS_BYTES)
    return [{ ...sizes, form, crc32, sha256 }]
  })
}

/** The lengths of all forms, from the beginning of what is recorded. */
export function unpackSizes(bytes: Buffer): FormSizes[] {
  return Array.from({ length: bytes.readUInt8() }, (_, place) => {
    const at = 1 + place * SIZES_BYTES
    const form = NUMBERED[bytes.readUInt8(at)]
    assert(form !== undefined, 'a form that is recorded is one that we know')
    const sizeBytes = bytes.readUInt32LE(at + 1)
    return { form, sizeBytes, gzipBytes: bytes.readUInt32LE(at + 1 + LENGTH_BYTES) }
  })
}

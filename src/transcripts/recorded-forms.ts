/**
 * What is recorded of the forms of a body, as bytes: of each form its number, and length, CRC-32 and SHA-256 of what it
 * is when it is made.
 */
import assert from 'node:assert/strict'
import type { Form } from './formats.ts'

/** As in gzip-member.ts: SHA-256 in hex. */
export type RecordedForm = { form: Form; sizeBytes: number; crc32: number; sha256: string }

/** Stored data: new forms go to the end. */
const NUMBERED: readonly Form[] = ['txt', 'json', 'text', 'srt', 'vtt']
const SIZE_AT = 1
const CRC_AT = 5
const HASH_AT = 9
const RECORD_BYTES = 41

export function packRecorded(forms: readonly RecordedForm[]): Buffer {
  const bytes = Buffer.alloc(forms.length * RECORD_BYTES)
  for (const [place, { form, sizeBytes, crc32, sha256 }] of forms.entries()) {
    const at = place * RECORD_BYTES
    bytes.writeUInt8(NUMBERED.indexOf(form), at)
    bytes.writeUInt32LE(sizeBytes, at + SIZE_AT)
    bytes.writeUInt32LE(crc32, at + CRC_AT)
    bytes.write(sha256, at + HASH_AT, 'hex')
  }
  return bytes
}

/** Those of the forms asked for that are recorded. */
export function unpackRecorded<F extends Form>(
  bytes: Buffer,
  forms: readonly F[],
): (RecordedForm & { form: F })[] {
  assert(bytes.length % RECORD_BYTES === 0, 'records have one length')
  const found: (RecordedForm & { form: F })[] = []
  for (let at = 0; at < bytes.length; at += RECORD_BYTES) {
    const form = forms.find((one) => one === NUMBERED[bytes.readUInt8(at)])
    if (form === undefined) continue
    found.push({
      form,
      sizeBytes: bytes.readUInt32LE(at + SIZE_AT),
      crc32: bytes.readUInt32LE(at + CRC_AT),
      sha256: bytes.toString('hex', at + HASH_AT, at + RECORD_BYTES),
    })
  }
  return found
}

/** Where a ZIP without ZIP64 ends; what real readers make of one is in test/files/. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atOnce } from '../transcripts/steps.ts'
import {
  centralHeader,
  directoryChunks,
  localHeader,
  localHeaderBytes,
  placeEntries,
  type ZipEntry,
} from './zip.ts'

const ENTRY: ZipEntry = {
  name: '1 Zürich.txt',
  at: null,
  sizeBytes: 10,
  crc32: 7,
}

test('headers are as long as was promised before they are made', () => {
  const many = Array.from({ length: 2_500 }, (_, at) => ({ ...ENTRY, name: `${at}.txt` }))
  const places = atOnce(placeEntries([ENTRY, ...many]))
  assert.equal(localHeader(ENTRY).length, localHeaderBytes(ENTRY))
  assert.equal(places.placed[1]?.offset, localHeaderBytes(ENTRY) + 10)
  const chunks = directoryChunks(places)
  assert.ok(chunks.length > 3)
  for (const chunk of chunks) assert.equal(chunk.load().length, chunk.sizeBytes)
})

test('an archive that would need ZIP64 is not begun', () => {
  const large = { ...ENTRY, sizeBytes: 2 ** 31 }
  const place = (entries: ZipEntry[]) => atOnce(placeEntries(entries))
  place([large])
  assert.throws(() => place([large, large]), /without ZIP64/)
  assert.throws(() => place([{ ...ENTRY, sizeBytes: 2 ** 32 }]), /without ZIP64/)
  assert.throws(() => place(Array.from({ length: 65_535 }, () => ENTRY)), /without ZIP64/)
  const { placed } = place([ENTRY])
  assert.throws(() => directoryChunks({ placed, endOffset: 2 ** 32 - 60 }), /ZIP64/)
})

test('a date stands in both headers as it is written, and one that is none as the first of all', () => {
  const fields = (at: string | null): number[] => {
    const entry = { ...ENTRY, at, offset: 0 }
    const fieldsAt = [localHeader(entry).readUInt32LE(10), centralHeader(entry).readUInt32LE(12)]
    assert.equal(fieldsAt[0], fieldsAt[1])
    const [time, day] = [fieldsAt[0]! & 0xffff, fieldsAt[0]! >>> 16]
    const date = [(day >> 9) + 1980, (day >> 5) & 15, day & 31]
    return [...date, time >> 11, (time >> 5) & 63, (time & 31) * 2]
  }
  assert.deepEqual(fields('2026-04-21T18:49:21-07:00'), [2026, 4, 21, 18, 49, 20])
  assert.deepEqual(fields('2026-04-21'), [2026, 4, 21, 0, 0, 0])
  for (const none of [
    null,
    '',
    'Apr 21',
    '1979-12-31',
    '2108-01-01',
    '2026-13-01',
    '2026-04-21T99:00:00',
  ])
    assert.deepEqual(fields(none), [1980, 1, 1, 0, 0, 0], String(none))
})

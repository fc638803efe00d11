/** Where a ZIP without ZIP64 ends; what real readers make of one is in test/files/. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atOnce } from '../transcripts/steps.ts'
import {
  directoryChunks,
  localHeader,
  localHeaderBytes,
  placeEntries,
  type ZipEntry,
} from './zip.ts'

const ENTRY: ZipEntry = {
  name: '1 Zürich.txt',
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

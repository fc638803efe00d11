/** Tests of where a ZIP without ZIP64 ends; what real readers make of one is in test/files/. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  directory,
  directoryBytes,
  localHeader,
  localHeaderBytes,
  placeEntries,
  type ZipEntry,
} from './zip-records.ts'

const ENTRY: ZipEntry = {
  name: '1 Zürich.txt',
  method: 'store',
  packedBytes: 10,
  sizeBytes: 10,
  crc32: 7,
}

test('headers are as long as was promised before they are made', () => {
  const { placed, endOffset } = placeEntries([ENTRY, { ...ENTRY, name: '2.txt' }])
  assert.equal(localHeader(ENTRY).length, localHeaderBytes(ENTRY))
  assert.equal(placed[1]?.offset, localHeaderBytes(ENTRY) + 10)
  assert.equal(directory(placed, endOffset).length, directoryBytes(placed))
})

test('an archive that would need ZIP64 is not begun', () => {
  const large = { ...ENTRY, packedBytes: 2 ** 31, sizeBytes: 2 ** 31 }
  placeEntries([large])
  assert.throws(() => placeEntries([large, large]), /without ZIP64/)
  assert.throws(() => placeEntries([{ ...ENTRY, sizeBytes: 2 ** 32 }]), /without ZIP64/)
  assert.throws(() => placeEntries(Array.from({ length: 65_535 }, () => ENTRY)), /without ZIP64/)
  const { placed } = placeEntries([ENTRY])
  assert.throws(() => directory(placed, 2 ** 32 - 60), /ZIP64/)
})

/** Returns every file of a ZIP by its name, as in its directory; lengths and CRC-32 are checked. */
import assert from 'node:assert/strict'
import zlib from 'node:zlib'

const END_BYTES = 22
/** Flag of an entry whose CRC-32 and lengths come after the content. */
const DESCRIPTOR_FOLLOWS = 8
const STORED = 0

export function unzipped(zip: Buffer): Map<string, string> {
  const end = zip.length - END_BYTES
  assert.equal(zip.readUInt32LE(end), 0x06054b50)
  const files = new Map<string, string>()
  for (let at = zip.readUInt32LE(end + 16); at < end;) {
    const [method, crc32] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16)]
    const [packedBytes, sizeBytes] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
    const [nameBytes, local] = [zip.readUInt16LE(at + 28), zip.readUInt32LE(at + 42)]
    const moreBytes = zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes)
    assert.equal(zip.readUInt32LE(local), 0x04034b50, name)
    const isStreamed = (zip.readUInt16LE(local + 6) & DESCRIPTOR_FOLLOWS) !== 0
    assert.equal(zip.readUInt32LE(local + 14), isStreamed ? 0 : crc32, name)
    const bodyAt = local + 30 + nameBytes + zip.readUInt16LE(local + 28)
    const body = zip.subarray(bodyAt, bodyAt + packedBytes)
    const content = method === STORED ? body : zlib.inflateRawSync(body)
    assert.deepEqual([content.length, zlib.crc32(content)], [sizeBytes, crc32], name)
    files.set(name, content.toString())
    at += 46 + nameBytes + moreBytes
  }
  return files
}

/** A ZIP that is made while it is sent: another program reads from it what went in, also beyond 4 GB. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { fromBufferPromise, openPromise } from 'yauzl'
import { type SentFile, sendZip } from '../../src/features/files/send-zip.ts'
import { centralHeader, descriptor, endOfZip, localHeader } from '../../src/model/files/zip.ts'
import { temporaryFolder } from '../support/embedded-process.ts'

const AT = '2026-11-26T17:30:10'
const FILES: [name: string, isPacked: boolean, pieces: (string | Buffer)[]][] = [
  ['README.txt', false, ['What stands ', 'in it.']],
  ['empty.txt', false, []],
  ['jobs/1/Größe 大.zip', true, [Buffer.from([0, 255, 1]), Buffer.alloc(70_000, 7)]],
  ['statement.csv', false, ['größe,大\r\n'.repeat(9_000), 'the end']],
]

async function* filesOf(files = FILES): AsyncGenerator<SentFile, void> {
  for (const [name, isPacked, pieces] of files)
    yield { name, at: AT, isPacked, bytes: Readable.from(pieces) }
}

test('a ZIP gives back the files that went in, with their names and times', async () => {
  const zip = await fromBufferPromise(await buffer(sendZip(filesOf())), { lazyEntries: true })
  const found: [string, Date, string][] = []
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry))
    assert.equal(zlib.crc32(content), entry.crc32)
    found.push([entry.fileName, entry.getLastModDate(), content.toString('hex')])
  }
  assert.deepEqual(
    found,
    FILES.map(([name, , pieces]) => {
      return [
        name,
        new Date(AT),
        Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString('hex'),
      ]
    }),
  )
})

test('more files than 16 bits count, and places that 32 bits cannot name, are read', async (t) => {
  const [large, small] = [5 * 2 ** 30, Buffer.from('behind it')]
  const stored = (sizeBytes: number) => {
    return { sizeBytes, at: AT, streamed: { isDeflated: false, packedBytes: sizeBytes } }
  }
  const first = { name: 'large', offset: 0, crc32: 0, ...stored(large) }
  const header = localHeader(first)
  const behindFirst = descriptor(first)
  const offset = header.length + large + behindFirst.length
  const second = { name: 'small', offset, crc32: zlib.crc32(small), ...stored(small.length) }
  const directory = Buffer.concat([
    centralHeader(first),
    ...Array.from({ length: 70_000 }, () => centralHeader(second)),
  ])
  const content = [localHeader(second), small, descriptor(second)]
  const tail = Buffer.concat(content)
  const place = { offset: offset + tail.length, sizeBytes: directory.length }
  const end = endOfZip({ entries: 70_001, ...place })

  const file = path.join(temporaryFolder(t), 'large.zip') // a hole in it takes no room on the disk
  const fd = fs.openSync(file, 'w')
  fs.writeSync(fd, header, 0, header.length, 0)
  const rest = Buffer.concat([behindFirst, tail, directory, end])
  fs.writeSync(fd, rest, 0, rest.length, header.length + large)
  fs.closeSync(fd)

  const zip = await openPromise(file, { lazyEntries: true })
  const sizes = new Map<number, number>()
  let last = null
  for await (const entry of zip.eachEntry()) {
    sizes.set(entry.uncompressedSize, (sizes.get(entry.uncompressedSize) ?? 0) + 1)
    last ??= entry.fileName === 'small' ? await text(await zip.openReadStreamPromise(entry)) : null
  }
  assert.deepEqual(
    [...sizes],
    [
      [large, 1],
      [small.length, 70_000],
    ],
  )
  assert.equal(last, 'behind it')
})

test('a failure of a file ends the ZIP with it, and a reader that leaves ends the file that is open', async () => {
  const broken = Readable.from(
    (async function* () {
      yield 'a beginning'
      throw new Error('the database is away')
    })(),
  )
  async function* one(bytes: Readable, isPacked: boolean): AsyncGenerator<SentFile, void> {
    yield { name: 'a', at: AT, isPacked, bytes }
  }
  await assert.rejects(buffer(sendZip(one(broken, false))), /the database is away/)

  for (const isPacked of [false, true]) {
    const endless = new Readable({ read: () => undefined })
    endless.push('a beginning')
    const zip = sendZip(one(endless, isPacked))
    await once(zip, 'data')
    const closed = once(endless, 'close')
    zip.destroy()
    await closed
  }
})

/** How the command line reads a ZIP while it arrives. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { EXIT, Failure } from '../../clients/cli/src/failure.ts'
import { type JobZip, receiveZip, type ZipWish } from '../../clients/cli/src/zip-download.ts'
import { WORD_ENDINGS } from '../../clients/typescript/src/catalogue.ts'
import type { FileStream } from '../../clients/typescript/src/index.ts'
import { type SentFile, sendZip } from '../../src/features/files/send-zip.ts'
import { atOnce } from '../../src/model/transcripts/steps.ts'
import {
  directoryChunks,
  localHeader,
  placeEntries,
  type ZipEntry,
} from '../../src/model/files/zip.ts'

/** Positions in a local header of the method, and of the content's length. */
const [DEFLATE, METHOD_AT, LENGTH_AT] = [8, 8, 22]

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cli-zip-'))
after(() => fs.rmSync(folder, { recursive: true }))

const FILES: [name: string, content: string, method: 'deflate' | 'store'][] = [
  ['1.srt', 'first, with times', 'deflate'],
  ['1.txt', 'first '.repeat(500), 'deflate'],
  ['10.txt', '', 'deflate'],
  ['2.txt', 'zweiter, “stored” 😀', 'store'],
  ['all-transcripts.txt', 'PK\u0003\u0004 first zweiter', 'store'],
  ['report.csv', 'index,title', 'store'],
]
const zip = zipOf()
const CONTENTS = { '1.txt': 'first '.repeat(500), '10.txt': '', '2.txt': 'zweiter, “stored” 😀' }

for (const chunkBytes of [1, 7, 1_000_000]) {
  test(`files are read from pieces of ${chunkBytes} bytes`, async () => {
    const { stream } = streamOf(zip, chunkBytes)
    const received = await receiveZip(stream, wishFor([2, 1, 10]))
    assert.deepEqual(contentsOf(received), CONTENTS)
    received.close()
    assert.deepEqual(fs.readdirSync(folder), [])
  })
}

test('the rest is not asked for once the wanted files are there', async () => {
  const { stream, told } = streamOf(zip, 10)
  const received = await receiveZip(stream, wishFor([1]))
  assert.deepEqual(contentsOf(received), { '1.txt': CONTENTS['1.txt'] })
  assert.ok(told.isLeft && told.bytes < zip.indexOf('10.txt') + 40, `${told.bytes} bytes`)
  received.close()
})

test('a file that the ZIP lacks is found missing at its directory', async () => {
  const { stream } = streamOf(zip, 10)
  const received = await receiveZip(stream, { ...wishFor([1, 2]), endings: ['srt', 'vtt'] })
  assert.deepEqual(contentsOf(received), { '1.srt': 'first, with times' })
  received.close()
})

test('what is damaged, cut or no ZIP of ours is fetched again by the same command', async () => {
  const changed = Buffer.from(zip)
  changed[changed.indexOf('zweiter')]! += 1
  const described = Buffer.from(zip)
  described[6]! |= 8
  for (const bytes of [changed, described, zip.subarray(0, 70), Buffer.alloc(0)]) {
    const { stream } = streamOf(bytes, 50)
    await assert.rejects(
      receiveZip(stream, wishFor([1, 2])).then(contentsOf),
      (error) => error instanceof Failure && error.code === 'damaged' && error.exit === EXIT.busy,
    )
  }
})

test('a ZIP that is made while it is sent is read by its directory, and is damaged where it is cut', async () => {
  async function* files(): AsyncGenerator<SentFile, void> {
    const made = [
      ...FILES,
      ['2.words.json', '{"words":[]}', 'deflate'],
      ['2.words.vtt', '', 'store'],
    ]
    for (const [name = '', content = '', method] of made)
      yield { name, at: null, isPacked: method === 'store', bytes: Readable.from([content]) }
  }
  const whole = await buffer(sendZip(files()))
  const wish: ZipWish = { ...wishFor([2, 1, 10]), endings: ['txt', ...Object.values(WORD_ENDINGS)] }
  for (const chunkBytes of [7, 1_000_000]) {
    const received = await receiveZip(streamOf(whole, chunkBytes).stream, wish)
    const words = { '2.words.json': '{"words":[]}', '2.words.vtt': '' }
    assert.deepEqual(contentsOf(received), { ...CONTENTS, ...words })
    received.close()
  }
  const changed = Buffer.from(whole)
  changed[changed.indexOf('zweiter')]! += 1
  for (const bytes of [changed, whole.subarray(0, -1), whole.subarray(0, 70), Buffer.alloc(0)])
    await assert.rejects(
      receiveZip(streamOf(bytes, 50).stream, wish).then(contentsOf),
      (error) => error instanceof Failure && error.code === 'damaged',
    )
})

function wishFor(indexes: number[]): ZipWish {
  return { folder, indexes, endings: ['txt'], onArrival: () => undefined }
}

function contentsOf({ entries, read }: JobZip): Record<string, string> {
  const files = [...entries.values()].flatMap((ofVideo) => [...ofVideo.values()])
  return Object.fromEntries(files.map((file) => [file.name, String(read(file))]))
}

function streamOf(bytes: Buffer, chunkBytes: number) {
  const told = { bytes: 0, isLeft: false }
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const chunk = bytes.subarray(told.bytes, told.bytes + chunkBytes)
        told.bytes += chunk.length
        if (chunk.length === 0) controller.close()
        else controller.enqueue(Uint8Array.from(chunk))
      },
      cancel() {
        told.isLeft = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream: Object.assign(stream, { sizeBytes: bytes.length }) as FileStream, told }
}

/** Returns a ZIP as this release of the service makes one, but with some entries as earlier releases made them. */
function zipOf(): Buffer {
  const made = FILES.map(([name, content, method]) => {
    const bytes = Buffer.from(content)
    const body = method === 'deflate' ? deflateRawSync(bytes) : bytes
    const entry: ZipEntry = { name, at: null, sizeBytes: body.length, crc32: crc32(bytes) }
    return { entry, body, deflated: method === 'deflate' ? bytes.length : null }
  })
  const placed = atOnce(placeEntries(made.map(({ entry }) => entry)))
  return Buffer.concat([
    ...made.flatMap(({ entry, body, deflated }) => {
      const header = localHeader(entry)
      if (deflated !== null) {
        header.writeUInt16LE(DEFLATE, METHOD_AT)
        header.writeUInt32LE(deflated, LENGTH_AT)
      }
      return [header, body]
    }),
    ...directoryChunks(placed).map((chunk) => chunk.load()),
  ])
}

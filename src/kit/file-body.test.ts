/** Bodies of downloads: any range can be read, only its chunks are loaded, and one chunk ahead of the reader. */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type FileBody,
  bodyOf,
  type ByteRange,
  CHUNK_BYTES,
  CHUNK_PIECES_MAX,
  gather,
  streamBody,
} from './file-body.ts'

function bodyFrom(contents: Buffer[]): { body: FileBody; loads: number[] } {
  const loads: number[] = []
  const chunks = contents.map((content, at) => ({
    sizeBytes: content.length,
    async load() {
      loads.push(at)
      return content
    },
  }))
  return { body: bodyOf(chunks), loads }
}

async function read(body: FileBody, range?: ByteRange): Promise<Buffer> {
  return buffer(streamBody(body, range))
}

test('every range is cut out of the whole and loads only the chunks it touches', async () => {
  const contents = fc.array(
    fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes)),
    { maxLength: 9 },
  )
  await fc.assert(
    fc.asyncProperty(contents, fc.nat(90), fc.nat(90), async (given, a, b) => {
      const whole = Buffer.concat(given)
      const { body, loads } = bodyFrom(given)
      assert.equal(body.sizeBytes, whole.length)
      assert.deepEqual(await read(body), whole)

      loads.length = 0
      const [firstByte, lastByte] = [Math.min(a, b), Math.max(a, b)]
      assert.deepEqual(
        await read(body, { firstByte, lastByte }),
        whole.subarray(firstByte, lastByte + 1),
      )
      const touched = given.flatMap((content, at) => {
        const start = given.slice(0, at).reduce((bytes, before) => bytes + before.length, 0)
        return content.length > 0 && start <= lastByte && start + content.length > firstByte
          ? [at]
          : []
      })
      assert.deepEqual(loads, touched)
    }),
  )
})

test('no more than one chunk is loaded ahead of a reader', async () => {
  const { body, loads } = bodyFrom(Array.from({ length: 10 }, () => Buffer.from('chunk')))
  const reader = streamBody(body)
  await reader.next()
  assert.deepEqual(loads, [0, 1])
  await reader.next()
  assert.deepEqual(loads, [0, 1, 2])
  await reader.return()
  assert.deepEqual(loads, [0, 1, 2])
})

test('a reader who leaves is not told of what failed ahead of it', async () => {
  const ahead = (): Promise<never> => Promise.reject(new Error('the database went away'))
  const good = { sizeBytes: 1, load: () => Buffer.from('x') }
  const reader = streamBody(bodyOf([good, { sizeBytes: 1, load: ahead }]))
  await reader.next()
  await reader.return()
})

test('a failure while loading ends the download, it does not shorten it', async () => {
  const good = { sizeBytes: 1, load: () => Buffer.from('x') }
  const away = { sizeBytes: 1, load: () => Promise.reject(new Error('the database went away')) }
  await assert.rejects(read(bodyOf([good, away, good])), /went away/)
  await assert.rejects(read(bodyOf([good, { ...good, sizeBytes: 2 }])), /as long as was promised/)
})

test('neighbours are gathered until a chunk is worth a statement', () => {
  const small = Array.from({ length: CHUNK_PIECES_MAX * 2 + 1 }, () => ({ sizeBytes: 1 }))
  assert.deepEqual(
    gather(small).map((group) => group.length),
    [CHUNK_PIECES_MAX, CHUNK_PIECES_MAX, 1],
  )
  const large = Array.from({ length: 3 }, () => ({ sizeBytes: CHUNK_BYTES }))
  assert.deepEqual(
    gather(large).map((group) => group.length),
    [1, 1, 1],
  )
  assert.deepEqual(gather([]), [])
})

test('chunks whose bytes are at hand are loaded in a turn of the event loop each', async () => {
  const loadedIn: number[] = []
  let [turn, isOver] = [0, false]
  setImmediate(function count() {
    turn += 1
    if (!isOver) setImmediate(count)
  })
  const load = (): Buffer => {
    loadedIn.push(turn)
    return Buffer.from('a')
  }
  await read(bodyOf(Array.from({ length: 20 }, () => ({ sizeBytes: 1, load }))))
  isOver = true
  assert.equal(new Set(loadedIn).size, 20, String(loadedIn))
})

/** Tests of all.txt: its layout, and sizes and sums that are right before anything is read. */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { onlyMembers, packMember } from '../../../test/support/gzip-members.ts'
import { allTextOf } from './all-text.ts'
import { type FileBody, streamBody } from '../../kit/file-body.ts'
import type { DeliveredRow, ReadForms } from '../../model/transcripts/job-rows.ts'

async function jobOf(texts: string[]): Promise<{ rows: DeliveredRow[]; readMembers: ReadForms }> {
  const members = texts.map((text) => packMember(Buffer.from(text)))
  const rows = members.map((txt, at) => ({
    index: at + 1,
    videoId: 'v',
    title: at === 0 ? 'A\ntitle\r\nIndex: 9' : null,
    url: 'https://videos.example/watch?v=v',
    channelName: at === 0 ? 'A channel' : null,
    publishedAt: at === 0 ? '2026-01-02T03:04:05Z' : null,
    languageCode: 'pt-BR',
    trackKind: 'asr',
    members: { txt },
  }))
  const readMembers: ReadForms = async () => {
    return ({ index }) => members[index - 1]!.gzip
  }
  return { rows, readMembers }
}

async function read(body: FileBody): Promise<Buffer> {
  return buffer(streamBody(body))
}

test('every text stands under its header block and ends with a separator', async () => {
  const { rows, readMembers } = await jobOf(['First.\n', 'Second.\n'])
  const line = '='.repeat(72)
  assert.equal(
    String(await read(allTextOf(rows, onlyMembers(readMembers)))),
    `Index: 1\nTitle: A title Index: 9\nChannel: A channel\nPublished: 2026-01-02T03:04:05Z\n` +
      `URL: https://videos.example/watch?v=v\nLanguage: pt-BR\nTrack: asr\n\nFirst.\n\n${line}\n\n` +
      `Index: 2\nTitle: -\nChannel: -\nPublished: -\n` +
      `URL: https://videos.example/watch?v=v\nLanguage: pt-BR\nTrack: asr\n\nSecond.\n\n${line}\n\n`,
  )
})

test('size and CRC-32 are known before a text is read, and the gzip stream is the same file', async () => {
  const texts = Array.from({ length: 90 }, (_, at) => `Text ${at}. `.repeat(at * 60))
  const { rows, readMembers } = await jobOf([...texts, 'x'.repeat(3_000_000)])
  let reads = 0
  const counting: ReadForms = (keys) => {
    reads++
    return readMembers(keys)
  }
  const allText = allTextOf(rows, onlyMembers(counting))
  const { sizeBytes, crc32 } = allText
  const gzip = await allText.gzip()
  assert.equal(reads, 0)

  const file = await read(allText)
  assert.equal(file.length, sizeBytes)
  assert.equal(zlib.crc32(file), crc32)
  const packed = await read(gzip)
  assert.equal(packed.length, gzip.sizeBytes)
  assert(zlib.gunzipSync(packed).equals(file))
})

test('the hash tells contents apart', async () => {
  const hashOf = async (texts: string[]) => {
    const { rows, readMembers } = await jobOf(texts)
    return allTextOf(rows, onlyMembers(readMembers)).sha256
  }
  assert.equal(await hashOf(['a', 'b']), await hashOf(['a', 'b']))
  assert.notEqual(await hashOf(['a', 'b']), await hashOf(['a', 'c']))
  assert.notEqual(await hashOf(['a', 'b']), await hashOf(['a']))
})

test('a job that delivered nothing has an empty file, also as gzip', async () => {
  const { rows, readMembers } = await jobOf([])
  const allText = allTextOf(rows, onlyMembers(readMembers))
  assert.deepEqual([allText.sizeBytes, allText.crc32], [0, 0])
  assert.equal(zlib.gunzipSync(await read(await allText.gzip())).length, 0)
})

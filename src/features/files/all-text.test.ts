/** all.txt: its layout, and sizes and sums that are right before anything is read. */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { atOnce } from '../../model/transcripts/steps.ts'
import { allTextSteps } from './all-text.ts'
import { type FileBody, streamBody } from '../../kit/file-body.ts'
import type { DeliveredRow, ReadForms } from '../../model/files/job-rows.ts'
import { contentFacts } from '../../model/files/recorded-forms.ts'

async function jobOf(texts: string[]): Promise<{ rows: DeliveredRow[]; readForms: ReadForms }> {
  const contents = texts.map((text) => Buffer.from(text))
  const rows = contents.map((content, at) => ({
    index: at + 1,
    videoId: 'v',
    title: at === 0 ? 'A\ntitle\r\nIndex: 9' : null,
    url: 'https://videos.example/watch?v=v',
    channelName: at === 0 ? 'A channel' : null,
    publishedAt: at === 0 ? '2026-01-02T03:04:05Z' : null,
    languageCode: 'pt-BR',
    trackKind: 'asr',
    forms: { txt: contentFacts(content) },
  }))
  const readForms: ReadForms = async () => {
    return ({ index }) => contents[index - 1]!
  }
  return { rows, readForms }
}

async function read(body: FileBody): Promise<Buffer> {
  return buffer(streamBody(body))
}

test('every text stands under its header block and ends with a separator', async () => {
  const { rows, readForms } = await jobOf(['First.\n', 'Second.\n'])
  const line = '='.repeat(72)
  assert.equal(
    String(await read(atOnce(allTextSteps(rows, readForms)))),
    `Index: 1\nTitle: A title Index: 9\nChannel: A channel\nPublished: 2026-01-02T03:04:05Z\n` +
      `URL: https://videos.example/watch?v=v\nLanguage: pt-BR\nTrack: asr\n\nFirst.\n\n${line}\n\n` +
      `Index: 2\nTitle: -\nChannel: -\nPublished: -\n` +
      `URL: https://videos.example/watch?v=v\nLanguage: pt-BR\nTrack: asr\n\nSecond.\n\n${line}\n\n`,
  )
})

test('size and CRC-32 are known before a text is read', async () => {
  const texts = Array.from({ length: 90 }, (_, at) => `Text ${at}. `.repeat(at * 60))
  const { rows, readForms } = await jobOf([...texts, 'x'.repeat(3_000_000)])
  let reads = 0
  const counting: ReadForms = (keys) => {
    reads++
    return readForms(keys)
  }
  const allText = atOnce(allTextSteps(rows, counting))
  const { sizeBytes, crc32 } = allText
  assert.equal(reads, 0)

  const file = await read(allText)
  assert.equal(file.length, sizeBytes)
  assert.equal(zlib.crc32(file), crc32)
})

test('the hash tells contents apart', async () => {
  const hashOf = async (texts: string[]) => {
    const { rows, readForms } = await jobOf(texts)
    return atOnce(allTextSteps(rows, readForms)).sha256
  }
  assert.equal(await hashOf(['a', 'b']), await hashOf(['a', 'b']))
  assert.notEqual(await hashOf(['a', 'b']), await hashOf(['a', 'c']))
  assert.notEqual(await hashOf(['a', 'b']), await hashOf(['a']))
})

test('a job that delivered nothing has an empty file', async () => {
  const { rows, readForms } = await jobOf([])
  const allText = atOnce(allTextSteps(rows, readForms))
  assert.deepEqual([allText.sizeBytes, allText.crc32], [0, 0])
})

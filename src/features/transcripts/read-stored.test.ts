/** The reader of stored transcripts: each is written in the edition in which it was recorded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packBody } from '../../model/transcripts/transcript-body.ts'
import { writeForm } from '../../model/files/write-form.ts'
import { openTextReader, READ_HERE_BYTES } from './read-stored.ts'

const LINES = Array.from({ length: 9 }, (_, at) => {
  return { startMs: at * 1_000, endMs: at * 1_000 + 900, text: '日本の話' }
})
/** Enough lines to be read in the thread. */
const MANY = Array.from({ length: READ_HERE_BYTES / 12 }, (_, at) => {
  return { startMs: at * 1_000, endMs: at * 1_000 + 900, text: '日本の話' }
})

test('a text is written in its edition, here and in the thread', async (t) => {
  const reader = openTextReader()
  t.after(() => reader.close())
  for (const segments of [LINES, MANY]) {
    for (const edition of [1, 2] as const) {
      const [text] = await reader.writeForms(packBody(segments, edition), ['text'])
      assert.ok(text?.content.equals(writeForm(segments, 'text', edition)))
    }
  }
})

test('accounts that read long texts have the thread in turn', async (t) => {
  const reader = openTextReader()
  t.after(() => reader.close())
  const stored = packBody(MANY)
  const read: string[] = []
  const reads = ['many', 'many', 'many', 'many', 'one'].map(async (accountId) => {
    await reader.ofAccount(accountId).writeForms(stored, ['text'])
    read.push(accountId)
  })
  await Promise.all(reads)
  assert.deepEqual(read, ['many', 'many', 'one', 'many', 'many'])
})

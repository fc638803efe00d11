/** Splices: forms and plain bytes as one content. */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { streamBody } from '../../kit/file-body.ts'
import type { FormKey, ReadForms } from '../../model/files/job-rows.ts'
import { contentFacts } from '../../model/files/recorded-forms.ts'
import { type Item, splice, type SplicePart, withPart } from './splice.ts'

function storeOf(contents: Buffer[]) {
  const asked: (readonly FormKey[])[] = []
  const read: ReadForms = async (keys) => {
    asked.push(keys)
    return ({ index }) => contents[index]!
  }
  return { asked, read }
}

test('a splice is its parts end to end, with length and CRC-32 known before anything is read', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
  const part = fc.tuple(bytes, fc.boolean())
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(part, { maxLength: 4 }), { maxLength: 6 }),
      async (given) => {
        const contents = given.flat().map(([content]) => content)
        const { asked, read } = storeOf(contents)
        let index = 0
        const items: Item[] = given.map((parts) =>
          parts.map(([content, isStored]): SplicePart => {
            const at = index++
            return isStored ? { index: at, form: 'text', facts: contentFacts(content) } : content
          }),
        )
        const whole = Buffer.concat(contents)
        const body = splice(items, read)
        assert.equal(body.sizeBytes, whole.length)
        assert.equal(items.flat().reduce(withPart, 0), zlib.crc32(whole))
        assert.equal(asked.length, 0)
        assert.deepEqual(await buffer(streamBody(body)), whole)
      },
    ),
  )
})

test('the forms of many rows are read a group at a time', async () => {
  const contents = Array.from({ length: 200 }, () => Buffer.alloc(20_000, 'words'))
  const { asked, read } = storeOf(contents)
  const items = contents.map((content, index): Item => {
    return [{ index, form: 'text', facts: contentFacts(content) }]
  })
  assert.equal((await buffer(streamBody(splice(items, read)))).length, 4_000_000)
  assert(asked.length >= 4 && asked.length <= 20, `${asked.length} statements`)
})

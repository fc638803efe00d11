/**
 * all.txt: the texts of a job one after the other, each under a header block.
 *
 *     Index: 1
 *     Title: …
 *     Channel: …
 *     Published: …
 *     URL: …
 *     Language: en
 *     Track: manual
 *
 *     paragraphs
 *
 *     ======== (a line of 72)
 *
 * Size and CRC-32 come from what is recorded of each text: nothing is read before it is sent.
 */
import { createHash } from 'node:crypto'
import { oneLine } from '../../model/transcripts/one-line.ts'
import type { HashedBody } from '../../kit/file-body.ts'
import type { DeliveredRow, FormKey, ReadForms } from '../../model/files/job-rows.ts'
import { factsOf } from '../transcripts/read-transcripts.ts'
import { type Item, type SplicePart, spliceSteps, withPart } from './splice.ts'
import { eachInSteps, type Steps } from '../../model/transcripts/steps.ts'

/** The line between texts. It is the layout's version, too: a change of it changes every hash. */
const TEXT_SEPARATOR = Buffer.from(`\n${'='.repeat(72)}\n\n`)
const UNKNOWN = '-'

/**
 * Returns all texts in the rows' order, made in steps. `sha256` is of the header blocks and of each text's own hash:
 * equal exactly where the contents are equal, and known without reading them.
 */
export function* allTextSteps(rows: readonly DeliveredRow[], read: ReadForms): Steps<HashedBody> {
  const blocks: Item[] = []
  const hash = createHash('sha256').update(TEXT_SEPARATOR)
  let crc32 = 0
  yield* eachInSteps(rows, (row) => {
    const text: FormKey = { index: row.index, form: 'txt', facts: factsOf(row, 'txt') }
    const head = Buffer.from(textHeadOf(row))
    hash.update(head).update(text.facts.sha256)
    const block: SplicePart[] = [head, text, TEXT_SEPARATOR]
    crc32 = block.reduce(withPart, crc32)
    blocks.push(block)
  })
  yield
  const body = yield* spliceSteps(blocks, read)
  return { ...body, crc32, sha256: hash.digest('hex') }
}

function textHeadOf(row: DeliveredRow): string {
  const lines = [
    ['Index', row.index],
    ['Title', row.title],
    ['Channel', row.channelName],
    ['Published', row.publishedAt],
    ['URL', row.url],
    ['Language', row.languageCode],
    ['Track', row.trackKind],
  ]
  return `${lines.map(([name, value]) => `${name}: ${lineOf(value)}`).join('\n')}\n\n`
}

function lineOf(value: string | number | null | undefined): string {
  return oneLine(String(value ?? '')).trim() || UNKNOWN
}

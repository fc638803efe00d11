/** The ZIP of a collection, laid out from lengths: it has the bytes of one that is laid out from all that is recorded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allTextOf } from '../../src/features/transcripts/all-text.ts'
import { type Archive, archiveOf } from '../../src/features/transcripts/archive.ts'
import { type FileBody, streamBody } from '../../src/kit/file-body.ts'
import { datedStem } from '../../src/model/transcripts/file-names.ts'
import { type LargeText, largeArchiveSteps } from '../../src/features/transcripts/large-archive.ts'
import type { DeliveredRow, MemberKey } from '../../src/model/transcripts/job-rows.ts'
import { memberFacts } from '../../src/features/transcripts/members.ts'
import { onlyMembers } from '../support/gzip-members.ts'
import { reportOf } from '../../src/features/transcripts/report.ts'
import { atOnce } from '../../src/model/transcripts/steps.ts'
import { FILE_FORMS, type FileForm } from '../../src/model/transcripts/formats.ts'
import { madeUpJob } from './made-up-job.ts'

const FORMS: FileForm[] = ['json', 'srt', 'txt']
const TEXTS = 300

const job = await madeUpJob(TEXTS)
const report = await reportOf(job.readReportRows, { bom: false })
/** Every seventh has no SRT: its job was not asked for it. */
const rows: DeliveredRow[] = job.rows.map((row) => {
  const { srt, ...others } = row.members
  return row.index % 7 === 0 || srt === undefined ? { ...row, members: others } : row
})
const before: Archive = archiveOf({
  rows,
  forms: ({ members }) => FORMS.filter((form) => members[form] !== undefined),
  naming: datedStem,
  report,
  readers: onlyMembers(job.readMembers),
})
/** How many texts were asked for at once. */
const asked: number[] = []

const now: FileBody = atOnce(
  largeArchiveSteps({
    texts: rows.map(({ members, ...row }) => ({
      row,
      stem: datedStem(row),
      gzipBytes: recordOf((form) => members[form]?.gzipBytes ?? 0),
      textBytes: members.txt?.sizeBytes ?? 0,
    })),
    forms: FORMS,
    report,
    read: {
      facts: async () => factsOf,
      members: async (texts, forms) => {
        asked.push(texts.length)
        const keys = texts.flatMap((text) => forms.map((form) => keyOf(text, form)))
        const gzipOf = await job.readMembers(keys)
        return (text, form) => ({ ...factsOf(text, form), gzip: gzipOf(keyOf(text, form)) })
      },
      contents: async (texts, forms) => {
        asked.push(texts.length)
        const keys = texts.flatMap((text) => forms.map((form) => keyOf(text, form)))
        const contentOf = await onlyMembers(job.readMembers).contents(keys)
        return (text, form) => ({ content: contentOf(keyOf(text, form)) })
      },
    },
  }),
)

function recordOf(of: (form: FileForm) => number): LargeText['gzipBytes'] {
  return { json: of('json'), srt: of('srt'), txt: of('txt'), vtt: of('vtt') }
}

function keyOf(text: Pick<LargeText, 'row'>, form: FileForm): MemberKey {
  const { index } = text.row
  const row = job.rows.find((one) => one.index === index)
  assert.ok(row !== undefined, `there is a row ${index}`)
  return { index, form, facts: memberFacts(row, form) }
}

function factsOf({ row: { index } }: Pick<LargeText, 'row'>, form: FileForm) {
  const facts = rows.find((row) => row.index === index)?.members[form]
  assert.ok(facts !== undefined, `the ${form} of ${index} is stored`)
  return facts
}

async function bytesOf(...given: Parameters<typeof streamBody>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of streamBody(...given)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('lengths alone lay out the same bytes', async () => {
  const [whole, same] = [await bytesOf(before), await bytesOf(now)]
  assert.equal(now.sizeBytes, whole.length)
  assert.ok(whole.equals(same))
  assert.ok(Math.max(...asked) <= 64, 'some texts are in memory at a time')
  assert.equal(FILE_FORMS.length, 4, 'a piece of the directory has the entries of so many forms')
})

test('a range has the bytes of the whole, wherever it begins', async () => {
  const whole = await bytesOf(now)
  const allTextAt = whole.indexOf('all-transcripts.txt') - 30
  const tail = whole.length - 40_000
  for (const firstByte of [0, 5_000, allTextAt - 1, allTextAt + 20, tail, whole.length - 3]) {
    const lastByte = Math.min(firstByte + 3_000, whole.length - 1)
    const part = await bytesOf(now, { firstByte, lastByte })
    assert.ok(part.equals(whole.subarray(firstByte, lastByte + 1)), `from ${firstByte}`)
  }
  const text = allTextOf(rows, onlyMembers(job.readMembers))
  assert.equal(whole.readUInt32LE(allTextAt + 14), text.crc32)
})

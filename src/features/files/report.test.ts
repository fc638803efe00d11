/** report.csv: every cell, formulas, and batches that never change the bytes. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { isFormula } from '../../../test/support/formula-beginnings.ts'
import { LIMITS } from '../../config/config.ts'
import { streamBody } from '../../kit/file-body.ts'
import type { ReadReportRows, ReportRow } from '../../model/files/job-rows.ts'
import { reportOf } from './report.ts'

const ROW: ReportRow = {
  index: 1,
  videoId: '-dash_first',
  title: 'A title',
  url: 'https://videos.example/watch?v=-dash_first',
  channelName: null,
  publishedAt: '2026-01-02T03:04:05Z',
  status: 'success',
  label: 'Delivered',
  errorMessage: null,
  languageCode: 'en',
  trackKind: 'manual',
  chargedUsd: '0.008',
}
const HEAD =
  'index,videoId,title,url,channelName,publishedAt,status,label,errorMessage,languageCode,trackKind,chargedUsd\r\n'

function reader(rows: ReportRow[]): ReadReportRows {
  return async ({ after, limit }) => rows.filter(({ index }) => index > after).slice(0, limit)
}

async function fileOf(rows: ReportRow[], options = { bom: false }): Promise<Buffer> {
  const report = await reportOf(reader(rows), options)
  const file = await buffer(streamBody(report))
  assert.equal(file.length, report.sizeBytes)
  assert.equal(zlib.crc32(file), report.crc32)
  assert.equal(createHash('sha256').update(file).digest('hex'), report.sha256)
  return file
}

test('a report has the named columns, CRLF, empty cells for what is unknown, and no mark', async () => {
  assert.equal(
    String(await fileOf([ROW])),
    `${HEAD}1,-dash_first,A title,https://videos.example/watch?v=-dash_first,,2026-01-02T03:04:05Z,` +
      'success,Delivered,,en,manual,0.008\r\n',
  )
  assert.equal(String(await fileOf([])), HEAD)
})

test('a byte order mark comes only on wish', async () => {
  assert.deepEqual(
    [...(await fileOf([ROW], { bom: true })).subarray(0, 4)],
    [0xef, 0xbb, 0xbf, 0x69],
  )
})

const CELLS: [title: string, cell: string][] = [
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@cmd', "'@cmd"],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ['a=1', 'a=1'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  [' blank first', '" blank first"'],
  ['half \ud83d', 'half \ufffd'],
]

for (const [title, cell] of CELLS) {
  test(`the title ${JSON.stringify(title)} is the cell ${JSON.stringify(cell)}`, async () => {
    const file = String(await fileOf([{ ...ROW, title }]))
    assert.equal(file.slice(HEAD.length).split(',https:')[0], `1,-dash_first,${cell}`)
  })
}

test('formulas are defused in every column people write, ids are left alone', async () => {
  const formula = '=x'
  const free = {
    title: formula,
    url: '@handle',
    channelName: formula,
    label: formula,
    errorMessage: formula,
  }
  const [cells] = parse(await fileOf([{ ...ROW, ...free }]), { columns: true }) as Record<
    string,
    string
  >[]
  for (const [column, value] of Object.entries(free)) assert.equal(cells?.[column], `'${value}`)
  assert.equal(cells?.videoId, '-dash_first')
})

test('a strict reader finds every cell as it was, whatever was written', async () => {
  const cell = fc.option(
    fc.string({
      unit: fc.constantFrom('a', ',', '"', '\r', '\n', ' ', ';', "'", '=', 'é', '🎉', '\0'),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 9 }), async (cells) => {
      const rows = cells.map(([title, label], at) => ({
        ...ROW,
        index: at + 1,
        title,
        label: label ?? '',
      }))
      const read = parse(await fileOf(rows), {
        columns: true,
        record_delimiter: '\r\n',
      }) as ReportRow[]
      const seen = (text: string | null): string => {
        const shown = (text ?? '').replace(/[\p{Cc}--[\t\r\n]]/gv, ' ')
        return isFormula(shown) ? `'${shown}` : shown
      }
      assert.deepEqual(
        read.map(({ title, label }) => [title, label]),
        rows.map(({ title, label }) => [seen(title), seen(label)]),
      )
    }),
  )
})

test('a report of 12,345 rows is made in batches and sent as it was measured', async () => {
  const rows = Array.from({ length: 12_345 }, (_, at) => ({ ...ROW, index: at * 2 + 1 }))
  const limits: number[] = []
  const readRows = reader(rows)
  const report = await reportOf(
    (ask) => {
      limits.push(ask.limit)
      return readRows(ask)
    },
    { bom: false },
  )
  assert(limits.length >= 20 && limits.every((limit) => limit <= 1_000))
  for (const chunk of report.chunks) assert(chunk.sizeBytes < 1_000_000)
  const lines = String(await fileOf(rows)).split('\r\n')
  assert.equal(lines.length, 12_345 + 2)
  assert.match(lines.at(-2) ?? '', /^24689,/)
})

test('the report of an ordinary job is read from the store once', async () => {
  let reads = 0
  const readRows = reader([ROW, { ...ROW, index: 2 }])
  const counted: ReadReportRows = (ask) => {
    reads++
    return readRows(ask)
  }
  const report = await reportOf(counted, { bom: false })
  await buffer(streamBody(report))
  assert.equal(reads, 1)
})

test('a report with a name is made to be measured once, with each head; then its rows are read as it is sent', async () => {
  const rows = Array.from({ length: LIMITS.reportRowsAtOnce * 2 + 1 }, (_, at) => {
    return { ...ROW, index: at + 1 }
  })
  let batches = 0
  const counted: ReadReportRows = (ask) => {
    batches += 1
    return reader(rows)(ask)
  }
  for (const bom of [false, true]) {
    const [first, again] = [
      await reportOf(counted, { bom, name: 'a job' }),
      await reportOf(counted, { bom, name: 'a job' }),
    ]
    assert.equal(batches, 3)
    const { chunks: _first, ...facts } = first
    const { chunks: _again, ...known } = again
    assert.deepEqual(known, facts)
    assert.deepEqual(await buffer(streamBody(again)), await fileOf(rows, { bom }))
    assert.equal(batches, 6)
    batches = 0
  }
})

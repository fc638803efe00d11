/** No table that the service writes has a cell that a spreadsheet runs, whatever people called things. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { mentionLine } from '../../src/api/search/mentions.ts'
import { fourCatLine } from '../../src/model/files/four-cat.ts'
import { COLLECTION_COLUMNS } from '../../src/features/files/open-collection-file.ts'
import type { ReportedVideo } from '../../src/model/library/collection.ts'
import { spendingCsvLine } from '../../src/model/money/spending.ts'
import { statementLine } from '../../src/model/money/statement.ts'
import { oneLine } from '../../src/model/transcripts/one-line.ts'
import { reportLine } from '../../src/model/files/job-rows.ts'
import { VIDEO } from '../library/awkward-texts.ts'
import { FORMULAS, isFormula } from '../support/formula-beginnings.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const AT = new Date('2026-11-27T10:00:00Z')

type Table = {
  /** Returns a line in which every text is the given one. */
  line: (text: string) => string
  /** Number of its cells that show the text, alone. */
  texts: number
  /** What the table makes of the text beforehand. */
  shown: (text: string) => string
}

const withoutControls = (text: string): string => text.replace(/[\p{Cc}--[\t\r\n]]/gv, ' ')

/** The tables by the files that write their lines. */
const TABLES: Record<string, Table> = {
  'src/model/files/job-rows.ts': {
    line(text) {
      const filed = { videoId: text, title: text, url: text, channelName: text, publishedAt: text }
      const said = { languageCode: text, trackKind: text, status: text, label: text }
      const numbers = { durationSeconds: 1, viewCount: 1n, index: 1 }
      const row: ReportedVideo = { ...filed, ...said, ...numbers, errorMessage: text, jobId: text }
      return reportLine(COLLECTION_COLUMNS, row)
    },
    texts: 11,
    shown: withoutControls,
  },
  'src/model/files/four-cat.ts': {
    line(text) {
      const named = { videoId: text, channelId: text, title: text, url: text, channelName: text }
      const video = { ...VIDEO, ...named, languageCode: text, keywords: [text, text] }
      return fourCatLine(video, [{ startMs: 0, endMs: 1, text: oneLine(text) }])
    },
    texts: 5,
    shown: oneLine,
  },
  'src/api/search/mentions.ts': {
    line(text) {
      const named = { title: text, channelName: text, channelId: text, videoId: text, jobId: text }
      const said = { snippet: [{ text, isMatch: true }], languageCode: text, publishedAt: text }
      return mentionLine({ ...named, ...said, index: 1, url: VIDEO.url ?? '', startMs: 0 })
    },
    texts: 7,
    shown: withoutControls,
  },
  'src/model/money/spending.ts': {
    line(text) {
      const said = {
        firstLine: text,
        lines: 1,
        givenName: text,
        spenderId: 'key_1',
        spenderName: text,
      }
      const charge = { transcripts: 1, chargedMicros: 8_000n, chargedAt: AT }
      return spendingCsvLine({ id: 'job_1', state: 'finished', ...charge, ...said })
    },
    texts: 1,
    shown: withoutControls,
  },
  'src/model/money/statement.ts': {
    line(text) {
      const moved = { kind: 'adjust', postedMicros: -5n, heldMicros: -7n, createdAt: AT } as const
      const said = { reason: text, reference: text, jobId: null, previousHash: '0', hash: '1' }
      const after = { postedMicros: 1n, heldMicros: 0n }
      return statementLine('acc_1', { number: 1n, ...moved, ...said, after })
    },
    texts: 2,
    shown: withoutControls,
  },
}

for (const [file, { line, texts, shown }] of Object.entries(TABLES))
  test(`no cell that ${file} writes is run, and each is read back without its quote`, () => {
    const csv = FORMULAS.map(line).join('')
    const rows = parse(csv, { record_delimiter: '\r\n' }) as string[][]
    for (const [at, cells] of rows.entries()) {
      const text = shown(FORMULAS[at] ?? '')
      const run = cells.filter((cell) => isFormula(cell) && !/^-[\d.]+$/.test(cell))
      assert.deepEqual(run, [], JSON.stringify(text))
      const back = cells.filter((cell) => cell === (isFormula(text) ? `'${text}` : text))
      assert.ok(back.length >= texts, JSON.stringify([text, cells]))
    }
    assert.equal(rows.length, FORMULAS.length)
  })

test('every file that writes lines of CSV is tried here', () => {
  const writers = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }).filter((file) =>
    /\bcsvLine\((?!COLUMNS|columns)/.test(
      readFileSync(path.join(ROOT, file), 'utf8').replace(/function csvLine\(/, ''),
    ),
  )
  assert.deepEqual(writers.toSorted(), Object.keys(TABLES).toSorted())
})

/** Cells of CSV: quoted where RFC 4180 asks for it, and guarded where they begin like a formula. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { FORMULAS, isFormula } from '../../../test/support/formula-beginnings.ts'
import { csvLine, exactCell, SEPARATORS } from './csv.ts'

test('a reader that nobody here wrote gets every cell back, whatever is in it', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', "'", 'é', '='),
  })
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1 }),
      (rows) => {
        const guarded = rows.map((row) => row.map((one) => (isFormula(one) ? `'${one}` : one)))
        for (const separator of SEPARATORS) {
          const text = rows.map((row) => csvLine(row, separator)).join('')
          const delimiter = { comma: ',', semicolon: ';' }[separator]
          assert.deepEqual(parse(text, { record_delimiter: '\r\n', delimiter }), guarded)
        }
      },
    ),
  )
})

test('where semicolons stand between cells, a decimal has a comma, and text stays as it is', () => {
  const cells = [exactCell('-0.008'), exactCell('1.50'), '1.50', exactCell(7n), exactCell('v1.2.3')]
  assert.equal(csvLine(cells, 'semicolon'), '-0,008;1,50;1.50;7;v1.2.3\r\n')
  assert.equal(csvLine(cells), '-0.008,1.50,1.50,7,v1.2.3\r\n')
})

test('no cell commands a terminal that shows the file', () => {
  const cells = ['red \u001b[31m \u009b31m\u007f', '\u009b=1', 'one\ttwo\r\nthree']
  assert.deepEqual(cells.map(cellOf), ['red  [31m  31m ', "' =1", 'one\ttwo\r\nthree'])
})

test('a cell that begins like a formula has a quote in front, and others stay as they are', () => {
  for (const text of FORMULAS) {
    const cell = cellOf(text)
    assert.equal(cell, `'${text.replace(/[\p{Cc}--[\t\r\n]]/gv, ' ')}`, JSON.stringify(text))
    assert.equal(isFormula(cell), false)
  }
  const plain = [
    '',
    'a=1',
    "'=1",
    ' blank first',
    '1-2',
    '– a dash',
    '\u200fשלום',
    '…',
    '(=)',
    '→ 1',
  ]
  for (const text of plain) assert.equal(cellOf(text), text)
})

test('an id or a number is as it is, and what could be run in its place is guarded', () => {
  for (const one of ['-dash_first', '-0.008', -5n])
    assert.equal(cellOf(exactCell(one)), String(one))
  for (const one of ['-1+cmd|x', '=A1', '\u00a0-1', '-1\n'])
    assert.equal(cellOf(exactCell(one)), `'${one}`)
})

function cellOf(cell: Parameters<typeof csvLine>[0][number]): string {
  const [[first = ''] = []] = parse(csvLine([cell, 'x']), {
    record_delimiter: '\r\n',
  }) as string[][]
  return first
}

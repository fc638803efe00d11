/** Cells of CSV: quoted where RFC 4180 asks for it, and guarded where a person's text looks like a formula. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { csvLine, guardFormula } from './csv.ts'

test('a reader that nobody here wrote gets every cell back, whatever is in it', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', "'", 'é', '=') })
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1 }),
      (rows) => {
        const text = rows.map((row) => csvLine(row)).join('')
        assert.deepEqual(parse(text, { record_delimiter: '\r\n' }), rows)
      },
    ),
  )
})

test('no guarded cell commands a terminal that shows the file', () => {
  assert.equal(guardFormula('red \u001b[31m \u009b31m\u007f'), 'red  [31m  31m ')
  assert.equal(guardFormula('\u009b=1'), ' =1')
  assert.equal(guardFormula('one\ttwo\r\nthree'), 'one\ttwo\r\nthree')
})

test('no guarded cell begins like a formula, and others stay as they are', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r'])
    assert.equal(guardFormula(`${sign}1`), `'${sign}1`)
  for (const text of ['', 'a=1', "'=1", ' =1', '1-2']) assert.equal(guardFormula(text), text)
})

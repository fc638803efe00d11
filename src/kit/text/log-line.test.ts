/** The log as text: what people read at a terminal, and nothing that it obeys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { textLogLine } from './log-line.ts'

const TIME = Date.UTC(2026, 10, 28, 9, 5, 7, 123)
const BASE = { level: 30, time: TIME, pid: 7 }
const line = (entry: object): string => textLogLine(`${JSON.stringify({ ...BASE, ...entry })}\n`)

test('a line has its time, level and message, and facts by name', () => {
  assert.equal(
    line({ jobId: 'job_1', tookMs: 12, roles: ['api'], note: 'two words', msg: 'it began' }),
    '2026-11-28 09:05:07Z INFO  it began jobId=job_1 tookMs=12 roles=["api"] note="two words"\n',
  )
})

test('an error is told with its stack and facts in lines of their own', () => {
  const stack = 'Error: no route\n    at one (file:///x.ts:1:2)'
  const err = { type: 'Error', message: 'no route', stack, code: 'E_ROUTE' }
  assert.equal(
    line({ level: 50, err, msg: 'it failed' }),
    '2026-11-28 09:05:07Z ERROR it failed\n    Error: no route\n    at one (file:///x.ts:1:2)\n    code=E_ROUTE\n',
  )
  assert.equal(
    line({ err: { type: 'Odd', message: 'no stack' }, msg: 'it failed' }),
    '2026-11-28 09:05:07Z INFO  it failed\n    Odd: no stack\n',
  )
})

test('what is no line of pino comes back as it is', () => {
  for (const text of ['plain\n', 'null\n', '[1]\n', '{"time":"soon"}\n', '{"time":1e300}\n'])
    assert.equal(textLogLine(text), text)
})

test('no text from outside commands the terminal, turns it around or begins a line', () => {
  const text = fc.string({
    unit: fc.oneof(
      anyCharacter,
      fc.integer({ min: 0, max: 0xa0 }).map((code) => String.fromCharCode(code)),
      fc.constantFrom('\u202e', '\u2066', '\u2028', '\ufeff', '\r\n', '=', '"'),
    ),
  })
  fc.assert(
    fc.property(text, text, text, (name, value, message) => {
      const written = line({ [`x${name}`]: value, msg: message })
      assert.equal(written.indexOf('\n'), written.length - 1)
      assert.doesNotMatch(written.slice(0, -1), /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
      const told = line({ err: { type: value, message, stack: value, [name]: message }, msg: '' })
      assert.doesNotMatch(told.replaceAll('\n    ', ''), /[\p{Cc}--\n]|\p{Bidi_Control}/v)
    }),
  )
})

/** Outside text for terminals: what they obey is gone or escaped, and all else stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { escapedJson, terminalText, withoutControls } from './controls.ts'

const OBEYED = /[\p{Cc}--[\t\n\r]]/v
const TURNED = /\p{Bidi_Control}/u
const ENDS = /[\u0085\u2028\u2029]/u
/** Any text, and above all of what terminals obey, turn around or end a line at. */
const text = fc.string({
  unit: fc.oneof(
    anyCharacter,
    fc.integer({ min: 0, max: 0xa0 }).map((code) => String.fromCharCode(code)),
    fc.constantFrom(
      '\u202e',
      '\u2066',
      '\u200f',
      '\u061c',
      '\u2028',
      '\ufeff',
      '\uffff',
      'a',
      '\r\n',
    ),
  ),
})

test('JSON that is escaped is the same value, and has no control, turn or line end in it', () => {
  fc.assert(
    fc.property(fc.dictionary(text, text), (value) => {
      const json = escapedJson(JSON.stringify(value))
      assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(value)))
      for (const unsafe of [/\p{Cc}/u, TURNED, ENDS]) assert.doesNotMatch(json, unsafe)
    }),
  )
})

test('text for a terminal has nothing that it obeys, turns around or goes back by', () => {
  fc.assert(
    fc.property(text, (given) => {
      const shown = terminalText(given)
      for (const unsafe of [OBEYED, TURNED, /\r(?!\n)/]) assert.doesNotMatch(shown, unsafe)
      assert.doesNotMatch(withoutControls(given), OBEYED)
    }),
  )
  const title = 'red \u001b[31m \u009b31m \u007f \u202eexe.txt\r\nnext\tline\roverwritten'
  assert.equal(terminalText(title), 'red  [31m  31m   exe.txt\r\nnext\tline overwritten')
  assert.equal(withoutControls('שלום \u200fEnglish, 題\r\n'), 'שלום \u200fEnglish, 題\r\n')
})

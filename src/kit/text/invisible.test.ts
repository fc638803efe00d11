/** Characters that nobody sees: one class, spelt twice, and what is cut of a text and of a name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  hasVisible,
  plainName,
  visibleLine,
  withoutInvisible,
  withoutMisleading,
} from './invisible.ts'

/** Characters without ink, a run of each kind. */
const UNSEEN = [
  '\u200e',
  '\u2800\u2060',
  '\u3164',
  '\u00ad',
  '\u115f\u1160',
  '\uffa0',
  '\u180e',
  '\ufff9\ufffb',
  '\u202b\u202c',
  '\u2066\u2069',
  '\u200b\u200c\u200d',
  '\ufeff',
  '\ufe0f',
  '\u{e0067}\u{e007f}',
  '\ufffc',
  '\u{1d159}',
  '\u{13441}',
  '\u{16fe4}',
  '\ufffe',
  '\u2065',
  '\u034f',
  '\u17b4',
  '\u0007',
  '\u0085',
]
/** Words, and signs that are seen; joiners, selectors and tags are parts of them. */
const SEEN = [
  'a',
  '♪',
  '…',
  '[ ]',
  'می‌خواهم',
  'क्‍ष',
  '👩‍👩‍👧',
  '❤️',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  '\u0301',
  '\ue000',
  '\ufffd',
  '\u0600',
  '\u303f',
]

test('a text of characters without ink is blank, however many kinds are in it', () => {
  for (const text of ['', ' \t\n\u00a0\u3000', ...UNSEEN, UNSEEN.join(' ')])
    assert.equal(hasVisible(text), false, JSON.stringify(text))
  for (const text of SEEN)
    assert.equal(hasVisible(`${UNSEEN.join('')}${text} `), true, JSON.stringify(text))
})

test('both spellings of the class have the same characters, and all that Unicode ignores', () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code)
    const isUnseen = withoutInvisible(character) === '' || /[\s\p{Cc}]/u.test(character)
    assert.equal(hasVisible(character), !isUnseen, code.toString(16))
    if (/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u.test(character))
      assert.equal(isUnseen, true, code.toString(16))
  }
})

const LINES: [text: string, line: string][] = [
  ['\u200e', ''],
  ['\u2800 \u2060', ''],
  ['\u0007', ''],
  ['\u2060one\u200b \u2800 two\ufeff', 'one two'],
  ['one \u200d \ufe0f two \u00ad', 'one two'],
  ['\u3164 word \u3164', 'word'],
  ['a\u2800b', 'a\u2800b'],
  ['soft\u00adly', 'soft\u00adly'],
  ['\u202bשלום\u202c', '\u202bשלום\u202c'],
  ['\u200f (שלום) \u200f', '\u200f (שלום) \u200f'],
  ...SEEN.map((text): [string, string] => [` ${text}\u2060 \u200b${text} `, `${text} ${text}`]),
]

test('a line loses what nobody sees at its ends and between words, and keeps what words are written with', () => {
  for (const [text, line] of LINES) assert.equal(visibleLine(text), line, JSON.stringify(text))
})

test('a line is the same read again, is blank where nothing is seen, and shows what the text showed', () => {
  const unit = fc.constantFrom(...UNSEEN, ...SEEN, ' ', 'b', '\n')
  const mixed = fc.array(unit, { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(mixed, (text) => {
      const line = visibleLine(text)
      assert.equal(visibleLine(line), line)
      assert.equal(line === '', !hasVisible(text))
      const seen = (of: string): string => [...of].filter((one) => hasVisible(one)).join('')
      assert.equal(seen(line), seen(text))
      assert.equal(line.trim(), line)
    }),
  )
})

test('names lose what misleads, and two that look alike are one', () => {
  assert.equal(withoutMisleading('song\u202egpj.exe\u2800\u3164\ufffc'), 'songgpj.exe  ')
  for (const text of SEEN) assert.equal(withoutMisleading(text), text)
  assert.equal(plainName('\u200eGood\u3164\u2060App\ufe0f'), 'Good App')
  assert.equal(visibleLine('\u2060\u00a0my key\u200b\u2800'), 'my key')
})

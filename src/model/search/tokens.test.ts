/** Tokens are what they are described as, for any text in any script. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { foldWord, phraseOf, tokensOf } from './tokens.ts'

const textsOf = (text: string): string[] => tokensOf(text).map((token) => token.text)

const CASES: [text: string, tokens: string][] = [
  ['The Café, naïve!', 'the cafe naive'],
  ["don't l'été", 'don t l ete'],
  [
    'Straße STRASSE Ærø Łódź İstanbul ISPARTA ısparta',
    'strasse strasse aero lodz istanbul isparta isparta',
  ],
  ['Ёлка Йод', 'елка иод'],
  ['שָׁלוֹם', 'שלום'],
  ['ٱلْعَرَبِيَّة أَهْلًا', 'العربيه اهلا'],
  ['می\u200cخواهم', 'ميخواهم'],
  ['ﬁne ｆｕｌｌ', 'fine full'],
  ['東京都', '東京 京都 都'],
  ['東京\n都', '東京 京都 都'],
  ['東京、都', '東京 京 都'],
  ['iPhone15を買う', 'iphone15 を買 買う う'],
  ['학교에서', '학교 교에 에서 서'],
  ['ดีมาก', 'ดี ีม มา าก ก'],
  ['𠮷野家', '𠮷野 野家 家'],
  ['3,000 …', '3 000'],
  ['I \u2764\ufe0f zoos 1\ufe0f', 'i zoos 1'],
  ['\ufe0f\u200d \u3164 \u115f\u1160 \uffa0 \u17b4', ''],
  ['zoo\ufe0f \u034fzoo kee\u2060per', 'zoo zoo kee per'],
  ['학교\u3164에서', '학교 교에 에서 서'],
  ['禰\u{e0100}豆\u2060子 葛\ufe00', '禰豆 豆子 子葛 葛'],
  ['', ''],
]

test('a text is parted into folded words and pairs of characters', () => {
  for (const [text, tokens] of CASES) assert.equal(textsOf(text).join(' '), tokens, text)
})

const LETTERS = fc.constantFrom(
  ...'aZéßİıʼ\u0301\u05b8שםאًل\u200d9½ﬁ東京カｶﾞー학교ดีกាမ𠮷 .,-*"\n\u00a0\u3000_',
)
const anyText = fc.oneof(
  fc.array(LETTERS, { maxLength: 40 }).map((letters) => letters.join('')),
  fc.string({ unit: anyCharacter, maxLength: 40 }).map((text) => text.toWellFormed()),
)

test('folding is done once, and leaves nothing that parts a token', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const folded = foldWord(text)
      assert.equal(foldWord(folded), folded)
      for (const token of textsOf(text.normalize('NFC')))
        assert.match(token, /^[\p{L}\p{N}\p{M}]+$/u, JSON.stringify(text))
    }),
    { numRuns: 2_000 },
  )
})

test('tokens stand in order at places of the text, and case and accents change none', () => {
  fc.assert(
    fc.property(anyText, (raw) => {
      const text = raw.normalize('NFC')
      let before = 0
      for (const { start, end } of tokensOf(text)) {
        assert.ok(start >= before && end > start && end <= text.length)
        before = start
      }
      assert.deepEqual(textsOf(text.normalize('NFD').normalize('NFC')), textsOf(text))
    }),
    { numRuns: 1_000 },
  )
})

test('every part of an unspaced text is found by what is looked for', () => {
  const characters = fc.constantFrom(...'東京都はカー学校ดีมากភាមြ학교 ')
  fc.assert(
    fc.property(
      fc.array(characters, { minLength: 1, maxLength: 30 }),
      fc.nat(29),
      fc.integer({ min: 1, max: 6 }),
      (letters, from, length) => {
        const part = letters.slice(from, from + length).join('')
        const phrase = phraseOf(part, false)
        if (phrase === null) return
        const tokens = textsOf(letters.join(''))
        const isAt = (at: number): boolean =>
          phrase.tokens.every((token, offset) => {
            const isLast = offset === phrase.tokens.length - 1
            const found = tokens[at + offset]
            return isLast && phrase.isPrefix ? found?.startsWith(token) : found === token
          })
        assert.ok(
          tokens.some((_, at) => isAt(at)),
          `${part} in ${letters.join('')}`,
        )
      },
    ),
    { numRuns: 2_000 },
  )
})

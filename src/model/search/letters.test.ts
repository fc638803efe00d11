/** Every form of a text finds every other, in every script, and so do the ways in which its words are typed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findMatches } from './matches.ts'
import { findQuote } from './quote.ts'
import { readQuery, type SearchQuery } from './search-query.ts'
import { phraseOf, type Token, tokensOf } from './tokens.ts'

const SCRIPTS: Record<string, string> = {
  latin: 'aZéßøİıŁſﬁﬃĳŉǆᵃʰªºｆＵ𝐇𝔷ⅣⓏ\u0301\u0323',
  greek: 'αΩσςάΐῷϐϕµΩ\u0345\u0301',
  cyrillic: 'жЙёїґў\u0306\u0308ʼ',
  hebrew: 'אבםשﬡﭏשׁיִ\u05b8\u05bc״׳',
  arabic: 'اأإآٱةهءئؤىيكـﻻﷲﷺﭐ٣\u064b\u0651\u0670',
  persian: 'میکگپچۀهٔۃ۳\u200c',
  devanagari: 'कनमािीँं्क़ऩज़ड़\u093c३',
  bengali: 'কােৈোৌড়য়ৎ্\u09bc\u09d7৩',
  gurmukhi: 'ਕਜ਼ਸ਼ਿੰ੍\u0a3c੩',
  thai: 'กนำํา่้๓',
  lao: 'ກນຳໍາໜໝ່໓',
  khmer: 'កាោំ្៊៣',
  burmese: 'ကာီိဥဦ့္်၃',
  hangul: '한국가각각ㄱㅏㄳﾡￂ㈎㉠㍶',
  kana: 'かガパーｰｱﾊﾞﾟ\u3099\u309aヷゝヾゟヿ㋐㌀㍻',
  han: '東京人豈﨑⼈⺟㊀㋀㍿㈱𠮷丽',
  kiratRai: '\u{16d63}\u{16d67}\u{16d68}\u{16d69}\u{16d6a}',
  symbols: '①⑴½㎏㎢℃Å²₂…！𝟘Ａ＃',
}
const ROWS = Object.entries(SCRIPTS)
const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const

const textsOf = (tokens: readonly Token[]): string[] => tokens.map(({ text }) => text)

function assertOne(text: string, found: readonly string[]): void {
  const tokens = tokensOf(text)
  for (const other of found) {
    assert.deepEqual(textsOf(tokensOf(other)), textsOf(tokens), `${text} and ${other}`)
    for (const [asked, said] of [
      [text, other],
      [other, text],
    ] as const) {
      const phrase = phraseOf(asked, false)
      if (phrase === null) continue
      const term = { anyOf: [{ ...phrase, isExact: true }], isExcluded: false }
      const matches = findMatches(tokensOf(said), { terms: [term] })
      assert.ok(matches.length > 0, `${asked} in ${said}`)
    }
  }
}

/** Asserts that tokens stand in order, and that what is at the place of each one has it. */
function assertPlaces(text: string): void {
  let before = { start: 0, end: 0 }
  for (const token of tokensOf(text)) {
    const { start, end } = token
    assert.ok(start >= before.start && end >= before.end && end > start && end <= text.length)
    const here = textsOf(tokensOf(text.slice(start, end)))
    assert.ok(here.includes(token.text), `${token.text} at ${start}–${end} of ${text}`)
    before = token
  }
}

test('each form of a text finds and is found by the text, in every script', () => {
  const anyText = fc
    .tuple(fc.constantFrom(...ROWS), fc.constantFrom(...ROWS))
    .chain(([[, one], [, other]]) =>
      fc.string({ unit: fc.constantFrom(...one, ...one, ...other, ' ', 'a', '1'), maxLength: 12 }),
    )
  fc.assert(
    fc.property(anyText, (text) => {
      const forms = FORMS.map((form) => text.normalize(form))
      assertOne(text, forms)
      for (const form of [text, ...forms]) assertPlaces(form)
    }),
    { numRuns: 1_000 },
  )
})

/** Signs beside words, which are none of their letters, so that `Zoo™` is found by `zoo`. */
const SIGNS = [...'№℠℡™℻🅪🅫🅬']

test('each character of Unicode finds and is found by the letters that it stands for', () => {
  const changing = Array.from({ length: 0x11_0000 }, (_, code) =>
    code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code),
  ).filter((one) => one.normalize('NFKC') !== one && !SIGNS.includes(one))
  assert.ok(changing.length > 4_000)
  for (const one of changing) {
    for (const text of [`か${one}x`, `יא${one}`]) assertOne(text, [text.normalize('NFKC')])
    assertPlaces(`東${one}x`)
  }
  for (const sign of SIGNS) assert.deepEqual(textsOf(tokensOf(`Zoo${sign}5`)), ['zoo', '5'])
})

const finds = (text: string, q: string): boolean =>
  findQuote([{ startMs: 0, endMs: 900, text }], readQuery(q) as SearchQuery) !== null

/** Ways in which the same words are typed, one line for each kind. */
const TYPED: readonly string[][] = [
  ['ユーザー', 'ﾕｰｻﾞｰ', 'ユ～ザ〜', 'ユ-ザー'],
  ['㍿', '株式会社', '株式\n会社'],
  ['ですねー', 'ですね～', 'ですね〜', 'ですね~'],
  ['می\u200cخواهم', 'می خواهم', 'میخواهم'],
  ['کتاب\u200cهای', 'کتاب های', 'کتابهای', 'كتابهاي'],
  ['عبد الله', 'عبدالله', 'عبدﷲ'],
  ['צה״ל', 'צה"ל', 'צהל', "צה''ל", 'צה”ל', '"צה״ל"'],
  ['ג׳ירפה', "ג'ירפה", 'ג’ירפה', 'גירפה'],
  ["м'яч", 'м’яч', 'мʼяч', 'м"яч', 'мяч'],
  ["o'zbek", 'oʻzbek', 'o‘zbek', 'oʼzbek'],
  ['ज़रा', 'जरा', 'ज\u093cरा'],
  ['हिन्दी', 'हिंदी'],
  ['हाँ', 'हां'],
  ['ਜ਼ਰਾ', 'ਜਰਾ'],
  ['المدرسة', 'المدرسه', 'المـدرسة'],
  ['أحمد', 'احمد', 'إحمد', 'آحمد', 'ٱحمد'],
  ['2023', '٢٠٢٣', '۲۰۲۳', '२०२३', '๒๐๒๓', '２０２３', '𝟚𝟘𝟚𝟛'],
  ['ΣΟΦΟΣ', 'σοφός', 'σοφόσ'],
  ['Straße', 'STRASSE', 'STRAẞE'],
  ['ISPARTA', 'ısparta', 'isparta', 'İsparta'],
]

test('each way of typing the same words finds all the others', () => {
  for (const ways of TYPED)
    for (const text of ways)
      for (const q of ways) assert.ok(finds(`* ${text} *`, q), `${q} in ${text}`)
})

/** What is not the same to those who read it; why is said in decision 0024. */
const OTHERS: [string, string][] = [
  ['カタカナ', 'かたかな'],
  ['學校', '学校'],
  ['すごーい', 'すごい'],
  ['সময়', 'সময'],
  ['کے', 'کی'],
]

test('what others read as other words is found by itself alone', () => {
  for (const [one, other] of OTHERS) {
    assert.ok(!finds(one, other) && !finds(other, one), `${one} and ${other}`)
    assert.ok(finds(one, one) && finds(other, other))
  }
})

test('half-spaced words are found whole, not by their parts', () => {
  for (const [text, q] of [
    ['کتاب', 'کتابها'],
    ['میخواهم', 'می'],
    ['میخواهم', '"خواهم"'],
    ['می روم خواهم', '"میخواهم"'],
  ] as const)
    assert.ok(!finds(text, q), `${q} in ${text}`)
})

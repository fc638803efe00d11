/** Several addresses on one line, as people and programs send them: each is read, and no word is passed over. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { isStorable } from '../../kit/text/outside-text.ts'
import { readOrder } from '../jobs/read-order.ts'
import { lineTexts, readUrlSet, setTexts } from '../../../test/support/orders.ts'
import { distinct, NAMES, readTold } from '../../../test/support/pastes.ts'
import { partsOf } from './line-parts.ts'
import { readSource } from './source.ts'

const [A, B, C] = ['dQw4w9WgXcQ', '9bZkp7q19f0', '-_aBcDeFg12']
const a = `https://youtu.be/${A}`
const b = `https://youtu.be/${B}`
const c = `https://www.youtube.com/watch?v=${C}`
const UC = 'UCTwECeGqMZee77BjdoYtI2Q'
const PL = 'PLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj'

const SPLIT: [string, string[]][] = [
  ...[
    ',',
    ';',
    '|',
    '、',
    '，',
    '',
    ' | ',
    ' - ',
    ' / ',
    ' -> ',
    '%2C',
    '%0A',
    String.raw`\n`,
    ',,',
  ].map((between): [string, string[]] => [`${a}${between}${c}`, [a, c]]),
  [`${a},${b},${c},`, [a, b, c]],
  [`youtu.be/${A}youtu.be/${B}`, [`youtu.be/${A}`, `youtu.be/${B}`]],
  [`youtu.be/${A}www.youtube.com/@x1y`, [`youtu.be/${A}`, 'www.youtube.com/@x1y']],
  [`${c}&t=5s,${a}?si=x,${b}`, [`${c}&t=5s`, `${a}?si=x`, b]],
  [`${c}&ab_channel=Foo,${b}`, [`${c}&ab_channel=Foo`, b]],
  [`${c}&ab_channel=Foo${b}`, [`${c}&ab_channel=Foo`, b]],
  [
    `https://www.youtube.com/playlist?list=${PL}|@x1y`,
    [`https://www.youtube.com/playlist?list=${PL}`, '@x1y'],
  ],
  [
    'https://www.youtube.com/@x1y/videos;https://www.youtube.com/@y2x/shorts',
    ['https://www.youtube.com/@x1y/videos', 'https://www.youtube.com/@y2x/shorts'],
  ],
  [`https://www.youtube.com/@x1y?si=abc,${b}`, ['https://www.youtube.com/@x1y?si=abc', b]],
  [`https://www.google.com/url?q=${a}|${b}`, [`https://www.google.com/url?q=${a}`, b]],
  [`${a}/${b}`, [`${a}/`, b]],
  [`${A},${B}`, [A, B]],
  [`${A} ${B};${C}`, [A, B, C]],
  [String.raw`${A}\n${B}\n`, [A, B]],
  [`${a},${B}`, [a, B]],
  [`${c},${A}`, [c, A]],
  [`@x1y, ${UC} | ${PL}`, ['@x1y', UC, PL]],
  [`<${a}>,<${b}>`, [a, b]],
  [`"${a}","${b}"`, [a, b]],
  [`['${a}', '${b}']`, [a, b]],
  [`['${a}']`, [a]],
  [`- [one](${a} "hint"), [two (2)](${b})`, [a, b]],
  [`![](${a}) ${b}`, [a, b]],
  [encodeURIComponent(`${a},${b}`), [a, b].map(encodeURIComponent)],
]

test('several addresses on one line are read, whatever stands between them', () => {
  for (const [line, parts] of SPLIT) {
    assert.deepEqual(partsOf(line), { parts, unclear: [] }, line)
    assert.deepEqual(lineTexts(readOrder({ urls: line }).lines), parts, line)
  }
})

const WHOLE = [
  `${c}&ab_channel=Foo,Bar`,
  `${c}&ab_channel=Foo,Programming`,
  `${c}&list=${PL}&pp=a|b`,
  `${c}&ab_channel=SomethingLonger,Inc`,
  `${c}&si=SomethingLonger,x`,
  `${c}&text=${encodeURIComponent(`See ${a}`)}`,
  `${c}&text=${encodeURIComponent(`${a},${b}`)}`,
  `${c}&text=See%20${a}`,
  `${a};t=5`,
  `${a}sharePLED17F32AD9753930`,
  `${a}?u=${b}`,
  `${c}&text=see+${b}`,
  `https://www.youtube.com/redirect?q=${a}`,
  `https://www.youtube.com/oembed?url=${c}&format=json`,
  `https://consent.youtube.com/m?continue=${encodeURIComponent(c)}&gl=DE`,
  `https://www.youtube.com/watch_videos?video_ids=${A},${B}`,
  `https://web.archive.org/web/2020/${a}`,
  `[${a}](${b})`,
  `[one](${a}) by somebody`,
  `- [ ] ${a}`,
  `(${a}),`,
  'Programming,Fundamental',
  'What is this, and why?',
]

test('one address is one line, with all that is part of it, and a line without any stays whole', () => {
  for (const line of WHOLE) assert.deepEqual(partsOf(line), { parts: [line], unclear: [] }, line)
})

const UNCLEAR: [string, string][] = [
  [`${a}, ${b} and ${c}`, 'and'],
  [`${a},foo`, 'foo'],
  [`${A},foo`, 'foo'],
  [`${a},Programming`, 'Programming'],
  [`${a};Some title here`, 'Some title here'],
  [`A title,${a}`, 'A title'],
  [`12;${a}`, '12'],
  [`Watch this ${a}`, 'Watch this'],
  [`${a} (4:20)`, '4:20'],
  [`${a} ${b},foo`, 'foo'],
]

test('what stands beside an address and is none is named, never passed over', () => {
  for (const [line, words] of UNCLEAR) {
    assert.deepEqual(partsOf(line).unclear, [words], line)
    assert.throws(
      () => readOrder({ urls: `@x1y\n${line}` }),
      (problem: Error) => {
        assert.ok(
          problem.message.startsWith(`Line 2 holds ${JSON.stringify(words)} beside an address`),
          problem.message,
        )
        return true
      },
    )
  }
})

const address = fc.constantFrom(
  a,
  b,
  c,
  `${c}&t=5s`,
  `${a}?si=abc`,
  'https://www.youtube.com/@x1y/videos',
  `https://www.youtube.com/playlist?list=${PL}`,
)
const between = fc.constantFrom(',', ';', '|', ' ', ', ', ' | ', '', '\t', ' ;', '>,<', '","')

test('as many sources are read as were sent, in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(address, between), { minLength: 1, maxLength: 12 }), (sent) => {
      const line = sent
        .map(([one, after], at) => (at === sent.length - 1 ? one : one + after))
        .join('')
      const read = partsOf(line).parts.map(readSource)
      assert.deepEqual(
        read,
        sent.map(([one]) => readSource(one)),
        line,
      )
    }),
    { numRuns: 500 },
  )
})

test('what is too long to be read is named beside an address, and never passed over', () => {
  const many = `${c}&ab_channel=${'x,'.repeat(30)}${b}`
  assert.deepEqual(partsOf(`${a} ${many}`).unclear, [many])
  for (const urls of [many, `${a} ${many}`, `${a},${many}`])
    assert.throws(() => readOrder({ urls }), /beside an address/)
  const talk = `${a}, ${'word '.repeat(300)}${b}`
  assert.match(partsOf(talk).unclear.join(' '), /word https:/)
  assert.equal(readOrder({ urls: `${c}&ab_channel=${'x,'.repeat(30)}x` }).lines.length, 1)
})

test('a part is never split again, as where what follows a mark is an id only by itself', () => {
  const line = `${a}](%2C${A}${b}`
  const { parts } = partsOf(line)
  assert.deepEqual(parts.flatMap((part) => partsOf(part).parts).length, parts.length)
})

test('reading never throws, and a part is never split again', () => {
  const piece = fc.oneof(
    address,
    between,
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom('](', '[', '%2C', '@', A, 'https://'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const line = pieces.join('').trim()
      for (const part of partsOf(line).parts.filter((part) => readSource(part).kind === 'source'))
        if (part !== line) assert.deepEqual(partsOf(part).parts.length, 1, `${line} → ${part}`)
    }),
    { numRuns: 2000 },
  )
})

test('a JSON list in a text, or in a list of texts, is the list', () => {
  const list = readUrlSet([a, b])
  for (const sent of [
    JSON.stringify([a, b]),
    JSON.stringify([a, b], null, 2),
    ` ${JSON.stringify([a, b])}\n`,
    [JSON.stringify([a, b])],
  ])
    assert.deepEqual(readUrlSet(sent), list)
  assert.deepEqual(setTexts('[]'), [])
  for (const escape of ['\\u0000', '\\ud800'])
    assert.ok(setTexts(`["${a}${escape}"]`).every(isStorable), 'nothing that a body may not hold')
  assert.deepEqual(setTexts(`[one](${a})`), [`[one](${a})`])
  assert.throws(() => readOrder({ urls: '[1,2]' }), /Line 1 is not a video/)
})

test('a text that earlier releases read otherwise knows by which URL sets they knew it', () => {
  const hashes = (text: string) => readUrlSet(text).earlierHashes
  assert.deepEqual(hashes(`${a}\n${b}`), [])
  assert.deepEqual(hashes(`${a} ${b}`), [])
  // The API took the first address of such a line; the website sent two lines.
  assert.equal(hashes(`${a},${b}`).length, 1)
  assert.equal(readUrlSet(`${a},${b}`).hash, readUrlSet([a, b]).hash)
  assert.deepEqual(hashes(`${a}, ${b}`), [readUrlSet([a, b]).hash])
  assert.deepEqual(hashes(`${A},${B}`), [])
  assert.deepEqual(hashes(`${a},foo`).length, 1)
})

/** Every quotation mark and bracket of Unicode, by class. */
const MARKS = Array.from({ length: 0xff80 }, (_, at) => String.fromCharCode(at + 0x80)).filter(
  (mark) => /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}＂＇＜＞]/u.test(mark),
)

test('quotation marks and brackets of any language stand around several addresses of a line', () => {
  assert.ok(MARKS.length > 170)
  const marks = fc.constantFrom(...MARKS)
  const names = fc.array(fc.tuple(marks, fc.constantFrom(...NAMES), marks), {
    minLength: 2,
    maxLength: 5,
  })
  fc.assert(
    fc.property(names, fc.constantFrom(' ', ', ', ' and '), (sent, between) => {
      const text = sent.map((each) => each.join('')).join(between)
      const { sources, complaints } = readTold(text)
      assert.deepEqual(
        [...new Set(sources)],
        distinct(readTold(sent.map(([, name]) => name))).sources,
        text,
      )
      assert.ok(
        complaints.every((words) => words === 'and'),
        `${complaints.join()} of ${text}`,
      )
    }),
    { numRuns: 1000 },
  )
})

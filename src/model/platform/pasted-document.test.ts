/** Documents that are pasted: no source in them is lost, and no line is passed over untold. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { noticesOfTexts } from '../jobs/read-order.ts'
import { readingUrlSet } from '../jobs/url-set.ts'
import { lineTexts, numberIn, readUrlSet } from '../../../test/support/orders.ts'
import { ADDRESSES, distinct, IDS, NAMES, readTold } from '../../../test/support/pastes.ts'

const [a, b] = [IDS.A, IDS.B].map((id) => `https://youtu.be/${id}`) as [string, string]

test('lines are numbered as they stand in a document', () => {
  for (const [text, last] of [
    [`title,url\n"One,\nand more",${a}\n\nTwo,${b}`, 5],
    [`<ul>\n<li><a\n href="${a}">x</a></li>\n<li>${b}</li></ul>`, 4],
    [JSON.stringify({ a: 1, urls: [a, b] }, null, 2), 5],
    [`{"u":"${a}"}\n\n{"u":"${b}"}`, 3],
  ] as const) {
    assert.equal(numberIn(text, b), last, text)
    assert.equal(numberIn(['@x1y', text], b), last + 1, text)
  }
})

function asLog(names: readonly string[]): string {
  return ['10:00 begun', ...names.map((url) => `10:01 opened ${url} by x`)].join('\n')
}

function asLinks(names: readonly string[]): string {
  const links = names.map((url) => `<a href="${url.replaceAll('&', '&amp;')}">x</a>`)
  return links.map((link) => `<li class="x">Talk: ${link}</li>`).join('\n')
}

/** Documents around names, which hold words of their own. */
const DOCUMENTS: ((names: readonly string[]) => string)[] = [
  (names) => JSON.stringify({ kind: 'list', urls: names }),
  (names) =>
    JSON.stringify(
      names.map((url, at) => ({ url, title: `Talk ${at}` })),
      null,
      2,
    ),
  (names) => names.map((url) => JSON.stringify({ title: 'A talk', url })).join('\n'),
  asLinks,
  (names) => `<td>Talk</td>${names.map((url) => `<td>${url}</td>`).join('\n')}`,
  (names) => `title,url\n${names.map((url, at) => `"Talk, ${at}","${url}"`).join('\n')}`,
  (names) => `Title\tLink\tLength\n${names.map((url) => `A talk\t${url}\t4:10`).join('\n')}`,
  asLog,
]

test('any addresses in a document are found in order, each once', () => {
  const names = fc.array(fc.constantFrom(...ADDRESSES), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(names, fc.constantFrom(...DOCUMENTS), (sent, write) => {
      const expected = distinct(readTold(sent))
      assert.deepEqual(readTold(write(sent)), expected, write(sent))
    }),
    { numRuns: 1000 },
  )
})

test('of ids in a document none is lost: what is not taken is told as the id of a channel or list', () => {
  const names = fc.array(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 8 })
  const ofIds = DOCUMENTS.filter((write) => write !== asLog && write !== asLinks)
  fc.assert(
    fc.property(names, fc.constantFrom(...ofIds), (sent, write) => {
      const text = write(sent)
      const { sources, complaints } = readTold(text)
      const passedOver = readUrlSet(text).documents[0]?.ids ?? []
      assert.deepEqual(complaints, [])
      const isMany = (id: string): boolean => [IDS.UC, IDS.PL, '@x1y'].includes(id)
      assert.ok(passedOver.every(isMany), `${passedOver.join()} of ${text}`)
      const all = new Set([...sources, ...readTold(passedOver).sources])
      assert.deepEqual([...all].toSorted(), distinct(readTold(sent)).sources.toSorted(), text)
    }),
    { numRuns: 1000 },
  )
})

const id = (at: number): string => `dQw4w9Wg-${at + 10}`
const OWN_LINES = [id, (at: number) => `https://youtu.be/${id(at)}`, (at: number) => `@x${at}y`]
const BESIDE = [
  'workshop',
  'What is this, and why?',
  '<p class="x">Words</p>',
  '<a href="/about">x</a> y',
  '{"a": "words"}',
  '"title": "One",',
  'Two,,3',
  '10:00 begun',
]
const WILD = ['<script>', '</script>', '<!-- x', 'a <b', '<a\n c', '-->', '"', '<style>x', 'x > y']

const TAG = /^<[^<>]*>?$/

test('whatever a text is, each line of it is taken, refused or told, and lines of a list always taken', () => {
  const own = fc.constantFrom(...OWN_LINES)
  const beside = (texts: readonly string[]) => fc.constantFrom(...texts).map((text) => () => text)
  for (const [others, isTame] of [
    [BESIDE, true],
    [[...BESIDE, ...WILD], false],
  ] as const)
    fc.assert(
      fc.property(fc.array(fc.oneof(own, beside(others)), { minLength: 1 }), (makers) => {
        const sent = makers.map((make, at) => make(at))
        const text = sent.join('\n')
        const { lines, documents, comments } = readUrlSet(text)
        const told = new Set([
          ...comments.map((comment) => comment.text),
          ...lines.map((line) => line.text),
          ...documents.flatMap((rest) => rest.lines.map((line) => line.text)),
        ])
        const isUntold = (line: string) => /\w/.test(line) && !TAG.test(line) && !told.has(line)
        assert.deepEqual(text.split(/\s*\n\s*/).filter(isUntold), [], text)
        const own = sent.filter((_, at) => isTame && OWN_LINES.includes(makers[at]!))
        const { sources } = readTold(text)
        assert.deepEqual(
          own.filter((name) => !readTold(name).sources.every((one) => sources.includes(one))),
          [],
          text,
        )
      }),
      { numRuns: 1000 },
    )
})

test('a document is read in steps, however many lines it has, and each step reads few of them', () => {
  const pauses = (lines: number): number => {
    const text = Array.from({ length: lines }, (_, at) => `word ${at}, @name${at} said`).join('\n')
    return [...readingUrlSet(text)].length
  }
  assert.ok(pauses(16_000) - pauses(8_000) >= (3 * 8_000) / 100, `${pauses(16_000)}`)
})

/** Lines commented out: as in HTML, YAML, C and JSX, in any text; and as in INI, SQL and programs, in none of HTML. */
const COMMENTED: ((at: number) => string)[][] = [
  [
    (at) => `- # <a href="https://youtu.be/${id(at)}">Talk ${at}</a>`,
    (at) => `  - # https://youtu.be/${id(at)}`,
    (at) => `<!-- <a href="https://youtu.be/${id(at)}">Talk ${at}</a> -->`,
    (at) => `<!-- https://youtu.be/${id(at)} -->`,
    (at) => `/* https://youtu.be/${id(at)} */`,
    (at) => `{/* https://youtu.be/${id(at)} */}`,
    (at) => `/*\n * https://youtu.be/${id(at)}\n */`,
    (at) => `<!--\nhttps://youtu.be/${id(at)}\n-->`,
  ],
  [
    (at) => `; https://youtu.be/${id(at)}`,
    (at) => `-- https://youtu.be/${id(at)}`,
    (at) => `--https://youtu.be/${id(at)}`,
    (at) => `/// https://youtu.be/${id(at)}`,
    (at) => `# Talk ${at} https://youtu.be/${id(at)}`,
  ],
]

/** Lines of every kind that people mix, by a number that makes them differ. */
const MIXED: ((at: number) => string)[] = [
  id,
  (at) => `https://youtu.be/${id(at)}`,
  (at) => `www.youtube.com/watch?v=${id(at)}&t=4s`,
  (at) => `@x${at}y`,
  () => IDS.UC,
  () => IDS.PL,
  (at) => `- [Talk ${at}](https://youtu.be/${id(at)})`,
  (at) => `- # https://youtu.be/${id(at)}`,
  (at) => `// https://youtu.be/${id(at)}`,
  (at) => `# note ${at}`,
  ...COMMENTED.flatMap((kinds) => kinds),
  (at) => `> https://youtu.be/${id(at)}`,
  (at) => `«https://youtu.be/${id(at)}» „${id(at + 45)}“`,
  (at) => `Talk ${at},https://youtu.be/${id(at)},${IDS.UC}`,
  (at) => `Talk ${at},${IDS.UC}`,
  (at) => `<a href="https://youtu.be/${id(at)}">Talk ${at}</a>`,
  (at) => `<li>Talk ${at} <b>@x${at}y</b></li>`,
  (at) => `<a href="https://vimeo.com/${at}"></a>`,
  (at) => `<p class="x">Words ${at}</p>`,
  (at) => `https://vimeo.com/${at}`,
  (at) => `smallworkshop${at}`,
  (at) => `not a link at all ${at}`,
  (at) => `As told in https://youtu.be/${id(at)}, at length`,
  (at) => `{"title": "Talk ${at}"}`,
  () => '',
]

/** Returns the numbers that notices name, as people read them: "Lines 1, 3 to 5 and 7". */
function numbersIn(notices: readonly string[]): Set<number> {
  const named = notices.flatMap((notice) => [...notice.matchAll(/\bLines? (\d[\d, to and]*)/g)])
  const runs = named.flatMap(([, list = '']) => [...list.matchAll(/(\d+)(?: to (\d+))?/g)])
  const numbers = runs.flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at),
  )
  return new Set(numbers)
}

test('of whatever mix of lines, each is read, refused, or told by its number as left out', () => {
  const mixes = fc.array(fc.constantFrom(...MIXED), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(mixes, (makers) => {
      const text = makers.map((make, at) => make(at)).join('\n')
      const sent = text.split('\n')
      const set = readUrlSet(text)
      const told = numbersIn(noticesOfTexts(set))
      const read = new Set(set.lines.map(({ number }) => number))
      // What an earlier line names is taken there.
      const { sources } = readTold(text)
      const isAgain = (line: string): boolean =>
        sources.some((one) => line.includes(one.replace('/', '')))
      for (const [at, line] of sent.entries()) {
        if (!/\w/.test(line)) continue
        const isSeen = read.has(at + 1) || told.has(at + 1) || isAgain(line)
        assert.ok(isSeen, `${at + 1}: ${line}\n--\n${text}`)
      }
      assert.ok([...told].every((number) => number <= sent.length))
    }),
    { numRuns: 2000 },
  )
})

test('nothing that is commented out is ordered, in whatever mix of lines', () => {
  const [always = [], plainly = []] = COMMENTED
  const mixes = fc.array(fc.constantFrom(...MIXED, ...BESIDE.map((line) => () => line)))
  const secret = 89
  fc.assert(
    fc.property(mixes, mixes, fc.constantFrom(...always, ...plainly), (above, below, make) => {
      const rest = [...above, ...below].map((one, at) => one(at % 40))
      const text = rest.toSpliced(above.length, 0, make(secret)).join('\n')
      // HTML holds the signs of lines in its words.
      if (plainly.includes(make) && text.includes('<')) return
      assert.ok(!lineTexts(readUrlSet(text).lines).some((one) => one.includes(id(secret))), text)
    }),
    { numRuns: 2000 },
  )
})

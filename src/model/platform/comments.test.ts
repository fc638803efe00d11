/** Comments in files of links: each is told, and none changes the order, whatever is commented out. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { readOrder } from '../jobs/read-order.ts'
import { lineTexts, numberIn, readUrlSet, setTexts } from '../../../test/support/orders.ts'
import { ADDRESSES, IDS, NAMES } from '../../../test/support/pastes.ts'
import { addressesIn } from './line-parts.ts'

const { A, B } = IDS
const [a, b] = [`https://youtu.be/${A}`, `https://youtu.be/${B}`]

/** Lines with what is ordered of them, and the comment that is told; null for none. */
const LINES: [string, string[], string | null][] = [
  ['# My list', [], '# My list'],
  ['#My list', [], '#My list'],
  ['  # My list', [], '# My list'],
  ['\ufeff# My list', [], '# My list'],
  ['\u200b# My list', [], '# My list'],
  ['＃ メモ', [], '＃ メモ'],
  ['; ini', [], '; ini'],
  ['] archive', [], '] archive'],
  ['#', [], '#'],
  ['##########', [], '##########'],
  [`# ${a}`, [], `# ${a}`],
  [`#${a}`, [], `#${a}`],
  [`## ${a}`, [], `## ${a}`],
  [`; ${a}`, [], `; ${a}`],
  [`;${a}`, [], `;${a}`],
  [`] ${a}`, [], `] ${a}`],
  [`# talk ${a}`, [], `# talk ${a}`],
  [`#old talk ${a}`, [], `#old talk ${a}`],
  [`# ${A}`, [], `# ${A}`],
  [`#done ${A}`, [], `#done ${A}`],
  [`#done @x1y`, [], '#done @x1y'],
  [`# [A talk](${a})`, [], `# [A talk](${a})`],
  [`${a} # intro talk`, [a], '# intro talk'],
  [`${a}  #intro`, [a], '#intro'],
  [`${a}\t# intro`, [a], '# intro'],
  [`${a} #`, [a], '#'],
  [`${a} # ${b}`, [a], `# ${b}`],
  [`${a} #${b}`, [a], `#${b}`],
  [`${a} ${b} # both`, [a, b], '# both'],
  [`${A} # intro`, [A], '# intro'],
  [`-- ${a}`, [], `-- ${a}`],
  [`--${a}`, [], `--${a}`],
  [`/// ${a}`, [], `/// ${a}`],
  [`- # <a href="${a}">A talk</a>`, [], `- # <a href="${a}">A talk</a>`],
  [`<!-- ${a} --> ${b}`, [b], `<!-- ${a} -->`],
  [`${a} <!-- ${b} -->`, [a], `<!-- ${b} -->`],
  [`/* ${a} */ ${b}`, [b], `/* ${a} */`],
  [`${a} /* ${b} */`, [a], `/* ${b} */`],
  [`{/* ${a} */}`, [], `{/* ${a} */}`],
  [`> /* ${a} */`, [], `> /* ${a} */`],
  [`- [ ] <!-- ${a} -->`, [], `- [ ] <!-- ${a} -->`],
  [`1. /* ${a} */`, [], `1. /* ${a} */`],
  [`- /* ${a} */ ${b}`, [`-   ${b}`], `/* ${a} */`],
  [`${a}?si=/*&x=*/`, [`${a}?si=/*&x=*/`], null],
  ['@x1y # all of it', ['@x1y'], '# all of it'],
  [`- ${a} # intro`, [`- ${a}`], '# intro'],
  [`[One](${a}) # intro`, [`[One](${a})`], '# intro'],
  [`${a} ; intro talk`, [a], '; intro talk'],
  [`${a} ; ${b} ; both`, [a, b], '; both'],
  [`${a} # one # two`, [a], '# one # two'],
  [`${a}#t=30 # half a minute`, [`${a}#t=30`], '# half a minute'],
  [`#music ${a}`, [a], '#music'],
  [`#music #live ${a} ${b}`, [a, b], '#music #live'],
  [`#1 ${a}`, [a], '#1'],
  [`#2: ${a}`, [a], '#2:'],
  [`#música ${a} # intro`, [a], '#música # intro'],
  [`${a} #music ${b}`, [a, b], '#music'],
  [`${a} #music #live`, [a], '#music #live'],
  [`${a}#t=30`, [`${a}#t=30`], null],
  [`https://www.youtube.com/#/watch?v=${A}`, [`https://www.youtube.com/#/watch?v=${A}`], null],
  [`${a} ; ${b}`, [a, b], null],
  [`${A} ; @x1y;${B}`, [A, '@x1y', B], null],
  [`${a} ;`, [`${a} ;`], null],
]

test('a comment is passed over, with what stands in it, and what stands beside it is read', () => {
  for (const [line, parts, comment] of LINES) {
    const set = readUrlSet(line)
    assert.deepEqual(lineTexts(set.lines), parts, line)
    assert.deepEqual(
      set.comments.map(({ text }) => text),
      comment === null ? [] : [comment],
      line,
    )
    assert.ok(
      set.lines.every(({ reading }) => reading.kind === 'source'),
      line,
    )
  }
})

test('what is no comment is refused as it stands', () => {
  for (const line of [
    'C # is a language',
    `${a};Some title here`,
    `${a} ; old: ${b}`,
    `## [A talk](${a})`,
    `${a} // intro`,
    `${a} -- intro`,
  ]) {
    assert.throws(() => readOrder({ urls: line }), /Line 1 /, line)
    assert.deepEqual(readUrlSet(line).comments, [], line)
  }
})

const words = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')),
  fc.constantFrom(...NAMES, '<b>x</b>', '{"a": "b"}', '["', '[A talk](https://youtu.be/x)'),
)
const ofLine = fc
  .tuple(fc.constantFrom('# ', '#\t', '; ', ';', '] ', '  # ', '#!'), words)
  .map((parts) => parts.join(''))
const behind = fc
  .tuple(fc.constantFrom(' # ', '  #\t', ' #!'), words)
  .map((parts) => parts.join(''))

test('comments anywhere in a list change neither what is ordered nor how often, and each line of them is told', () => {
  const line = fc.record({
    name: fc.constantFrom(...NAMES),
    above: fc.array(ofLine, { maxLength: 2 }),
    behind: fc.option(behind, { nil: '' }),
  })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
      const plain = readOrder({ urls: lines.map(({ name }) => name) })
      const text = lines.flatMap(({ name, above, behind: after }) => [...above, name + after])
      for (const urls of [text.join('\n'), text, JSON.stringify(text)]) {
        const read = readOrder({ urls })
        assert.deepEqual({ ...read, notices: [] }, { ...plain, notices: [] }, text.join('\n'))
      }
      const numbers = text.flatMap((each, at) => (NAMES.includes(each) ? [] : [at + 1]))
      const told = readUrlSet(text).comments.map(({ number }) => number)
      assert.deepEqual(
        told,
        numbers.filter((at) => /\S/.test(text[at - 1]!)),
        text.join('\n'),
      )
      assert.deepEqual(readUrlSet(lineTexts(plain.lines)).hash, plain.urlSetHash)
    }),
    { numRuns: 1000 },
  )
})

test('nothing in a comment is ever ordered, whatever stands around it', () => {
  const line = fc.oneof(fc.constantFrom(...NAMES, 'Some words', 'One: ', ''), words)
  const secret = 'https://youtu.be/commented-1'
  fc.assert(
    fc.property(fc.array(line), fc.array(line), (above, below) => {
      // HTML has no such comments: what it holds is read.
      const text = [...above, `# ${secret}`, ...below].join('\n')
      if (text.includes('<')) return
      assert.ok(!setTexts(text).some((part) => addressesIn(part).includes(secret)), text)
    }),
    { numRuns: 1000 },
  )
})

test('nothing behind the address of a command or a sentence is ordered where it is commented out', () => {
  const around = fc.constantFrom(
    'yt-dlp ',
    'yt-dlp -f best "',
    'See ',
    '1 ; One ; ',
    'url=',
    'C # 1: ',
  )
  const comment = fc.constantFrom(' # was ', '\t# ', ' #', ' # not "')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(around, fc.constantFrom('', '"'), comment), { minLength: 2 }),
      (lines) => {
        const text = lines.map(([before, end, mark]) => `${before}${a}${end}${mark}${b}`).join('\n')
        assert.deepEqual(setTexts(text), [a], text)
        assert.equal(readUrlSet(text).comments.length, lines.length, text)
      },
    ),
  )
})

test('a number in a text of HTML is no comment', () => {
  for (const text of [`<p>${a} # 1 ${b}</p>`, `<li>${a} #1</li>\n<li>${b} #2</li>`]) {
    const set = readUrlSet(text)
    assert.deepEqual(lineTexts(set.lines), [a, b], text)
    assert.deepEqual(set.comments, [], text)
  }
})

test('a list of a program or JSON with comments orders none of them', () => {
  const [c, open] = ['https://youtu.be/commented-1', ['[', '{"urls": [', '[[']]
  for (const start of open)
    for (const mark of ['# ', '#', '  # - ', '; ', '// ', '-- ', '/* ', '/*\n', '  /*\n * '])
      for (const close of [']', '],', '], "next": "x"']) {
        const commented = `${mark}"${c}",${mark.includes('/*') ? ' */' : ''}`
        const text = [start, `"${a}",`, commented, `"${b} # 1",`, close].join('\n')
        const set = readUrlSet(text)
        assert.deepEqual(lineTexts(set.lines), [a, b], text)
        assert.deepEqual(
          set.comments.map(({ number }) => number),
          mark.includes('\n') ? [3, 4] : [3],
          text,
        )
      }
})

test('a notice names the lines of comments, and quotes those with an address; a bracket is none', () => {
  const notices = (urls: string | string[]) => readOrder({ urls }).notices
  assert.deepEqual(notices(`# one\n${a}\n\n# two\n${b} # three`), [
    'Lines 1, 4 and 5 hold comments, which were passed over.',
  ])
  assert.deepEqual(notices(`${a}\n# ${b}`), [
    'Line 2 holds a comment, which was passed over. ' +
      `Comments with an address, which is not ordered: 1 ("# ${b}").`,
  ])
  const many = Array.from({ length: 30 }, (_, at) => `# ${at}`)
  assert.match(notices([...many, a])[0]!, /^Lines 1 to 30 hold comments/)
  assert.deepEqual(notices(`#\n${a}\n]`), [])
  assert.deepEqual(notices([a, `# x\n${b}`]), ['Line 2 holds a comment, which was passed over.'])
})

test('comments are counted by no limit, and by the number of the line that is named', () => {
  const list = Array.from({ length: 50 }, (_, at) => `https://youtu.be/dQw4w9Wg-${at + 10}`)
  const text = list.flatMap((line) => ['# x', `${line} # y`, '']).join('\n')
  assert.equal(readOrder({ urls: text }).lines.length, 50)
  assert.equal(readUrlSet(`${text}\n# x\n; y`).lineCount, 50)
  assert.equal(numberIn(text, list[1]!), 5)
  assert.throws(() => readOrder({ urls: '# x\n\n; y' }), {
    message: /^urls has only comments; send at least one URL, on a line that does not begin with/,
  })
})

test('HTML and JSON have no comments of lines; other documents do, and they are told', () => {
  const json = `[\n{"u": "${a}"\n},\n{"u": "${b}"\n}\n] , "x"`
  assert.deepEqual(setTexts(json), [a, b])
  assert.deepEqual(readUrlSet(json).comments, [])
  assert.deepEqual(setTexts(`<a href="${a}">x</a>\n# <a href="${b}">y</a>\n; ${ADDRESSES[2]}`), [
    a,
    b,
  ])
  const log = readUrlSet(`# log\n10:00 opened ${a}\n10:01 opened ${b}\n# ${ADDRESSES[5]}`)
  assert.deepEqual(lineTexts(log.lines), [a, b])
  assert.deepEqual(log.comments.length, 2)
  assert.deepEqual(log.documents, [{ lines: [], ids: [], isWhole: true }])
  const headings = `# Talks\n## [One](${a})\nwords\n## [Two](${b})`
  assert.deepEqual(setTexts(headings), [a, b])
  // A table with a blank before its semicolons is a table, with its heading.
  assert.deepEqual(setTexts(`url ; title\n${a} ; One\n${b} ; Two`), [a, b])
})

test('what is commented out behind more lines than an order has is not ordered, either', () => {
  const lines = Array.from(
    { length: 120 },
    (_, at) => `https://youtu.be/dQw4w9Wg-${(at % 15) + 10}`,
  )
  const set = readUrlSet(lines.map((line) => `${line} # ${b}`).join('\n'))
  assert.equal(set.lineCount, 120)
  assert.equal(set.lines.length, 15)
})

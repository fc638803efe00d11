/** Texts as people paste them: every address and id in them is found, in order, and what is none is named. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { readPart, readUrlSet } from '../jobs/url-set.ts'
import type { Source } from './source.ts'

const [A, B, C] = ['dQw4w9WgXcQ', '9bZkp7q19f0', '-_aBcDeFg12']
const UC = 'UCTwECeGqMZee77BjdoYtI2Q'
const PL = 'PLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj'
const a = `https://youtu.be/${A}`
const b = `https://www.youtube.com/watch?v=${B}`
const b2 = `https://www.youtube.com/watch?v=${B}&t=42s`
const c = `https://youtu.be/${C}`
const AB = [A, B]

/** Name, text, the sources in order, and what is named as none of them. */
const PASTES: [string, string, string[], string[]?][] = [
  // Lists on one line.
  ['comma', `${a},${b}`, AB],
  ['comma and blank', `${a}, ${b2}, ${c}`, [A, B, C]],
  ['semicolon', `${a};${b}`, AB],
  ['pipe', `${a}|${b}`, AB],
  ['pipe between blanks', `| ${a} | ${b} |`, AB],
  ['tab', `${a}\t${b}`, AB],
  ['blank', `${a} ${b}`, AB],
  ['nothing', `${a}${b}`, AB],
  ['quotes and semicolon', `"${a}";"${b}"`, AB],
  ['quotes and comma', `'${a}', '${b}'`, AB],
  ['ids', `${A},${B};${C}`, [A, B, C]],
  ['ids and handles', `${A} @x1y ${PL} ${UC}`, [A, '/@x1y', PL, UC]],
  ['escaped separators', `${a}%2C${b}%0A${c}`, [A, B, C]],
  ['arrows', `${a} → ${b} => ${c}`, [A, B, C]],
  ['slashes', `${a} / ${b}`, AB],
  ['two and a word', `${a} and ${b}`, AB, ['and']],
  ['a label', `url=${a} link:${b}`, AB, ['url=', 'link:']],
  ['a label and a blank', `Video: ${a}`, [A], ['Video:']],
  ['brackets', `(${a}) [${b}] {${c}}`, [A, B, C]],
  // Markdown.
  ['Markdown links', `[a](${a})[b](${b})`, AB],
  ['Markdown links in a list', `- [a](${a})\n- [b](${b} "hint")`, AB],
  ['Markdown, numbered', `1. [a](${a})\n2. [b](${b})`, AB],
  ['Markdown, bold', `**${a}**, *${b}*`, AB],
  ['Markdown, bold, a channel', '**https://www.youtube.com/@x1y**', ['/@x1y']],
  ['Markdown, code', `\`${a}\` \`${b}\``, AB],
  ['Markdown, quoted', `> ${a}\n> ${b}`, AB],
  ['Markdown, angle brackets', `<${a}><${b}>`, AB],
  ['Markdown, references', `[1]: ${a}\n[2]: ${b}`, AB],
  ['Markdown, a table', `| Talk | Link |\n|---|:--|\n| One | ${a} |\n| Two | [b](${b}) |`, AB],
  // HTML and its kin.
  ['HTML, a link', `<a href="${a}">One</a>`, [A]],
  ['HTML, links', `<p><a href='${a}'>One</a> and <a class="x" href="${b}">Two</a></p>`, AB],
  ['HTML, bare attribute', `<a href=${a}>One</a><a href=${b}>Two</a>`, AB],
  ['HTML, entities', `<a href="https://www.youtube.com/watch?t=4&amp;v=${A}&#38;x=1">x</a>`, [A]],
  ['HTML, an address as its text', `<a href="${a}">${a}</a><a href="${b}">${b}</a>`, AB],
  ['HTML, a player', `<iframe src="//www.youtube.com/embed/${A}?rel=0"></iframe>`, [A]],
  ['HTML, paths', `<a href="/watch?v=${A}">x</a><a href="/playlist?list=${PL}">y</a>`, [A, PL]],
  ['HTML, ids', `<ul>\n<li>${A}</li>\n<li>${B}</li>\n</ul>`, AB],
  ['HTML, other links', `<a href="/">Home</a><a href="https://example.org/">x</a>${a}<br/>`, [A]],
  ['HTML, escaped', `&lt;a href=&quot;${a}&quot;&gt;One&lt;/a&gt;`, [A]],
  [
    'OPML',
    `<opml><body>\n<outline text="x" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=${UC}"/>\n</body></opml>`,
    [UC],
  ],
  // JSON.
  ['JSON, a list', `["${a}","${b}"]`, AB],
  ['JSON, an object', `{"urls":["${a}","${b}"]}`, AB],
  ['JSON, an object, indented', JSON.stringify({ urls: [a, B] }, null, 2), AB],
  ['JSON, a list that holds words', `{"urls":["${a}","foo","${b}"]}`, AB, ['foo']],
  [
    'JSON, records',
    JSON.stringify([
      { title: 'One', url: a },
      { title: 'Two', url: b },
    ]),
    AB,
  ],
  ['JSON, escaped', `{"url":"https:\\/\\/www.youtube.com\\/watch?t=1\\u0026v=${A}"}`, [A]],
  ['JSON, ids', JSON.stringify({ items: [{ videoId: A, channelId: UC }, { videoId: B }] }), AB],
  [
    'JSON, an address twice',
    JSON.stringify({ id: A, url: a, thumbnail: `https://i.ytimg.com/vi/${A}/0.jpg` }),
    [A],
  ],
  ['JSON lines', `{"id":1,"url":"${a}"}\n{"id":2,"url":"${b}"}`, AB],
  ['JSON, a text with addresses', JSON.stringify({ text: `See ${a} and\n${b}.` }), AB],
  ['a list of a program', `urls = ['${a}', '${b}']`, AB, ['urls']],
  // Tables.
  ['CSV with a heading', `title,url\nOne,${a}\nTwo,${b}\n`, AB],
  ['CSV with quotes', `"title";"url"\r\n"One; and, more";"${a}"\r\n"Two";"${b}"`, AB],
  ['CSV, the address first', `${a},One,2024-01-01\n${b},Two,2024-01-02`, AB],
  ['CSV, lines in a cell', `url,text\n${a},"one\ntwo"\n${b},"three"`, AB],
  ['CSV, ids', `id,title,channel\n${A},One,${UC}\n${B},Two,${UC}`, AB],
  ['CSV, an id beside its address', `id,url\n${A},${a}\n${B},${b}`, AB],
  ['CSV, a row without an address', `title,url\nOne,${a}\nTwo,\nThree,${b}`, AB, ['Two,']],
  [
    'CSV, a broken address',
    `title,url\nOne,${a}\nTwo,https://youtu.be/short`,
    [A],
    ['https://youtu.be/short'],
  ],
  ['TSV', `Title\tLink\nOne\t${a}\nTwo\t${b}`, AB],
  ['cells of a spreadsheet', `One\t${a}\t3:20\nTwo\t${b}\t4:10`, AB],
  // Logs, mails, chats.
  ['a log', `2026-01-01T10:00:00Z INFO open ${a} 200\n2026-01-01T10:00:01Z INFO open url=${b}`, AB],
  ['a log in brackets', `[10:00:00] <ann> ${a}\n[10:00:04] <bob> look: ${b}`, AB],
  ['a sentence', `See ${a}, then ${b}.`, AB, ['See', 'then']],
  ['a mail', `Hello,\n${a}\nBye`, [A], ['Hello,', 'Bye']],
  ['quoted mail', `> > ${a}\n> ${b}`, AB],
  // Near misses are named, never passed over.
  ['another site', `${a}\nhttps://vimeo.com/1`, [A], ['https://vimeo.com/1']],
  ['an id too short', `${a}\nhttps://youtu.be/abc`, [A], ['https://youtu.be/abc']],
  ['a name', `${a}\nsmallworkshop`, [A], ['smallworkshop']],
]

for (const [name, text, sources, complaints = []] of PASTES) {
  test(`pasted: ${name}`, () => {
    assert.deepEqual(read(text), { sources, complaints }, text)
    const set = readUrlSet(text)
    if (complaints.length > 0) return
    // What the job tells as its lines is the same order when it is sent again.
    assert.equal(readUrlSet(set.urls).hash, set.hash)
    assert.deepEqual([...readUrlSet(set.urls).documents], [])
  })
}

const UNTOUCHED = [
  'a',
  'not a url',
  '<b>',
  '{}',
  '{"a":1}',
  'a,b\nc,d',
  '10:00 a\n10:01 b',
  '<a href=x>',
]

test('a text without an address is no document, and is named as it is', () => {
  for (const text of UNTOUCHED) {
    const set = readUrlSet(text)
    assert.deepEqual([set.urls.join('\n'), set.documents.size], [text, 0])
  }
})

test('what reads as a list is no document, so that no earlier order is another one now', () => {
  for (const text of [
    `${a}, ${b}\n${c}, ${a}`,
    `@x1y;${UC}\n${PL};${A}`,
    `[a](${a}) by x, y\n${b}`,
  ]) {
    assert.equal(readUrlSet(text).documents.size, 0, text)
  }
})

test('lines are numbered as they stand in a document', () => {
  for (const [text, last] of [
    [`title,url\n"One,\nand more",${a}\n\nTwo,${b}`, 5],
    [`<ul>\n<li><a\n href="${a}">x</a></li>\n<li>${b}</li></ul>`, 4],
    [JSON.stringify({ urls: [a, b] }, null, 2), 4],
    [`{"u":"${a}"}\n\n{"u":"${b}"}`, 3],
  ] as const) {
    const set = readUrlSet(text)
    assert.equal(set.lineOf.get(b), last, text)
    assert.equal(readUrlSet(['@x1y', text]).lineOf.get(b), last + 1, text)
  }
})

const ADDRESSES = [
  a,
  b2,
  'youtu.be/9bZkp7q19f0?si=abc',
  'https://www.youtube.com/shorts/9bZkp7q19f0',
  'https://m.youtube.com/watch?v=-_aBcDeFg12&feature=share',
  `https://www.youtube.com/playlist?list=${PL}`,
  'https://www.youtube.com/@x1y/videos',
  `https://www.youtube.com/channel/${UC}`,
]
const NAMES = [...ADDRESSES, B, C, UC, PL, '@x1y']
const BETWEEN = [
  ', ',
  ',',
  ';',
  ' ; ',
  '|',
  ' | ',
  '\t',
  ' ',
  '\n',
  '\r\n',
  '\n\n',
  '\n- ',
  '\n1. ',
]
const AROUND_ADDRESSES = [
  ' - ',
  ' → ',
  ' => ',
  '> <',
  '","',
  "', '",
  '**, **',
  '` `',
  ')\n(',
  '\n> ',
]

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
  (names) =>
    names
      .map((url) => `<li class="x">Talk: <a href="${url.replaceAll('&', '&amp;')}">x</a></li>`)
      .join('\n'),
  (names) => `title,url\n${names.map((url, at) => `"Talk, ${at}","${url}"`).join('\n')}`,
  (names) => `Title\tLink\tLength\n${names.map((url) => `A talk\t${url}\t4:10`).join('\n')}`,
  (names) => ['10:00 begun', ...names.map((url) => `10:01 opened ${url} by x`)].join('\n'),
]

test('any addresses and ids are found whole and in order, whatever of the known stands between them', () => {
  const sent = (names: string[], between: string[]) =>
    fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...between)), {
      minLength: 1,
      maxLength: 10,
    })
  const schemed = ADDRESSES.filter((address) => address.startsWith('https://'))
  const any = fc.oneof(
    sent(NAMES, BETWEEN),
    sent(ADDRESSES, [...BETWEEN, ...AROUND_ADDRESSES]),
    sent(schemed, ['', ',']),
  )
  fc.assert(
    fc.property(any, (pairs) => {
      const text = pairs
        .map(([name, after], at) => (at === pairs.length - 1 ? name : name + after))
        .join('')
      const expected = read(pairs.map(([name]) => name))
      assert.deepEqual(inOrder(read(text)), inOrder(expected), text)
    }),
    { numRuns: 2000 },
  )
})

test('any addresses in a document are found in order, each once', () => {
  const names = fc.array(fc.constantFrom(...ADDRESSES), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(names, fc.constantFrom(...DOCUMENTS), (sent, write) => {
      const expected = read(sent).sources.filter((name, at, all) => all.indexOf(name) === at)
      assert.deepEqual(read(write(sent)), { sources: expected, complaints: [] }, write(sent))
    }),
    { numRuns: 1000 },
  )
})

test('a text of more cells or words than are read is no document', () => {
  const kindsOf = (text: string): string[] => [...readUrlSet(text).documents]
  const table = (rows: number): string => `${a},One\n${'x,y\n'.repeat(rows - 1)}`
  assert.deepEqual([kindsOf(table(8_000)), kindsOf(table(8_001))], [['table'], []])
  const log = (words: number): string => `10:00 ${a}\n10:01 ${'x '.repeat(words - 4)}x`
  assert.deepEqual([kindsOf(log(16_000)), kindsOf(log(16_001))], [['log'], []])
})

/** Two spellings of one source are two lines of a list. */
function inOrder({ sources, complaints }: ReturnType<typeof read>) {
  return { sources: sources.filter((name, at) => sources.indexOf(name) === at), complaints }
}
function read(text: string | string[]): { sources: string[]; complaints: string[] } {
  const set = readUrlSet(text)
  const sources: string[] = []
  const complaints: string[] = []
  for (const line of set.urls) {
    const reading = readPart(line, set)
    if (reading.kind === 'rejected') complaints.push(line)
    else sources.push(nameOf(reading.source))
  }
  return { sources, complaints }
}

function nameOf(source: Source): string {
  if (source.kind === 'video') return source.videoId
  return source.kind === 'playlist' ? source.playlistId : source.name
}

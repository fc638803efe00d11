/** Texts as people paste them: every address and id in them is found, in order, and what is none is named. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { isStorable } from '../../kit/text/outside-text.ts'
import { lineTexts, readUrlSet } from '../../../test/support/orders.ts'
import { ADDRESSES, distinct, IDS, NAMES, readTold } from '../../../test/support/pastes.ts'

const { A, B, C, UC, PL } = IDS
const [a, b, b2, c] = [
  `https://youtu.be/${A}`,
  `https://www.youtube.com/watch?v=${B}`,
  `https://www.youtube.com/watch?v=${B}&t=42s`,
  `https://youtu.be/${C}`,
]
const AB = [A, B]

/** Name, text, the sources in order, and what is refused as none of them. */
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
  [
    'HTML, lines of a list beside it',
    `${a}\n<a href="${b}">x</a>\n@x1y\n${UC}`,
    [A, B, '/@x1y', UC],
  ],
  ['HTML, a word beside it', `<a href="${a}">x</a>\nworkshop<br>\n<p>`, [A]],
  ['HTML, a channel beside a video', `<li><a href="${a}">x</a>\n<li>@x1y`, [A]],
  ['HTML, scripts', `<a href="${a}">x</a><script>\n"${B}"\nf('${b}')\n</script>\n${C}`, [A, C]],
  ['HTML, what is no tag', `<b class=x>\n<${A}> <@x1y> a < b\n<${b}>`, AB],
  ['HTML, escaped', `&lt;a href=&quot;${a}&quot;&gt;\n&lt;a href=&quot;${b}&quot;&gt;`, AB],
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
  [
    'JSON, where videos are from',
    JSON.stringify(
      [
        { id: A, channelId: UC },
        { id: B, in: PL },
      ],
      null,
      1,
    ),
    AB,
  ],
  ['JSON, channels alone', `{"channels":[{"id":"${UC}"},{"id":"@x1y"}]}`, [UC, '/@x1y']],
  [
    'JSON, words of 11 letters',
    `{"publishedAt":"information","thumbnail_2":"2026-01-01","a":"${a}"}`,
    [A],
  ],
  ['JSON, two lists', `{"tags":["foo"],"urls":["${a}"]}`, [A]],
  ['JSON, what nothing stores', `[{"a":"${a}\\u0000"},\n{"b":"${b}\\ud800"}]`, AB],
  ['JSON, cut off', `[{"url":"${a}"},\n{"url":"${b}",\n"title":"Tw`, AB],
  ['JSON lines', `{"id":1,"url":"${a}"}\n{"id":2,"url":"${b}"}`, AB],
  ['JSON, a text with addresses', JSON.stringify({ text: `See ${a} and\n${b}.` }), AB],
  ['a list of a program', `urls = ['${a}', '${b}']`, AB, ['urls']],
  // Tables.
  ['CSV with a heading', `title,url\nOne,${a}\nTwo,${b}\n`, AB],
  ['CSV with quotes', `"title";"url"\r\n"One; and, more";"${a}"\r\n"Two";"${b}"`, AB],
  ['CSV, the address first', `${a},One,2024-01-01\n${b},Two,2024-01-02`, AB],
  ['CSV, lines in a cell', `url,text\n${a},"one\ntwo"\n${b},"three"`, AB],
  ['CSV, ids', `id,title,channel\n${A},One,${UC}\n${B},Two,${UC}`, AB],
  ['CSV, names of fields', `publishedAt,videoTitles,url\n1,One,${a}\n2,Two,${b}`, AB],
  ['CSV, addresses and ids alone', `id,url\n${A},${a}\n${B},${b}`, [A, A, B, B], ['id,url']],
  ['CSV, one row', `title,url\nOne,${a}`, [A], ['title,url', 'One']],
  ['CSV, a row without an address', `title,url\nOne,${a}\nTwo,\nThree,${b}`, AB],
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
  ['titles and addresses', `One: ${a}\nTwo: ${b}\n${c}`, [A, B, C]],
  [
    'a list with comments',
    `${a}\n${b} (new)\n@x1y\n${c} (old)`,
    [A, B, '/@x1y', C],
    ['new', 'old'],
  ],
  ['a list with a comment', `${a}\n${b} (new)\n${c}`, [A, B, C], ['new']],
  ['a chat', `[10:00] @bob: hi\n[10:01] ann: ${a} @bob\n[10:02] bob: ${b}`, AB],
  ['a sentence', `See ${a}, then ${b}.`, AB, ['See', 'then']],
  ['a mail', `Hello,\n${a}\nBye`, [A], ['Hello,', 'Bye']],
  ['quoted mail', `> > ${a}\n> ${b}`, AB],
  // Near misses are named, never passed over.
  ['another site', `${a}\nhttps://vimeo.com/1`, [A], ['https://vimeo.com/1']],
  ['an id too short', `${a}\nhttps://youtu.be/abc`, [A], ['https://youtu.be/abc']],
  ['a name', `${a}\nsmallworkshop`, [A], ['smallworkshop']],
  [
    'a list in which one line has tags',
    `smallworkshop\n@x1y\n${UC}\n<a href="${a}">x</a>\nhttps://vimeo.com/1`,
    ['/@x1y', UC, A],
    ['smallworkshop', 'https://vimeo.com/1'],
  ],
  ['an item of a list that is commented out', `- # ${a}\n* ; ${a}\n- ${b}\n> # ${c}`, [B]],
  ['a line commented out as in programs', `// ${a}\n  //\t${c}\n//youtu.be/${B}`, [B]],
]

/** Parts of documents that are told as not taken: lines, and ids of channels and lists. */
const TOLD: Record<string, string[]> = {
  'Markdown, a table': ['| Talk | Link |'],
  'HTML, a word beside it': ['workshop<br>'],
  'HTML, a channel beside a video': ['<li>@x1y', '@x1y'],
  'HTML, scripts': [`"${B}"`, `f('${b}')`],
  'HTML, what is no tag': ['@x1y'],
  'JSON, ids': [UC],
  'JSON, where videos are from': [`"channelId": "${UC}"`, `"in": "${PL}"`, UC, PL],
  'JSON, cut off': ['"title":"Tw'],
  'CSV with a heading': ['title,url'],
  'CSV with quotes': ['"title";"url"'],
  'CSV, lines in a cell': ['url,text', 'two"'],
  'CSV, ids': ['id,title,channel', UC],
  'CSV, names of fields': ['publishedAt,videoTitles,url'],
  'CSV, a row without an address': ['title,url', 'Two,'],
  'CSV, a broken address': ['title,url'],
  TSV: ['Title\tLink'],
  'a chat': ['[10:00] @bob: hi'],
}

for (const [name, text, sources, complaints = []] of PASTES) {
  test(`pasted: ${name}`, () => {
    assert.deepEqual(readTold(text), { sources, complaints }, text)
    const set = readUrlSet(text)
    const { lines = [], ids = [] } = set.documents[0] ?? {}
    assert.deepEqual([...lines.map((line) => line.text), ...ids], TOLD[name] ?? [])
    assert.ok(lineTexts(set.lines).every(isStorable))
    if (complaints.length > 0) return
    // What the job tells as its lines is the same order when it is sent again.
    const again = readUrlSet(lineTexts(set.lines))
    assert.equal(again.hash, set.hash)
    assert.deepEqual(again.documents, [])
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
    assert.deepEqual([lineTexts(set.lines).join('\n'), set.documents.length], [text, 0])
  }
})

test('what reads as a list is no document, so that no earlier order is another one now', () => {
  for (const text of [
    `${a}, ${b}\n${c}, ${a}`,
    `@x1y;${UC}\n${PL};${A}`,
    `[a](${a}) by x, y\n${b}`,
  ]) {
    assert.equal(readUrlSet(text).documents.length, 0, text)
  }
})

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
      const expected = readTold(pairs.map(([name]) => name))
      assert.deepEqual(distinct(readTold(text)), distinct(expected), text)
    }),
    { numRuns: 2000 },
  )
})

/** Quotes and citations as they are pasted: every form holds the words, the facts and the second, whatever they are. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  CITATION_FORMATS,
  type CitationFormat,
  citationOf,
} from '../../src/model/files/citations.ts'
import { videoAt } from '../../src/model/files/video-at.ts'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const { placeAddress } = await import(
  path.resolve(import.meta.dirname, '../../web/src/place-links.ts')
)

const video = {
  videoId: 'jNQXAC9IVRw',
  title: 'Me at the zoo',
  channelName: 'jawed',
  publishedAt: '2005-04-23T20:31:52-07:00',
  url: 'https://www.youtube.com/watch?v=jNQXAC9IVRw',
  languageCode: 'en',
}
const quote = { words: 'all right, so here we are', startMs: 247_300, endMs: 251_100 }
const readAt = new Date('2026-11-27T10:00:00Z')
const cite = (format: CitationFormat, parts: object = {}) =>
  citationOf(format, { video, quote, readAt, ...parts })
const LINK = 'https://www.youtube.com/watch?v=jNQXAC9IVRw&t=247s'

test('a quote has its words, the video, the day, the time and the second in each form', () => {
  assert.equal(
    cite('plain'),
    `“all right, so here we are”\njawed, “Me at the zoo”, 23 April 2005, 0:04:07–0:04:12\n${LINK}`,
  )
  assert.equal(
    cite('markdown'),
    `> all right, so here we are\n>\n> — [Me at the zoo](${LINK}), jawed, 2005-04-23, 0:04:07–0:04:12`,
  )
  assert.equal(
    cite('apa'),
    `“all right, so here we are” (jawed, 2005, 0:04:07–0:04:12)\n\njawed. (2005, April 23). Me at the zoo [Video]. YouTube. ${LINK}`,
  )
  assert.equal(
    cite('bibtex'),
    `@misc{jNQXAC9IVRw-247,
  author = {{jawed}},
  title = {{Me at the zoo}},
  year = {2005},
  month = apr,
  howpublished = {YouTube video},
  url = {${LINK}},
  urldate = {2026-11-27},
  note = {0:04:07--0:04:12},
  annote = {all right, so here we are}
}`,
  )
  assert.equal(
    cite('ris'),
    [
      'TY  - VIDEO',
      'ID  - jNQXAC9IVRw-247',
      'AU  - jawed',
      'TI  - Me at the zoo',
      'PY  - 2005',
      'DA  - 2005/04/23',
      'PB  - YouTube',
      'LA  - en',
      `UR  - ${LINK}`,
      'Y2  - 2026/11/27',
      'N1  - 0:04:07–0:04:12: “all right, so here we are”',
      'ER  - ',
      '',
    ].join('\r\n'),
  )
})

test('a whole video is cited without a time', () => {
  const whole = { quote: null }
  assert.equal(
    cite('apa', whole),
    `jawed. (2005, April 23). Me at the zoo [Video]. YouTube. ${video.url}`,
  )
  assert.equal(cite('markdown', whole), `[Me at the zoo](${video.url}), jawed, 2005-04-23`)
  assert.equal(/note|&t=/.test(cite('bibtex', whole)), false)
  assert.equal(/N1|&t=/.test(cite('ris', whole)), false)
})

test('what is not known is left out, and a moment without an end has one time', () => {
  const unknown = {
    video: { videoId: null, title: '\u200b', channelName: null, publishedAt: '0', url: 'no url' },
    quote: { words: 'well', startMs: 3_661_000, endMs: null },
  }
  assert.equal(cite('plain', unknown), '“well”\n“Untitled”, 1:01:01')
  assert.equal(
    cite('apa', unknown),
    '“well” (Unknown, n.d., 1:01:01)\n\nUnknown. (n.d.). Untitled [Video]. YouTube.',
  )
  assert.match(cite('bibtex', unknown), /^@misc\{video-3661,\n {2}author = \{\{Unknown\}\},/)
})

test('marks of Markdown and TeX stay text', () => {
  const words = '- 1 * 2_3 <b> [x](y) \\ # `'
  assert.match(
    cite('markdown', { quote: { ...quote, words } }),
    /^> \\- 1 \\\* 2\\_3 \\<b\\> \\\[x\\\]\(y\\?\) \\\\ \\# \\`\n/,
  )
  assert.match(cite('markdown', { quote: { ...quote, words: '12. May' } }), /^> 12\\. May\n/)
  const tex = cite('bibtex', { video: { ...video, title: '50% {of} $5 & a_b \\ ~ ^ #1' } })
  assert.match(
    tex,
    /title = \{\{50\\% \\textbraceleft\{\}of\\textbraceright\{\} \\\$5 \\& a\\_b \\textbackslash\{\} \\textasciitilde\{\} \\textasciicircum\{\} \\#1\}\},/,
  )
})

test('whatever the words and names are, a form keeps its lines and its braces', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '}',
      '{',
      '\r\nER  - ',
      '\u202e',
      '\u001b[31m',
      'a\nTY  - BOOK',
      '\\',
      '](',
      '\u2028',
    ),
  )
  fc.assert(
    fc.property(text, text, text, (title, channelName, words) => {
      const hostile = { video: { ...video, title, channelName }, quote: { ...quote, words } }
      for (const format of Object.keys(CITATION_FORMATS) as CitationFormat[]) {
        const cited: string = cite(format, hostile)
        assert.doesNotMatch(cited, /[\u202a-\u202e\u2066-\u2069\u001b\u2028\u0085]/)
        assert.ok(cited.split('\n').length <= 13, cited)
      }
      const ris: string[] = cite('ris', hostile).split('\r\n').slice(0, -1)
      assert.ok(ris.every((line) => /^[A-Z][A-Z0-9] {2}- [^\r\n]*$/.test(line)))
      assert.equal(ris.filter((line) => /^(?:TY|ER)/.test(line)).length, 2)
      let depth = 0
      for (const sign of cite('bibtex', hostile)) {
        depth += sign === '{' ? 1 : sign === '}' ? -1 : 0
        assert.ok(depth >= 0)
      }
      assert.equal(depth, 0)
    }),
  )
})

test('a link names its second once, and its end where there is one', () => {
  assert.equal(videoAt(`${video.url}&t=3s`, 247_900), LINK)
  assert.equal(videoAt('not an address', 5), 'not an address')
  const place = { jobId: 'job', index: 3, startMs: 247_900, endMs: null }
  assert.equal(placeAddress(place), '/jobs/job/3?t=247')
  assert.equal(placeAddress({ ...place, endMs: 251_100 }), '/jobs/job/3?t=247&end=252')
  assert.equal(placeAddress({ ...place, endMs: 247_950 }), '/jobs/job/3?t=247&end=248')
  assert.equal(placeAddress({ ...place, endMs: 247_000 }), '/jobs/job/3?t=247')
})

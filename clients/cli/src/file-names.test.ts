/** Names of files: whatever a title holds, Linux, macOS and Windows take the name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Failure } from './failure.ts'
import { fileStem, type NamedVideo, readTemplate, TEMPLATES } from './file-names.ts'

const VIDEO: NamedVideo = {
  index: 7,
  videoId: 'Kn56bMZ9OE8',
  title: 'A day at the zoo',
  channelName: 'Small Workshop',
  publishedAt: '2026-03-04T05:06:07Z',
  languageCode: 'en',
  trackKind: 'manual',
}

const CASES: [template: string, video: Partial<NamedVideo>, name: string][] = [
  [TEMPLATES.title, {}, 'A day at the zoo [Kn56bMZ9OE8]'],
  [TEMPLATES.title, { title: null }, 'Kn56bMZ9OE8 [Kn56bMZ9OE8]'],
  [TEMPLATES.title, { title: '../../etc/passwd' }, 'etc-passwd [Kn56bMZ9OE8]'],
  [TEMPLATES.title, { title: 'CON: aux? <nul>|*' }, 'CON- aux nul- [Kn56bMZ9OE8]'],
  [TEMPLATES.title, { title: '-rf ~' }, 'rf ~ [Kn56bMZ9OE8]'],
  [TEMPLATES.title, { title: 'gpj\u202e.exe\u0007' }, 'gpj.exe [Kn56bMZ9OE8]'],
  [TEMPLATES.title, { title: '中村のあそびば' }, '中村のあそびば [Kn56bMZ9OE8]'],
  [TEMPLATES.id, { videoId: '-dash_first' }, '-dash_first'],
  [TEMPLATES.index, {}, '007'],
  ['{channel}/{date} {title}', {}, 'Small Workshop/2026-03-04 A day at the zoo'],
  ['{channel}/{date}', { channelName: null, publishedAt: null }, 'unknown channel/undated'],
  ['{language}-{kind}', {}, 'en-manual'],
  ['{title}', { title: 'con' }, '_con'],
  ['{title}', { title: 'Com1.txt' }, '_Com1.txt'],
  ['{title}', { title: 'console' }, 'console'],
  ['{title}', { title: '...' }, 'Kn56bMZ9OE8'],
  ['{title}', { title: '\u200d\u3164\ufe0f' }, 'Kn56bMZ9OE8'],
  ['{title}', { title: '-\u200d.' }, 'Kn56bMZ9OE8'],
  ['{channel}', { channelName: '\u200e\u2800' }, 'unknown channel'],
  ['{title}', { title: 'blank\u2800\u3164 letters' }, 'blank letters'],
  ['{title}', { title: 'می\u200cخواهم ❤\ufe0f' }, 'می\u200cخواهم ❤\ufe0f'],
  ['talks {title}. ', { title: 'One.' }, 'talks One'],
]

for (const [template, video, name] of CASES) {
  test(`${template} of ${JSON.stringify(video)} is ${name}`, () => {
    const stem = fileStem(readTemplate(template), { ...VIDEO, ...video }, 120)
    assert.equal(stem.join('/'), name)
  })
}

const DEVICE =
  /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\.|$)/i
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: fc.constantFrom(...'./\\:*?"<>|~- \0\t\u202e\ud800'), maxLength: 40 }),
  fc.constantFrom('CON', 'nul.txt', 'LPT¹', 'aux .x', 'con\u0301', 'COM1', '..', ''),
)
const someVideo = fc.record({
  index: fc.integer({ min: 1, max: 500 }),
  videoId: fc.option(
    fc.string({ unit: fc.constantFrom(...'aZ09-_'), minLength: 11, maxLength: 11 }),
  ),
  title: fc.option(anything),
  channelName: fc.option(anything),
  publishedAt: fc.option(anything),
  languageCode: fc.option(anything),
  trackKind: fc.option(anything),
})
const someTemplate = fc.constantFrom(
  '{title} [{id}]',
  '{id}',
  '{index}',
  '{title}',
  '{channel}/{date}/{title}',
  'CON{language}',
  '{kind}. ',
  '{channel} {title} {channel} {title} {id}',
)

test('every name is one that Windows, macOS and Linux take, with any ending and number', () => {
  fc.assert(
    fc.property(someTemplate, someVideo, (template, video) => {
      const stem = fileStem(readTemplate(template), video, 500)
      assert.equal(stem.length, template.split('/').length)
      for (const name of stem) {
        assert.ok(name !== '' && name.isWellFormed() && name === name.normalize('NFC'), name)
        assert.doesNotMatch(name, /[<>:"/\\|?*\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
        assert.doesNotMatch(name, /^ |[ .]$/)
        assert.doesNotMatch(name, DEVICE)
        assert.ok(Buffer.byteLength(`${name} (99).json`) <= 255, 'too long')
      }
    }),
    { numRuns: 400 },
  )
})

test('names with an id stay apart, however long or alike the titles are', () => {
  const stem = (videoId: string): string =>
    fileStem(readTemplate(TEMPLATES.title), { ...VIDEO, videoId, title: '題'.repeat(300) }, 9)[0] ??
    ''
  assert.match(stem('aaaaaaaaaaa'), / \[aaaaaaaaaaa\]$/)
  assert.notEqual(stem('aaaaaaaaaaa'), stem('aaaaaaaaaab'))
})

test('a template that leads out of the folder, or names what there is not, is refused', () => {
  for (const template of [
    '/etc/{title}',
    '../{title}',
    'a//b',
    '',
    ' ',
    'a/\u200e',
    '{title}/.\u2060.',
    '{name}',
  ]) {
    assert.throws(() => readTemplate(template), Failure, template)
  }
})

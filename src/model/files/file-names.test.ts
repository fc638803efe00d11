/** File names: which a request may ask for, and names that are safe on every file system. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { readFileName } from './addresses.ts'
import { exportName, stemOf, wholeFileName } from './file-names.ts'

const ASKED: [file: string, ref: ReturnType<typeof readFileName>][] = [
  ['zip', { kind: 'whole', file: 'zip' }],
  ['all.txt', { kind: 'whole', file: 'all.txt' }],
  ['report.csv', { kind: 'whole', file: 'report.csv' }],
  ['1.txt', { kind: 'form', index: 1, file: 'txt' }],
  ['500.json', { kind: 'form', index: 500, file: 'json' }],
  ['7.words.vtt', { kind: 'words', index: 7, file: 'words.vtt' }],
  ['export.csl.json', { kind: 'export', file: 'export.csl.json' }],
  ['vault.zip', { kind: 'export', file: 'vault.zip' }],
  ['7.words.txt', null],
  ['export.txt', null],
  ['2147483647.vtt', { kind: 'form', index: 2_147_483_647, file: 'vtt' }],
  ['2147483648.vtt', null],
  ['99999999999999999999.srt', null],
  ['0.txt', null],
  ['01.txt', null],
  ['01.words.json', null],
  ['-1.txt', null],
  ['1.text', null],
  ['1.TXT', null],
  ['1.txt\n', null],
  ['.txt', null],
  ['zip/', null],
  ['', null],
]

for (const [file, ref] of ASKED) {
  test(`the file ${JSON.stringify(file)} is ${ref === null ? 'none' : JSON.stringify(ref)}`, () => {
    assert.deepEqual(readFileName(file), ref)
  })
}

const READABLE: [title: string | null, stem: string][] = [
  ['A plain title', '007 A plain title'],
  ['AC/DC: live | 1991', '007 AC-DC - live - 1991'],
  ['What? <The> "Best" *', '007 What The Best'],
  ['../../etc/passwd', '007 -..-etc-passwd'],
  ['CON', '007 CON'],
  ['trailing dots... ', '007 trailing dots'],
  ['tab\tand\nline', '007 tab and line'],
  ['harmless\u202etxt.exe', '007 harmlesstxt.exe'],
  ['zero\u200bwidth\ufeff', '007 zerowidth'],
  ['family 👨‍👩‍👧', '007 family 👨‍👩‍👧'],
  ['half \ud83d', '007 half \ufffd'],
  ['Cafe\u0301', '007 Café'],
  ['日本語'.repeat(40), `007 ${'日本語'.repeat(16)}`.slice(0, 52)],
  ['???', '007 dQw4w9WgXcQ'],
  ['blank\u2800\u3164 letters\uffa0', '007 blank letters'],
  ['\u200d\ufe0f', '007 dQw4w9WgXcQ'],
  ['\u3164', '007 dQw4w9WgXcQ'],
  ['. \u200d .', '007 dQw4w9WgXcQ'],
  ['\u{e0067}\u034f', '007 dQw4w9WgXcQ'],
  ['می\u200cخواهم ❤\ufe0f', '007 می\u200cخواهم ❤\ufe0f'],
  [null, '007 dQw4w9WgXcQ'],
]

for (const [title, stem] of READABLE) {
  test(`a video called ${JSON.stringify(title)} is saved as ${JSON.stringify(stem)}`, () => {
    assert.equal(stemOf({ index: 7, title, videoId: 'dQw4w9WgXcQ' }, 'title', 3), stem)
  })
}

test('a name by index has no zeros before it', () => {
  assert.equal(stemOf({ index: 7, title: 'x', videoId: null }, 'index', 3), '7')
})

test('no title makes a name that a file system refuses, hides or folds onto another', () => {
  const title = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({
      unit: fc.constantFrom('.', ' ', '/', '\\', ':', '\u202e', 'a', 'ß', '\u0301', '\ud800', '\0'),
    }),
    fc.constantFrom('NUL', 'com1', '..', '~', '-rf', '.git', 'x'.repeat(400), 'é'.repeat(400)),
  )
  fc.assert(
    fc.property(fc.array(title, { minLength: 2, maxLength: 20 }), (titles) => {
      const stems = titles.map((given, at) =>
        stemOf({ index: at + 1, title: given, videoId: null }, 'title', 2),
      )
      for (const stem of stems) {
        assert(stem.isWellFormed())
        assert(Buffer.byteLength(stem) <= 150)
        assert.match(stem, /^\d\d( |$)/)
        assert.doesNotMatch(stem, /[\p{Cc}<>:"/\\|?*\u202a-\u202e\u2066-\u2069]|[. ]$/u)
        assert.equal(stem, stem.normalize('NFC'))
      }
      const folded = stems.map((stem) => stem.normalize('NFKD').toUpperCase().toLowerCase())
      assert.equal(new Set(folded).size, titles.length)
    }),
  )
})

test('downloads are called after their job or video', () => {
  const jobId = 'job_1'
  assert.equal(wholeFileName('zip', { jobId }), 'transcripts-job_1.zip')
  assert.equal(wholeFileName('all.txt', { jobId }), 'all-transcripts-job_1.txt')
  assert.equal(wholeFileName('report.csv', { jobId }), 'report-job_1.csv')
  assert.equal(wholeFileName('all.txt', { stem: 'Talks' }), 'Talks all texts.txt')
  assert.equal(exportName('Talks', 'export.4cat.csv'), 'Talks.4cat.csv')
  assert.equal(exportName('Talks', 'vault.zip'), 'Talks vault.zip')
})

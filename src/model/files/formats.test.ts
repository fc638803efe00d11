/** The forms of a transcript: exact files, and captions that try to break them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { requestedForms } from './formats.ts'
import { FORMATS } from './catalogue.ts'
import { oneLine, oneLineSegments } from '../transcripts/one-line.ts'
import { written } from '../../../test/support/written.ts'
import { textOf } from '../transcripts/transcript.ts'

const SEGMENTS = [
  { startMs: 0, endMs: 1_500, text: 'Hello & welcome' },
  { startMs: 1_500, endMs: 3_723_004, text: 'second line' },
]

test('an SRT file counts from 1, has comma milliseconds and a blank line after each cue', () => {
  assert.equal(
    written(SEGMENTS, 'srt'),
    '1\n00:00:00,000 --> 00:00:01,500\nHello & welcome\n\n' +
      '2\n00:00:01,500 --> 01:02:03,004\nsecond line\n\n',
  )
})

test('a segment in which nothing is seen is left out', () => {
  const segments = ['\u200e', '\u0007', 'one', '\u2800\u2060 \u3164', '\u200e!'].map(
    (text, at) => ({
      startMs: at,
      endMs: at + 1,
      text,
    }),
  )
  assert.deepEqual(
    oneLineSegments(segments).map(({ text }) => text),
    ['one', '\u200e!'],
  )
})

test('a VTT file opens with its signature, has point milliseconds and escapes markup', () => {
  assert.equal(
    written(SEGMENTS, 'vtt'),
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nHello &amp; welcome\n\n' +
      '00:00:01.500 --> 01:02:03.004\nsecond line\n\n',
  )
})

test('times beyond 99 hours keep all their digits', () => {
  const late = [{ startMs: 360_000_000, endMs: 360_000_001, text: 'late' }]
  assert.match(written(late, 'vtt'), /^100:00:00\.000 --> 100:00:00\.001$/m)
})

test('segments are the bare array of results, keys in the contract’s order', () => {
  const reversed = SEGMENTS.map(({ startMs, endMs, text }) => ({ text, endMs, startMs }))
  assert.equal(
    written(reversed.slice(0, 1), 'json'),
    '[{"startMs":0,"endMs":1500,"text":"Hello & welcome"}]',
  )
})

test('the pieces of a results page are JSON values that need no parsing to be joined', () => {
  const page = `{"text":${written(SEGMENTS, 'text')},"segments":${written(SEGMENTS, 'json')}}`
  assert.deepEqual(JSON.parse(page), { text: 'Hello & welcome second line', segments: SEGMENTS })
})

const DISARMED: [caption: string, srt: string, vtt: string][] = [
  ['a --> b', 'a --\u200b> b', 'a --&gt; b'],
  ['<i>x</i>', '<\u200bi>x<\u200b/i>', '&lt;i&gt;x&lt;/i&gt;'],
  ['<!-- x -->', '<\u200b!-- x --\u200b>', '&lt;!-- x --&gt;'],
  ['1 < 2 <3', '1 < 2 <3', '1 &lt; 2 &lt;3'],
  ['<3 a > b', '<\u200b3 a > b', '&lt;3 a &gt; b'],
  ['{\\an8}up {y:i}', '{\u200b\\an8}up {\u200by:i}', '{\\an8}up {y:i}'],
  ['C:\\new \\N', 'C:\\\u200bnew \\\u200bN', 'C:\\new \\N'],
  ['a &amp; b', 'a &amp; b', 'a &amp;amp; b'],
]

for (const [caption, srt, vtt] of DISARMED) {
  test(`a caption ${JSON.stringify(caption)} stays text in SRT and VTT`, () => {
    const segments = [{ startMs: 0, endMs: 1, text: caption }]
    assert.equal(written(segments, 'srt'), `1\n00:00:00,000 --> 00:00:00,001\n${srt}\n\n`)
    assert.equal(written(segments, 'vtt'), `WEBVTT\n\n00:00:00.000 --> 00:00:00.001\n${vtt}\n\n`)
  })
}

const ONE_LINE: [text: string, line: string][] = [
  ['as it is, with  two blanks ', 'as it is, with  two blanks '],
  ['two\nlines', 'two lines'],
  ['two \r\n\r\n lines\n', 'two lines'],
  ['bell\u0007 null\u0000 next\u0085line para\u2029graph', 'bell null next line para graph'],
  ['half \ud83d emoji', 'half \ufffd emoji'],
  ['whole 🎉, זה', 'whole 🎉, זה'],
]

for (const [text, line] of ONE_LINE) {
  test(`${JSON.stringify(text)} is written on one line`, () => assert.equal(oneLine(text), line))
}

test('no caption text can add a cue, end one early or make a form unreadable', () => {
  const nasty = fc.string({
    unit: fc.oneof(
      { weight: 2, arbitrary: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 2 }) },
      fc.constantFrom('\n', '\r\n', '-->', '\u2028', '<i>', '&', '00:00:01,000 --> 00:00:02,000'),
    ),
  })
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 1, maxLength: 8 }), (texts) => {
      const segments = oneLineSegments(
        texts.map((text, at) => ({ startMs: at, endMs: at + 1, text })),
      )
      const srt = written(segments, 'srt').split('\n\n').slice(0, -1)
      const vtt = written(segments, 'vtt').split('\n\n').slice(1, -1)
      assert.equal(srt.length, segments.length)
      assert.equal(vtt.length, segments.length)
      for (const cue of srt) assert.equal(cue.split('\n').length, 3)
      for (const cue of vtt) assert.equal(cue.split('\n').length, 2)
      for (const file of [written(segments, 'srt'), written(segments, 'vtt')]) {
        assert.equal(file.match(/-->/g)?.length ?? 0, segments.length)
        assert.equal(Buffer.from(file).toString(), file)
      }
      assert.deepEqual(JSON.parse(written(segments, 'json')), segments)
      assert.equal(JSON.parse(written(segments, 'text')), textOf(segments))
    }),
  )
})

test('a job has the files of the formats it asked for, sorted by ending', () => {
  assert.deepEqual(requestedForms(FORMATS), ['json', 'srt', 'txt', 'vtt'])
  assert.deepEqual(requestedForms(['vtt', 'segments']), ['json', 'vtt'])
})

/** A video, what is said in one, and texts that break what is written without care. */
import fc from 'fast-check'
import type { ExportedVideo } from '../../src/model/files/passages.ts'

export const VIDEO: ExportedVideo = {
  videoId: 'jNQXAC9IVRw',
  title: 'Me at the zoo',
  url: 'https://www.youtube.com/watch?v=jNQXAC9IVRw',
  channelName: 'jawed',
  publishedAt: '2005-04-23T20:31:52-07:00',
  languageCode: 'en',
  trackKind: 'asr',
  chapters: [],
  channelId: 'UC4QobU6STFB0P71PMvOGN5A',
  durationSeconds: 19,
  keywords: ['elephants', 'San Diego', '2005', '#zoo'],
}
export const saying = (...texts: string[]) =>
  texts.map((text, at) => ({ startMs: at * 5_000, endMs: at * 5_000 + 900, text }))

/** Texts that break what is written without care, and any others. */
export const awkward = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '---',
    '\n---\n',
    'a: b',
    '"quoted" #1',
    "it's",
    '- [ ] x',
    '!!int 5',
    '*alias',
    '{',
    'null',
    '~',
    '2005-04-23',
    'yes',
    '👩‍👩‍👧 🏳️‍🌈',
    'שלום \u202eabc',
    '\u2028',
    '\u0085',
    'ER  - \r\nTY  - BOOK',
    '=1+1',
    'a,b;"c"\r\n',
    '[[link]]',
    '%%hidden%%',
    '$x$',
    '\ud800',
    '\ufeff',
    'C:\\x',
    'a|b',
    '^a',
    '字幕',
  ),
)

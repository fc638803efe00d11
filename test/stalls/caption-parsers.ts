/** Parsers of captions and writers of their forms. */
import type { Form } from '../../src/model/files/formats.ts'
import { oneLineSegments } from '../../src/model/transcripts/one-line.ts'
import { written } from '../support/written.ts'
import { MARKS, type Parser } from './parser.ts'

const EVENTS = '{"wireMagic":"pb3","events":['
const TEXT = `${EVENTS}{"tStartMs":1,"segs":[{"utf8":"`

const one =
  (form: Form) =>
  (text: string): string =>
    written(oneLineSegments([{ startMs: 0, endMs: 1, text }]), form)

/** The forms of a long cue, each of which is written in a turn of its own. */
export const FORMS: Omit<Parser, 'charsMax'>[] = [
  {
    name: 'the text form',
    read: one('txt'),
    heads: ['a.'],
    tails: ['a'],
    pumps: ['a', ' ', '. ', '.) ', '>> ', '. A ', ')', '\u0001', ' \u2028', '\ud800'],
  },
  {
    name: 'SubRip',
    read: one('srt'),
    heads: ['<'],
    tails: ['>'],
    pumps: ['<', '<3', '-->', '--', '{', '{\\', '\\n', '>', '< '],
  },
  { name: 'WebVTT', read: one('vtt'), heads: ['<'], tails: ['>'], pumps: ['<', '&', '-->'] },
]

export const CAPTION_TEXTS: Omit<Parser, 'charsMax' | 'read'>[] = [
  {
    name: 'json3',
    heads: [EVENTS, '{"events":[', '{"wireMagic":"pb3"'],
    tails: ['0]}', '}'],
    pumps: [
      '{"tStartMs":1,"segs":[{"utf8":"a"}]},',
      '{"tStartMs":1,"segs":[{"utf8":"日%n"}]},',
      '{"tStartMs":%n,"segs":[{"utf8":"a"}]},',
      '{"tStartMs":%n,"wWinId":%n,"segs":[{"utf8":"\\n"}]},',
      '"tStartMs":1',
      '"tStartMs":1,',
      '"segs":',
      '"utf8":"',
      '"utf8":"a"',
      '\\"',
      '\\\\',
      '"',
      ' ',
      '{',
      '[',
      '"events":',
      '}',
    ],
  },
  {
    name: 'the text of a json3 cue',
    heads: [TEXT],
    tails: ['"}]}]}', 'a"}]}]}'],
    pumps: [
      'a',
      ' ',
      '<',
      '<3',
      '<b>',
      '<br ',
      '<font color=',
      '<i a=b ',
      '<c.a',
      '<v ',
      '>',
      '>> ',
      '. ',
      '.) ',
      '-->',
      '{',
      '&nbsp;',
      '\\n',
      '\\u0001',
      '\\u00a0',
      '\u2028',
      '\u200e ',
      '\u2800\u2060',
      '\ufe0f',
      '/',
      ...MARKS,
    ],
  },
  {
    name: 'srv3',
    heads: ['<timedtext><body>', '<timedtext><p t="1">'],
    tails: ['</p>', '/>', '>'],
    pumps: [
      '<p>',
      '<p ',
      '<p t="1">a</p>',
      '<p t="%n" w="%n">a</p>',
      '<p/>',
      '</p',
      '<s>',
      '<s',
      '<br',
      '<br ',
      ' ',
      't="',
      'xt="',
      '&#1',
      '&',
      '&amp;',
      '<',
      '>',
      '<pp',
    ],
  },
  {
    name: 'srv1',
    heads: ['<transcript>', '<transcript><text start="1">'],
    tails: ['</text>', '/>', '>'],
    pumps: [
      '<text>',
      '<text ',
      '<text start="1">a</text>',
      '<text start="%n">a</text>',
      'start="',
      '&amp;amp;',
      '&amp;#x41;',
      ' ',
      '<',
      '>',
      '<b>',
    ],
  },
  {
    name: 'no captions',
    heads: [' ', '<', '<!doctype html>', 'WEBVTT'],
    tails: ['x'],
    pumps: [' ', '\n', '<', '<html', '\ufeff', 'a'],
  },
]

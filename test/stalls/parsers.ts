/** Every parser that meets outside text: how it is asked, the most it is ever given, and what may upset it. */
import type { FastifyRequest } from 'fastify'
import { looksLikeKey } from '../../src/accounts/api-key.ts'
import { acceptedEncoding } from '../../src/http/accept-encoding.ts'
import { preferredWaitMs } from '../../src/api/job-headers.ts'
import { readableUrl } from '../../src/http/edges.ts'
import { parseUsd } from '../../src/billing/money.ts'
import { LIMITS } from '../../src/config.ts'
import { matchesEtag, readRange } from '../../src/http/content.ts'
import { readFileName, stemOf } from '../../src/files/file-names.ts'
import { readDateBounds } from '../../src/jobs/date-bounds.ts'
import { readJobRequest } from '../../src/jobs/job-request.ts'
import { readUrlSet } from '../../src/jobs/url-set.ts'
import { readRetryAfter } from '../../src/platform/egress/connections.ts'
import { PLATFORM_LIMITS } from '../../src/platform/limits.ts'
import { readSource } from '../../src/platform/source.ts'
import { captionUrls } from '../../src/platform/youtube/captions.ts'
import { hurdle, toObstacle } from '../../src/platform/youtube/hurdle.ts'
import { readCursor } from '../../src/platform/youtube/list-cursor.ts'
import { readListDate } from '../../src/platform/youtube/list-date.ts'
import { readListing } from '../../src/platform/youtube/listing.ts'
import { readPlayer } from '../../src/platform/youtube/player.ts'
import { readDate } from '../../src/platform/youtube/publish-date.ts'
import { readJson } from '../../src/platform/youtube/reply.ts'
import { oneLineSegments, renderSrt, renderVtt } from '../../src/transcripts/formats.ts'
import { renderParagraphs } from '../../src/text/paragraphs.ts'
import { readTimedtext } from '../../src/transcripts/timedtext.ts'
import type { Segment } from '../../src/transcripts/transcript.ts'

export type Parser = {
  name: string
  /** In characters: what reaches it is never longer. */
  charsMax: number
  read(text: string): unknown
  /** Text before and behind what is repeated; the empty text is always tried too. */
  heads: readonly string[]
  tails: readonly string[]
  /** What is repeated; two of them are also tried in turns. */
  pumps: readonly string[]
}

const JSON_REPLY = PLATFORM_LIMITS.replyBytesMax
/** Of captions that are read in the main thread. */
const CAPTIONS = PLATFORM_LIMITS.captionsHereBytesMax
const BLANKS = [' ', '\t', '\u00a0', ', ', ' ,']
const MARKS = ['\u0301', '\u0316\u0301', '\ud800', 'é', '\u200b', '💬']

const request = (headers: Record<string, string>): FastifyRequest =>
  ({ headers }) as unknown as FastifyRequest
const wire = (url: string): Parameters<typeof readableUrl>[0] =>
  ({ url }) as Parameters<typeof readableUrl>[0]

const HEADERS: Omit<Parser, 'charsMax'>[] = [
  {
    name: 'Prefer',
    read: (text) => preferredWaitMs(request({ prefer: text })),
    heads: ['wait=', ',', 'wait'],
    tails: ['x', '"'],
    pumps: [...BLANKS, 'wait', 'wait =', '=', '"', ';', '1'],
  },
  {
    name: 'Accept-Encoding',
    read: (text) => acceptedEncoding(text, ['zstd', 'br', 'gzip']),
    heads: ['gzip;q='],
    tails: ['x'],
    pumps: [...BLANKS, ';', 'q=0.', '0', '*', ';q='],
  },
  {
    name: 'If-None-Match',
    read: (text) => matchesEtag(text, '"abc"'),
    heads: ['W/"', '"'],
    tails: ['x', '"'],
    pumps: [...BLANKS, '"', 'W/', 'W/"', 'a'],
  },
  {
    name: 'Range',
    read: (range) => readRange({ range, ifRange: undefined }, { sizeBytes: 10, etag: '"a"' }),
    heads: ['bytes=', 'bytes=0-'],
    tails: ['x'],
    pumps: [...BLANKS, '0', '-', '0-'],
  },
  {
    name: 'Retry-After',
    read: (text) => readRetryAfter(text, new Date(0)),
    heads: ['1'],
    tails: ['x'],
    pumps: [...BLANKS, '1', '(', ':', 'Mon, '],
  },
  {
    name: 'a bearer key',
    read: looksLikeKey,
    heads: ['sk_'],
    tails: ['!'],
    pumps: [...BLANKS, 'a', '_'],
  },
  {
    name: 'a target',
    read: (text) => readableUrl(wire(text)),
    heads: ['http://', '/'],
    tails: ['?', '%'],
    pumps: ['/', '%', '%2f', '?', '#', 'a/'],
  },
  {
    name: 'a file name',
    read: readFileName,
    heads: ['1'],
    tails: ['.txt', '!'],
    pumps: ['1', '.', '1.', 'a'],
  },
]

const lines = (text: string): unknown => {
  try {
    return readJobRequest({ urls: text })
  } catch (problem) {
    return problem
  }
}

const BODIES: Omit<Parser, 'charsMax'>[] = [
  {
    name: 'a URL line',
    read: readSource,
    heads: ['https://youtube.com/', 'vnd.youtube:', 'https://www.youtube.com/redirect?q='],
    tails: ['a', ')', '#watch?v='],
    pumps: [
      ')',
      '(',
      '<',
      '\'"',
      ' ',
      '&amp;',
      '%',
      '/',
      '?v=',
      '#',
      'vnd.youtube:',
      '.',
      'a:',
      '\u200b',
      '@',
      ...MARKS,
    ],
  },
  {
    name: 'urls of a job',
    read: lines,
    heads: ['https://youtu.be/jNQXAC9IVRw\n'],
    tails: ['a'],
    pumps: ['\n', '\r\n', 'a\n', ' ', ' \u2028', ')', 'https://youtu.be/jNQXAC9IVRw\n', ...MARKS],
  },
  {
    name: 'a URL set',
    read: (text) => readUrlSet(text),
    heads: ['a'],
    tails: ['a'],
    pumps: ['\n', 'a\n', 'ab\n', '\r\n', ' '],
  },
  {
    name: 'dates',
    read: (text) => readDateBounds({ publishedAfter: text, publishedBefore: text }),
    heads: ['2026-01-01T00:00'],
    tails: ['Z', 'x'],
    pumps: ['0', ':00', '.', '-', '+', ' '],
  },
  { name: 'an amount', read: parseUsd, heads: ['1.'], tails: ['x'], pumps: ['0', '.', '1', ','] },
]

const listed = (items: string): string =>
  `{"contents":{"twoColumnBrowseResultsRenderer":{"tabs":[{"tabRenderer":{"content":{"richGridRenderer":{"contents":[${items}0]}}}}]}}}`
const json =
  (read: (value: unknown) => unknown) =>
  (text: string): unknown => {
    const answer = readJson({ kind: 'body', text })
    return answer.kind === 'json' ? read(answer.value) : answer
  }

const REPLIES: Parser[] = [
  {
    name: 'a list page',
    charsMax: JSON_REPLY,
    read: (text) => json(readListing)(listed(text)),
    heads: [],
    tails: [],
    pumps: [
      '{},',
      '0,',
      '{"gridRenderer":{"items":[{}]}},',
      '{"videoRenderer":{"videoId":"abcdefghijk"}},',
      '{"shortsLockupViewModel":{"entityId":"shorts-shelf-item-abcdefghijk"}},',
      '{"lockupViewModel":{"contentId":"abcdefghijk","metadata":{"lockupMetadataViewModel":{"metadata":{"contentMetadataViewModel":{"metadataRows":[{"metadataParts":[{"text":{"content":"streamed on on on"}}]}]}}}}}},',
    ],
  },
  {
    name: 'JSON',
    charsMax: JSON_REPLY,
    read: json((value) => [readPlayer(value, ''), readDate(value, ''), readListing(value)]),
    heads: [
      '{"playabilityStatus":{"status":"ERROR","reason":"',
      '{"alerts":[{"alertRenderer":{"type":"ERROR","text":{"runs":[',
    ],
    tails: ['"}}', ']}}}]}'],
    pumps: ['[', '{"a":', ' ', '\\u0301', 'a', '{},', '0,', '’', '.'],
  },
  {
    name: 'a cursor',
    charsMax: 65_536,
    read: (text) => {
      try {
        return readCursor(text)
      } catch {
        return null
      }
    },
    heads: ['{"parts":'],
    tails: ['}'],
    pumps: ['[', '{"a":', ' ', '"', '1'],
  },
  {
    name: 'a date in words',
    charsMax: 2_000,
    read: (text) => readListDate(text, new Date(0)),
    heads: ['streamed ', '1 day', 'jan 1'],
    tails: ['ago', '!'],
    pumps: [' ', 'on ', '1', 'a', '/', ', '],
  },
  {
    name: 'a sentence of the platform',
    charsMax: 2_000,
    read: (said) => toObstacle(hurdle('unknown', { said })),
    heads: ['http://'],
    tails: [' '],
    pumps: ['http', 'http://', ':', ' ', 'https://a '],
  },
  {
    name: 'a title',
    charsMax: 2_000,
    read: (title) => stemOf({ index: 1, title, videoId: null }, 'title'),
    heads: ['a'],
    tails: ['a'],
    pumps: [' ', '.', ' .', '/', ' / ', '\u200b ', '\u200d', '\u202e', ...MARKS],
  },
  {
    name: 'an address of captions',
    charsMax: 16_384,
    read: captionUrls,
    heads: ['https://www.youtube.com/api/timedtext?', 'https://'],
    tails: ['&fmt=srv3'],
    pumps: ['a', '.', 'a.', '&xosf=1', '%', '-'],
  },
]

const EVENTS = '{"wireMagic":"pb3","events":['
const TEXT = `${EVENTS}{"tStartMs":1,"segs":[{"utf8":"`

const one =
  (render: (segments: Segment[]) => string) =>
  (text: string): string =>
    render(oneLineSegments([{ startMs: 0, endMs: 1, text }]))

/** Each form of a long cue is written in a turn of its own. */
const FORMS: Omit<Parser, 'charsMax'>[] = [
  {
    name: 'the text form',
    read: one(renderParagraphs),
    heads: ['a.'],
    tails: ['a'],
    pumps: ['a', ' ', '. ', '.) ', '>> ', '. A ', ')', '\u0001', ' \u2028', '\ud800'],
  },
  {
    name: 'SubRip',
    read: one(renderSrt),
    heads: ['<'],
    tails: ['>'],
    pumps: ['<', '<3', '-->', '--', '{', '{\\', '\\n', '>', '< '],
  },
  { name: 'WebVTT', read: one(renderVtt), heads: ['<'], tails: ['>'], pumps: ['<', '&', '-->'] },
]

const CAPTION_TEXTS: Omit<Parser, 'charsMax' | 'read'>[] = [
  {
    name: 'json3',
    heads: [EVENTS, '{"events":[', '{"wireMagic":"pb3"'],
    tails: ['0]}', '}'],
    pumps: [
      '{"tStartMs":1,"segs":[{"utf8":"a"}]},',
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

export const PARSERS: readonly Parser[] = [
  ...HEADERS.map((header) => ({ charsMax: LIMITS.headerBytes, ...header })),
  ...BODIES.map((body) => ({ charsMax: LIMITS.bodyBytes, ...body })),
  ...REPLIES,
  ...CAPTION_TEXTS.map((captions) => ({
    charsMax: CAPTIONS,
    read: (text: string) => readTimedtext(text, 'asr'),
    ...captions,
  })),
  ...FORMS.map((form) => ({ charsMax: CAPTIONS, ...form })),
]

/** Inputs of a parser by a rule each: `make(n)` is about n characters long. `isThorough`: every two things in turns. */
export function* shapesOf(
  { heads, tails, pumps }: Parser,
  isThorough: boolean,
): Iterable<{ name: string; make(chars: number): string }> {
  const repeated = isThorough
    ? pumps.flatMap((one) => pumps.map((other) => (one === other ? one : one + other)))
    : pumps
  for (const head of isThorough ? ['', ...heads] : [heads[0] ?? '']) {
    for (const tail of isThorough ? ['', ...tails] : ['', tails[0] ?? '']) {
      for (const pump of repeated) {
        const name = JSON.stringify([head.slice(-20), pump.slice(0, 30), tail])
        yield {
          name,
          make: (chars) =>
            head +
            pump.repeat(
              Math.max(1, Math.floor((chars - head.length - tail.length) / pump.length)),
            ) +
            tail,
        }
      }
    }
  }
}

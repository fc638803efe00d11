/** Parsers of the platform's replies, captions apart. */
import { stemOf } from '../../src/model/files/file-names.ts'
import { PLATFORM_LIMITS } from '../../src/platform/limits.ts'
import { captionUrls } from '../../src/platform/youtube/captions.ts'
import { obstacle, describeObstacle } from '../../src/platform/youtube/obstacle.ts'
import { readCursor } from '../../src/platform/youtube/list-cursor.ts'
import { readListDate } from '../../src/platform/youtube/list-date.ts'
import { readListing } from '../../src/platform/youtube/listing.ts'
import { readPlayer } from '../../src/platform/youtube/player.ts'
import { readDate } from '../../src/platform/youtube/publish-date.ts'
import { readJson } from '../../src/platform/youtube/reply.ts'
import { MARKS, type Parser } from './parser.ts'

const JSON_REPLY = PLATFORM_LIMITS.replyBytesMax

const listed = (items: string): string =>
  `{"contents":{"twoColumnBrowseResultsRenderer":{"tabs":[{"tabRenderer":{"content":{"richGridRenderer":{"contents":[${items}0]}}}}]}}}`
const json =
  (read: (value: unknown) => unknown) =>
  (text: string): unknown => {
    const answer = readJson({ kind: 'body', bytes: Buffer.from(text) })
    return answer.kind === 'json' ? read(answer.value) : answer
  }

export const REPLIES: Parser[] = [
  {
    name: 'a list page',
    charsMax: JSON_REPLY,
    read: (text) => json((value) => readListing(value, 'tab'))(listed(text)),
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
    read: json((value) => [
      readPlayer(value, ''),
      readDate(value, ''),
      readListing(value, 'playlist'),
    ]),
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
    read: (said) => describeObstacle(obstacle('unknown', { said })),
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
    pumps: [' ', '.', ' .', '/', ' / ', '\u200b ', '\u200d', '\u202e', '\u3164', ...MARKS],
  },
  {
    name: 'an address of captions',
    charsMax: 16_384,
    read: (text) => [...captionUrls(text)],
    heads: ['https://www.youtube.com/api/timedtext?', 'https://'],
    tails: ['&fmt=srv3'],
    pumps: ['a', '.', 'a.', '&xosf=1', '%', '-'],
  },
]

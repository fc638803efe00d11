/** Every parser that meets outside text. */
import { LIMITS } from '../../src/config/config.ts'
import { PLATFORM_LIMITS } from '../../src/platform/limits.ts'
import { readTimedtext } from '../../src/model/transcripts/timedtext.ts'
import type { Parser } from './parser.ts'
import { CAPTION_TEXTS, FORMS } from './caption-parsers.ts'
import { REPLIES } from './reply-parsers.ts'
import { BODIES, HEADERS } from './request-parsers.ts'
import { HEADER_BYTES } from '../../src/kit/http/bare-app.ts'

/** Most bytes of captions that are read in the main thread. */
const CAPTIONS = PLATFORM_LIMITS.captionsHereBytesMax

export const PARSERS: readonly Parser[] = [
  ...HEADERS.map((header) => ({ charsMax: HEADER_BYTES, ...header })),
  ...BODIES.map((body) => ({ charsMax: LIMITS.bodyBytes, ...body })),
  ...REPLIES,
  ...CAPTION_TEXTS.map((captions) => ({
    charsMax: CAPTIONS,
    read: (text: string) => readTimedtext(Buffer.from(text), 'asr'),
    ...captions,
  })),
  ...FORMS.map((form) => ({ charsMax: CAPTIONS, ...form })),
]

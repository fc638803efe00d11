/**
 * A page of a transcript as agents read it: a head that says where it ends, an empty line, and the text; and the same
 * facts as fields, since clients show their model the one or the other.
 */
import { ROW_INDEX_MAX } from '../model/files/addresses.ts'
import { type Static, Type } from 'typebox'
import type { ApiContext } from '../api/api-context.ts'
import { closedObject } from '../api/contract.ts'
import { readVideo } from '../features/library/read-library.ts'
import { textsOf } from '../features/transcripts/read-stored.ts'
import { type ReadTranscript, readTranscript } from '../features/transcripts/read-transcripts.ts'
import { Problem } from '../kit/problem.ts'
import { AnsweredPage } from './answers.ts'
import type { GivenAnswer } from './tool.ts'
import { oneLine } from '../model/transcripts/one-line.ts'

/** Characters of one page of a transcript: clients cut an answer at about 25,000 tokens. */
const MCP_PAGE_CHARS = { default: 20_000, max: 60_000 } as const

/** The fields by which a tool is asked for a page. */
export const PageFields = {
  cursor: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  maxChars: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MCP_PAGE_CHARS.max,
      default: MCP_PAGE_CHARS.default,
    }),
  ),
  timestamps: Type.Optional(Type.Boolean({ default: false })),
  words: Type.Optional(Type.Boolean({ default: false, description: 'Times of words' })),
}
const Page = closedObject(PageFields)
type AskedPage = Static<typeof Page>

/** The row of a job whose text is read. */
type TextRow = { accountId: string; jobId: string; index: number }

/** Returns the page; null where there is no such text. Throws where the cursor is behind the end. */
export async function readTextPage(
  ctx: ApiContext,
  row: TextRow,
  asked: AskedPage,
): Promise<AnsweredPage | null> {
  const { cursor: from = 0, maxChars: charsMax = MCP_PAGE_CHARS.default } = asked
  const hasWords = asked.words ?? false
  // Without times of words the lines have theirs, so that all pages count in one form.
  const isTimed = hasWords || (asked.timestamps ?? false)
  const read = await readWherever(ctx, { ...row, isTimed, hasWords, from, charsMax })
  if (read === null) return null
  const { title, page, total } = read
  if (page === null) {
    throw new Problem('invalid_request', {
      field: 'cursor',
      message: `cursor ${from} is behind the end: the text has ${total} characters.`,
    })
  }
  return {
    jobId: row.jobId,
    index: row.index,
    title,
    from: page.from,
    to: page.to,
    total,
    nextCursor: page.to >= total ? null : page.to,
    ...(hasWords ? { notices: [read.hasWords ? WORD_FORM : WITHOUT_WORDS] } : {}),
    text: page.text,
  }
}

/** Returns the page in both forms, with these lines and fields about it. */
export function textPageAnswer<More extends object>(
  page: AnsweredPage,
  { lines = [], more }: { lines?: string[]; more: More },
): GivenAnswer<AnsweredPage & More> {
  const { index, from, to, total, nextCursor, notices = [], text } = page
  const name = page.title === null ? 'without title' : oneLine(page.title)
  const next = nextCursor === null ? 'the end' : `next cursor ${nextCursor}`
  const head = `${index}, ${name}, characters ${from} to ${to} of ${total}, ${next}`
  return {
    content: [{ type: 'text', text: [head, ...lines, ...notices, '', text].join('\n') }],
    structuredContent: { ...page, ...more },
  }
}

const WORD_FORM =
  'Lines are start-end and words, in seconds. A word is followed by @ and its start; the first one starts with its line. ' +
  'A word ends where the next one or the line does; lines without @ have no times of words.'
const WITHOUT_WORDS =
  'No times of words are kept of this text: the platform published none, or it was fetched by an earlier release. Lines have their times.'

/** Reads the row's own text, or the one that the account has of its video already. */
async function readWherever(
  ctx: ApiContext,
  ask: Parameters<typeof readTranscript>[1],
): Promise<ReadTranscript | null> {
  if (ask.index > ROW_INDEX_MAX) return null
  const source = textsOf(ctx, ask.accountId)
  const own = await readTranscript(source, ask)
  if (own !== null) return own
  const row = await readVideo(ctx.db, ask)
  return row?.text == null ? null : readTranscript(source, { ...ask, ...row.text })
}

/** GET /search/mentions and /search/mentions.csv: every place where something is said, and how often (an extension). */
import { Readable } from 'node:stream'
import { type FastifyPluginAsyncTypebox, type Static, Type } from '@fastify/type-provider-typebox'
import { contentDisposition } from '../../kit/http/content.ts'
import { onceClosed } from '../../kit/once-closed.ts'
import { csvHead, csvLine, type Separator } from '../../kit/text/csv.ts'
import type { MentionRow } from '../../features/search/answers.ts'
import { mentionsFileName } from '../../model/files/file-names.ts'
import { pageInfo } from '../../kit/page.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { answer } from '../contract.ts'
import { type MentionSchema, MentionsPage } from './answers.ts'
import { AllMentionsFields, MentionsFields } from './schema.ts'
import { mentionsQuestion, urlAt } from './question.ts'
import { fileRequest, type FileRequest, sendPieces } from '../send.ts'

const ABOUT =
  'A mention is a place where a word or phrase of the query is said, in a transcript that has all of them; words of the query ' +
  'that overlap there are one mention. They come newest video first, and in it in the order in which they are said.'

const schema = {
  summary: 'List every mention of something in your transcripts, and count them',
  description: `${ABOUT} The counts are of all mentions, not of the page. Words that are said more than 2,000,000 times are not counted (400).`,
  operationId: 'listMentions',
  tags: ['Search'],
  querystring: MentionsFields,
  response: {
    200: answer(
      MentionsPage,
      'A page of mentions, with all mentions counted by video, channel and month',
    ),
  },
}

const csvSchema = {
  summary: 'Download every mention of something in your transcripts as CSV',
  description:
    `${ABOUT} One line for each, without a limit: \`title, channel, published, language, seconds, quote, url, videoId, channelId\`, in UTF-8 with a byte ` +
    'order mark, made while it is sent. Where it cannot be finished, the connection is cut, so that a part is never taken for all.',
  operationId: 'getMentionsCsv',
  tags: ['Search'],
  querystring: AllMentionsFields,
  response: {
    200: {
      description: 'All mentions, a line for each',
      content: { 'text/csv': { schema: Type.String() } },
    },
  },
}

export function mentionRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/search/mentions', { schema, config: READING }, async (request) => {
      const question = mentionsQuestion(request.query)
      const found = await ctx.search.mentions(accountOf(request), question)
      const { total, mentions: listed, ...counted } = found
      const mentions = listed.map(presentMention)
      return { ...counted, ...pageInfo(question, total), mentions }
    })
    app.get('/search/mentions.csv', { schema: csvSchema, config: READING }, (request, reply) =>
      sendMentionsCsv(
        fileRequest(ctx, { accountId: accountOf(request), request, reply }),
        request.query,
      ),
    )
  }
}

function presentMention({ url, ...mention }: MentionRow): Static<typeof MentionSchema> {
  const text = mention.snippet.map((piece) => piece.text).join('')
  return { ...mention, text, url: urlAt({ url, startMs: mention.startMs }) }
}

/** Sends all mentions; also used by the website, behind its cookie. */
export async function sendMentionsCsv(
  to: FileRequest,
  asked: Static<typeof AllMentionsFields>,
): Promise<void> {
  const { accountId, request, reply, downloads, search } = to
  const question = mentionsQuestion(asked)
  downloads.begin(accountId, reply)
  // Nothing is read for HEAD.
  const pieces = request.method === 'HEAD' ? null : await search.streamMentions(accountId, question)
  // Who left while the index was brought up to date gives the stream back, too.
  onceClosed(reply.raw, () => void pieces?.return())
  reply.headers({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': contentDisposition(mentionsFileName(asked.q)),
  })
  const bytes = pieces === null ? [] : csvOf(pieces, asked.separator)
  await sendPieces(Readable.from(bytes, { objectMode: false, highWaterMark: CSV_BYTES }), to)
}

/** Bytes that wait for a slow reader. */
const CSV_BYTES = 65_536
/** Number of lines that are written in one go. */
const CSV_LINES = 200
const COLUMNS = 'title channel published language seconds quote url videoId channelId'.split(' ')

async function* csvOf(
  pieces: AsyncIterable<MentionRow[]>,
  separator?: Separator,
): AsyncGenerator<Buffer, void> {
  yield Buffer.from(csvHead(COLUMNS, { bom: true, separator }))
  for await (const mentions of pieces) {
    for (let from = 0; from < mentions.length; from += CSV_LINES)
      yield Buffer.from(
        mentions
          .slice(from, from + CSV_LINES)
          .map((mention) => mentionLine(mention, separator))
          .join(''),
      )
  }
}

/** Returns a mention as a line of the CSV. */
export function mentionLine(mention: MentionRow, separator?: Separator): string {
  const { title, channelName, publishedAt, languageCode, startMs, text, url, videoId, channelId } =
    presentMention(mention)
  const cells = [
    title ?? '',
    channelName ?? '',
    publishedAt ?? '',
    languageCode,
    String(Math.floor(startMs / 1000)),
    text,
    url,
    videoId,
    channelId ?? '',
  ]
  return csvLine(cells, separator)
}

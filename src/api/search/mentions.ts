/** GET /search/mentions and /search/mentions.csv: every place where something is said, and how often (an extension). */
import { Readable } from 'node:stream'
import { type FastifyPluginAsyncTypebox, type Static, Type } from '@fastify/type-provider-typebox'
import { contentDisposition } from '../../kit/http/content.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../kit/text/csv.ts'
import type { MentionRow } from '../../features/search/answers.ts'
import { mentionsFileName } from '../../model/files/file-names.ts'
import { pageInfo } from '../../kit/page.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, READING } from '../auth.ts'
import { answer, nullable, pageOf } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'
import { AllMentionsFields, MentionsFields } from './schema.ts'
import { mentionsQuestion, urlAt } from './question.ts'
import { fileRequest, type FileRequest, sendPieces } from '../send.ts'
import { Snippet } from './routes.ts'

const Mention = Type.Object(
  {
    jobId: JobId,
    index: Type.Integer({
      minimum: 1,
      description: 'Index of the video in the job that delivered it',
    }),
    videoId: Type.String(),
    title: nullable(Type.String()),
    channelName: nullable(Type.String()),
    channelId: nullable(Type.String()),
    publishedAt: nullable(Type.String()),
    languageCode: Type.String(),
    startMs: Type.Integer({ description: 'When it is said' }),
    text: Type.String({ description: 'What is said in the ten seconds around it' }),
    snippet: Snippet,
    url: Type.String({ format: 'uri', description: 'The video, from that second on' }),
  },
  { title: 'Mention' },
)

const counts = { transcripts: Type.Integer(), mentions: Type.Integer() }

const Answer = Type.Object(
  {
    indexed: Type.Integer({ description: 'Transcripts that were searched' }),
    owned: Type.Integer({
      description: 'Transcripts delivered to the account; above `indexed` while more are added',
    }),
    transcripts: Type.Integer({ description: 'Transcripts in which it is said' }),
    ...pageOf('mentions', Mention),
    videos: Type.Array(
      Type.Object({
        jobId: JobId,
        index: Type.Integer({ minimum: 1 }),
        videoId: Type.String(),
        title: nullable(Type.String()),
        channelName: nullable(Type.String()),
        mentions: Type.Integer(),
      }),
      { description: 'Mentions of each video, most first; at most 50 videos' },
    ),
    channels: Type.Array(
      Type.Object({
        channelName: nullable(Type.String()),
        channelId: nullable(Type.String()),
        ...counts,
      }),
      { description: 'Mentions of each channel, most first; at most 50 channels' },
    ),
    months: Type.Array(
      Type.Object({
        month: nullable(Type.String({ description: 'YYYY-MM, UTC', examples: ['2026-03'] })),
        ...counts,
      }),
      { description: 'Mentions of each month of publication, in order; null: of unknown date' },
    ),
  },
  { title: 'Mentions' },
)

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
      Answer,
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
    app.get('/search/mentions', { schema, config: READING }, async (request, reply) => {
      const question = mentionsQuestion(request.query)
      const found = await ctx.search.mentions(accountOf(request), question)
      const { total, mentions: listed, ...counted } = found
      const mentions = listed.map(presentMention)
      reply.header('Cache-Control', 'no-store')
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

function presentMention({ url, ...mention }: MentionRow): Static<typeof Mention> {
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
  const leave = (): void => void pieces?.return()
  // Who left while the index was brought up to date gives the stream back, too.
  if (reply.raw.destroyed) leave()
  else reply.raw.once('close', leave)
  reply.headers({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': contentDisposition(mentionsFileName(asked.q)),
    'Cache-Control': 'no-store',
  })
  const bytes = pieces === null ? [] : csvOf(pieces)
  await sendPieces(Readable.from(bytes, { objectMode: false, highWaterMark: CSV_BYTES }), to)
}

/** Bytes that wait for a slow reader. */
const CSV_BYTES = 65_536
/** Number of lines that are written in one go. */
const CSV_LINES = 200
const COLUMNS = 'title channel published language seconds quote url videoId channelId'.split(' ')

async function* csvOf(pieces: AsyncIterable<MentionRow[]>): AsyncGenerator<Buffer, void> {
  yield Buffer.from(BYTE_ORDER_MARK + csvLine(COLUMNS))
  for await (const mentions of pieces) {
    for (let from = 0; from < mentions.length; from += CSV_LINES)
      yield Buffer.from(
        mentions
          .slice(from, from + CSV_LINES)
          .map(mentionLine)
          .join(''),
      )
  }
}

/** Returns a mention as a line of the CSV. */
export function mentionLine(mention: MentionRow): string {
  const { title, channelName, publishedAt, languageCode, startMs, text, url, videoId, channelId } =
    presentMention(mention)
  return csvLine([
    title ?? '',
    channelName ?? '',
    publishedAt ?? '',
    languageCode,
    String(Math.floor(startMs / 1000)),
    text,
    url,
    videoId,
    channelId ?? '',
  ])
}

/** Answers of searches: hits and mentions, with counts by channel and month. */
import { type TProperties, Type } from 'typebox'
import { nullable, pageOf } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'

const Snippet = Type.Array(Type.Object({ text: Type.String(), isMatch: Type.Boolean() }), {
  description: 'What is said in the ten seconds around it, in pieces: those that match are marked',
})

/** The text in which something is said: the head of hits and mentions. */
const SAID_IN = {
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
}
const opened = {
  url: Type.String({ format: 'uri', description: 'The video, from that second on' }),
}
/** Part of what the account owns that was searched. */
const SEARCHED = {
  indexed: Type.Integer({ description: 'Transcripts that were searched' }),
  owned: Type.Integer({
    description: 'Transcripts delivered to the account; above `indexed` while more are added',
  }),
}

/** Returns counts by channel and by month; `counts` are the fields that are counted. */
function countedBy(counts: TProperties, words: { channels: string; months: string }) {
  const { channels, months } = words
  const month = nullable(
    Type.String({
      description: 'YYYY-MM, by the platform’s clock as in `publishedAt`',
      examples: ['2026-03'],
    }),
  )
  const channel = {
    channelName: nullable(Type.String()),
    channelId: nullable(Type.String()),
  }
  return {
    channels: Type.Array(Type.Object({ ...channel, ...counts }), { description: channels }),
    months: Type.Array(Type.Object({ month, ...counts }), { description: months }),
  }
}

export const HitSchema = Type.Object(
  {
    ...SAID_IN,
    startMs: Type.Integer({ description: 'When the first marked words are said' }),
    snippet: Snippet,
    mentions: Type.Integer({ description: 'How often the words are said in this transcript' }),
    ...opened,
  },
  { title: 'SearchHit' },
)

export const HitsPage = Type.Object(
  {
    ...SEARCHED,
    ...pageOf('hits', HitSchema),
    ...countedBy(
      { count: Type.Integer() },
      {
        channels: 'Hits of each channel, most first; at most 50 channels',
        months: 'Hits of each month of publication, in order; null: of unknown date, first',
      },
    ),
  },
  { title: 'SearchResults' },
)

export const MentionSchema = Type.Object(
  {
    ...SAID_IN,
    startMs: Type.Integer({ description: 'When it is said' }),
    text: Type.String({ description: 'What is said in the ten seconds around it' }),
    snippet: Snippet,
    ...opened,
  },
  { title: 'Mention' },
)

const { jobId, videoId, title, channelName } = SAID_IN

export const MentionsPage = Type.Object(
  {
    ...SEARCHED,
    transcripts: Type.Integer({ description: 'Transcripts in which it is said' }),
    ...pageOf('mentions', MentionSchema),
    videos: Type.Array(
      Type.Object({
        jobId,
        index: Type.Integer({ minimum: 1 }),
        videoId,
        title,
        channelName,
        mentions: Type.Integer(),
      }),
      { description: 'Mentions of each video, most first; at most 50 videos' },
    ),
    ...countedBy(
      { transcripts: Type.Integer(), mentions: Type.Integer() },
      {
        channels: 'Mentions of each channel, most first; at most 50 channels',
        months: 'Mentions of each month of publication, in order; null: of unknown date',
      },
    ),
  },
  { title: 'Mentions' },
)

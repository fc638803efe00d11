/** The contract of previews: what their routes answer. */
import { Type } from 'typebox'
import { DateTime, nullable, optionalInteger, Usd, wordOf } from '../contract.ts'
import { LIMITS } from '../../config/config.ts'
import { EchoedInput, JobBody } from '../jobs/schema.ts'

export const PreviewId = Type.String({
  pattern: '^[\\w-]{1,40}$',
  description: 'Preview id, as POST /previews returned it',
  examples: ['prv_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11'],
})

/** An order of up to fifty lines, of which a job or a batch takes so many videos. */
export const PreviewBody = Type.Object(
  {
    ...JobBody.properties,
    maxVideos: optionalInteger({
      minimum: 1,
      maximum: LIMITS.batchVideosMax,
      default: LIMITS.videosMax,
      description: `Most videos to process; more than ${LIMITS.videosMax} are of a batch. The balance may lower it`,
    }),
  },
  { additionalProperties: false, title: 'PreviewRequest' },
)

const PreviewSource = Type.Object(
  {
    line: Type.String({ description: 'The line, as in `input.urls`' }),
    kind: wordOf(['video', 'playlist', 'channel']),
    title: nullable(Type.String()),
    channelName: nullable(Type.String()),
    pictureUrl: nullable(
      Type.String({ format: 'uri' }),
      'A still of the video, or of the first video in the list',
    ),
    videos: nullable(
      Type.Integer(),
      'How many videos the list holds, as the platform says; null while it is unknown',
    ),
    isComplete: Type.Boolean({
      description:
        'All of the list that a job would read now was read; otherwise the rest is estimated, or the platform shows only a part of it, as `error` says',
    }),
    newestAt: nullable(DateTime, 'Date of the newest listed video, as far as the list tells'),
    oldestAt: nullable(DateTime),
    delivered: Type.Integer({
      description: 'Listed videos that an earlier job with exactly these URLs delivered: free',
    }),
    owned: Type.Integer({
      description:
        'Videos of this line that the account already owns from any order, in the requested ' +
        'language; beyond what was read of a list, as far as the library knows',
    }),
    ownedFrom: Type.Optional(
      Type.Object(
        { jobId: Type.String(), since: DateTime },
        { description: 'The latest other order that brought some of them, where one did' },
      ),
    ),
    knownNegative: Type.Integer({
      description: 'Listed videos for which an earlier job with these URLs got a definite no',
    }),
    wouldTake: Type.Integer({
      description: 'Videos of this line that a job started now would try',
    }),
    error: nullable(
      Type.String(),
      'Why the line could not be read, or not further. Never set for a list that is merely empty',
    ),
  },
  { title: 'PreviewSource' },
)

export const Preview = Type.Object(
  {
    id: PreviewId,
    state: wordOf(['listing', 'ready'], {
      description: 'While `listing`, sources are filled in as they are read, for a minute at most',
    }),
    createdAt: DateTime,
    expiresAt: Type.String({ format: 'date-time', description: 'It is deleted after this' }),
    input: EchoedInput,
    sources: Type.Array(PreviewSource, { description: 'One for each line, in the order given' }),
    wouldTake: Type.Integer({ description: 'Videos that a job started now would try' }),
    unchanged: Type.Integer({
      description:
        'Videos of all lines, each counted once, that a job started now would return as `unchanged`, free, since the account has them',
    }),
    costAtMost: Usd,
    costExpected: Usd,
    costAgain: {
      ...Usd,
      description:
        'The part of `costAtMost` for videos that the account already owns from other orders; 0 with `owned=skip`, which leaves them out',
    },
    notices: Type.Array(Type.String()),
  },
  { title: 'Preview' },
)

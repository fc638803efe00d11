/**
 * The shapes of what tools answer, closed: a field that stands in none of them fails the tests. What agents are shown
 * of them is in tool.ts.
 */
import { type Static, type TProperties, Type } from 'typebox'
import { closedObject, nullable } from '../api/contract.ts'
import { ROW_STATUSES } from '../model/jobs/video-row.ts'

const text = Type.String()
const count = Type.Integer()
const maybe = Type.Optional(text)
const texts = Type.Array(text)
/** Facts that are left out where they are not known. */
const NAMED = { title: maybe, channelName: maybe, publishedAt: maybe, languageCode: maybe }

/** What is left to spend; the second only for an app or a limited key. */
export const MoneyFields = { balanceUsd: text, monthlyCapLeftUsd: maybe }

export const BalanceAnswer = closedObject({
  balance: text,
  balanceMicros: count,
  currency: text,
  pricePerTranscript: text,
  affordableTranscripts: count,
  monthlyCapLeftUsd: maybe,
})

/** A job as agents see it: what they decide by, in a tenth of the words of the API's Job. */
export const JobFields = {
  jobId: text,
  state: text,
  isFinal: Type.Boolean(),
  delivered: count,
  title: text,
  note: maybe,
  createdAt: text,
  urls: texts,
  urlCount: count,
  maxVideos: count,
  processed: count,
  counts: Type.Record(text, count),
  reservedUsd: maybe,
  chargedUsd: maybe,
  error: maybe,
}
export const JobAnswer = closedObject({ ...JobFields, next: text })
export const StartedAnswer = closedObject({
  ...JobFields,
  next: text,
  notices: Type.Optional(texts),
  ...MoneyFields,
})
export const CancelledAnswer = closedObject({ ...JobFields, wasFinal: Type.Boolean() })

/** Returns a page of a list, with more fields about the whole. */
export function listAnswer<Items extends TProperties>(fields: Items) {
  const nextOffset = nullable(count)
  return closedObject({ ...fields, total: count, nextOffset, offset: count, limit: count })
}

const Finding = closedObject({
  line: text,
  kind: text,
  ...NAMED,
  videos: Type.Optional(count),
  newestAt: maybe,
  oldestAt: maybe,
  error: maybe,
  isComplete: Type.Boolean(),
  delivered: count,
  owned: count,
  wouldTake: count,
})
export const PreviewFields = {
  previewId: text,
  state: text,
  wouldTake: count,
  unchanged: count,
  costAtMostUsd: text,
  costExpectedUsd: text,
  costAgainUsd: maybe,
  sourceCount: count,
  sources: Type.Array(Finding),
  notices: Type.Optional(texts),
}
export const PreviewAnswer = closedObject({ ...PreviewFields, ...MoneyFields })

export const JobsAnswer = listAnswer({ jobs: Type.Array(closedObject(JobFields)) })

export const ResultsAnswer = listAnswer({
  jobId: text,
  state: text,
  complete: Type.Boolean(),
  videos: Type.Array(
    closedObject({
      index: count,
      videoId: maybe,
      ...NAMED,
      status: Type.Enum([...ROW_STATUSES]),
      label: text,
      errorMessage: maybe,
      trackKind: maybe,
    }),
  ),
})

/** A page of a text, and where it stands in it: the fields of every page. */
export const PageAnswerFields = {
  jobId: text,
  index: count,
  title: nullable(text),
  from: count,
  to: count,
  total: count,
  nextCursor: nullable(count),
  notices: Type.Optional(texts),
  text,
}
export const AnsweredPage = closedObject(PageAnswerFields)
export type AnsweredPage = Static<typeof AnsweredPage>

/** A page with what it cost; or the job that fetches the text, or why there is none. */
export const TranscriptAnswer = closedObject({
  ...Type.Partial(Type.Object({ ...JobFields, ...PageAnswerFields })).properties,
  jobId: text,
  languageCode: maybe,
  balanceUsd: maybe,
  videoId: maybe,
  status: maybe,
  label: maybe,
  errorMessage: maybe,
  next: maybe,
})

export const SearchAnswerShape = closedObject({
  indexed: count,
  owned: count,
  total: count,
  mentions: nullable(count),
  nextOffset: nullable(count),
  hits: Type.Array(
    closedObject({
      jobId: text,
      index: count,
      ...NAMED,
      quote: text,
      startMs: count,
      mentions: count,
      url: text,
    }),
  ),
})

const CollectionFields = {
  collectionId: text,
  kind: text,
  known: count,
  delivered: count,
  noCaptions: count,
  failed: count,
  languages: texts,
  chargedUsd: text,
  title: maybe,
  remaining: Type.Optional(count),
  newestAt: maybe,
  oldestAt: maybe,
}

/** Channels and playlists, or one of them with its videos. */
export const LibraryAnswer = listAnswer({
  collections: Type.Optional(Type.Array(closedObject(CollectionFields))),
  videos: Type.Optional(
    Type.Array(
      closedObject({
        jobId: text,
        index: count,
        videoId: maybe,
        title: maybe,
        publishedAt: maybe,
        languageCode: maybe,
        durationSeconds: Type.Optional(count),
      }),
    ),
  ),
  ...Type.Partial(Type.Object(CollectionFields)).properties,
  toGet: Type.Optional(
    closedObject({ urls: texts, videos: Type.Optional(count), costAtMostUsd: maybe }),
  ),
})

const FollowedFields = {
  subscriptionId: text,
  url: text,
  state: text,
  monthlyCapUsd: text,
  spentThisMonthUsd: text,
  jobIds: texts,
  owned: maybe,
  title: maybe,
  notice: maybe,
  nextCheckAt: maybe,
}
export const FollowAnswer = closedObject({ ...FollowedFields, balanceUsd: text, next: text })
export const UnfollowAnswer = closedObject({ subscriptionId: text, isFollowed: Type.Boolean() })
export const FollowedAnswer = listAnswer({ followed: Type.Array(closedObject(FollowedFields)) })

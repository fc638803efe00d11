/** The tool `list_library`: what the account owns, by channel and playlist, and the videos of one. */
import { Type } from 'typebox'
import { closedObject, optionalText, pagingOf } from '../../api/contract.ts'
import { presentCollection, presentLibraryVideo } from '../../api/library/present.ts'
import {
  type GoesOn,
  readCollection,
  readCollections,
  readLibraryVideos,
} from '../../features/library/read-library.ts'
import { LIMITS } from '../../config/config.ts'
import { found } from '../../kit/problem.ts'
import { hasVisible } from '../../kit/text/invisible.ts'
import { formatUsd } from '../../model/money/money.ts'
import type { Collection } from '../../model/library/collection.ts'
import { countField, listAnswer, maybeText, textField, textList } from '../answers.ts'
import { INSTEAD, NO_COLLECTION } from '../next-steps.ts'
import { defineTool, jsonAnswer, READS, withoutNulls } from '../tool.ts'

const LISTED = 20
const MCP_LIBRARY_MAX = 100

const input = closedObject({
  collectionId: Type.Optional(Type.String()),
  q: optionalText({
    maxLength: LIMITS.resultsQueryChars,
    pattern: String.raw`^[^\u0000]*$`,
    description: 'In names or titles',
  }),
  ...pagingOf({ limit: LISTED, limitMax: MCP_LIBRARY_MAX }),
})

const CollectionFields = {
  collectionId: textField,
  kind: textField,
  known: countField,
  delivered: countField,
  noCaptions: countField,
  failed: countField,
  languages: textList,
  chargedUsd: textField,
  title: maybeText,
  remaining: Type.Optional(countField),
  newestAt: maybeText,
  oldestAt: maybeText,
}

/** Channels and playlists, or one of them with its videos. */
const output = listAnswer({
  collections: Type.Optional(Type.Array(closedObject(CollectionFields))),
  videos: Type.Optional(
    Type.Array(
      closedObject({
        jobId: textField,
        index: countField,
        videoId: maybeText,
        title: maybeText,
        publishedAt: maybeText,
        languageCode: maybeText,
        durationSeconds: Type.Optional(countField),
      }),
    ),
  ),
  ...Type.Partial(Type.Object(CollectionFields)).properties,
  toGet: Type.Optional(
    closedObject({ urls: textList, videos: Type.Optional(countField), costAtMostUsd: maybeText }),
  ),
})

export const listLibraryTool = defineTool({
  name: 'list_library',
  title: 'List the library',
  description: `Channels and playlists of which you own transcripts; with collectionId, your videos of it. ${INSTEAD.list_library}`,
  input,
  output,
  shows: ['collections', 'videos', 'nextOffset'],
  needs: ['transcripts:read'],
  hints: READS,
  async run({ collectionId, q = '', offset = 0, limit = LISTED }, { accountId }, { db }) {
    const text = hasVisible(q) ? q : null
    const ask = { accountId, offset, limit }
    if (collectionId === undefined) {
      const filter = { name: text, kind: null, sort: 'changed' as const }
      const { page, collections } = await readCollections(db, { ...ask, filter })
      return jsonAnswer({ ...page, collections: collections.map(summaryOfCollection) })
    }
    const of = { accountId, collectionId }
    const { collection, goesOn } = found(await readCollection(db, of), NO_COLLECTION)
    const filter = { statuses: ['success'], title: text, language: null }
    const { page, videos } = found(await readLibraryVideos(db, { ...ask, ...of, filter }))
    return jsonAnswer({
      ...summaryOfCollection(collection),
      ...(goesOn === null ? {} : { toGet: orderOf(goesOn) }),
      ...page,
      videos: videos.map((video) => briefVideo(presentLibraryVideo(video))),
    })
  },
})

function summaryOfCollection(collection: Collection) {
  const { id, charged, languages, ...rest } = presentCollection(collection)
  const { kind, title, known, delivered, noCaptions, failed, remaining, newestAt, oldestAt } = rest
  return {
    collectionId: id,
    kind,
    known,
    delivered,
    noCaptions,
    failed,
    languages,
    chargedUsd: charged,
    ...withoutNulls({ title, remaining, newestAt, oldestAt }),
  }
}

/** Returns the order that gets the rest. */
function orderOf({ urls, videos, costAtMostMicros }: GoesOn) {
  const costAtMostUsd = costAtMostMicros === null ? null : formatUsd(costAtMostMicros)
  return { urls, ...withoutNulls({ videos, costAtMostUsd }) }
}

/** Returns what leads to the text of a video, without what is not known. */
function briefVideo(video: ReturnType<typeof presentLibraryVideo>) {
  const { jobId, index, videoId, title, publishedAt, languageCode, durationSeconds } = video
  const known = { videoId, title, publishedAt, languageCode, durationSeconds }
  return { jobId, index, ...withoutNulls(known) }
}

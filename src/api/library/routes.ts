/** /library: what the account has of each channel and playlist, whichever jobs brought it (an extension). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { LIMITS } from '../../config/config.ts'
import {
  readCollection,
  readCollections,
  listCollectionsOfJob,
  readLibraryVideos,
} from '../../features/library/read-library.ts'
import { pageInfo } from '../../kit/page.ts'
import { found, Problem } from '../../kit/problem.ts'
import { hasVisible } from '../../kit/text/invisible.ts'
import type { ApiContext } from '../api-context.ts'
import { COLLECTION_KINDS, COLLECTION_SORTS } from '../../model/library/collection.ts'
import { accountOf, READING } from '../auth.ts'
import { answer, listOf, optionalText, pagingOf, wordOf } from '../contract.ts'
import { JobId } from '../jobs/schema.ts'
import {
  CollectionSchema,
  CollectionDetail,
  CollectionParams,
  LIBRARY_STATUSES,
  LibraryVideoSchema,
} from './schema.ts'
import {
  presentCollection,
  presentCollectionView,
  presentLibraryVideo,
  presentPictured,
} from './present.ts'

const LIBRARY_PAGE_MAX = 100
const LIBRARY_VIDEOS_PAGE_MAX = 200

const tags = ['Library']

const listSchema = {
  tags,
  summary: 'List the channels and playlists of the account',
  operationId: 'listCollections',
  querystring: Type.Object({
    ...pagingOf({ limit: 50, limitMax: LIBRARY_PAGE_MAX }),
    q: optionalText({
      maxLength: LIMITS.resultsQueryChars,
      pattern: String.raw`^[^\u0000]*$`,
      description: 'Only those whose name contains this text, ignoring case',
      examples: ['workshop'],
    }),
    kind: Type.Optional(wordOf(COLLECTION_KINDS, { description: 'Only channels, or playlists' })),
    sort: Type.Optional(
      wordOf(COLLECTION_SORTS, {
        description:
          '`changed`, the default: what changed last first; by `title`; most transcripts (`delivered`) or most videos to fetch (`remaining`) first',
      }),
    ),
    view: Type.Optional(
      wordOf(['plain', 'pictures'], {
        description: '`pictures`: each with `pictureUrl`, the address of a still on the platform',
      }),
    ),
    job: optionalText({
      ...JobId,
      description:
        'Only those that the lines of this job belong to; filters and order do not apply',
    }),
  }),
  response: {
    200: answer(listOf('CollectionList', 'collections', CollectionSchema), 'A page of collections'),
  },
}
const getSchema = {
  tags,
  summary: 'Read a channel or playlist: what the account has of it, and how to go on',
  operationId: 'getCollection',
  params: CollectionParams,
  response: { 200: answer(CollectionDetail, 'The collection') },
}
const videosSchema = {
  tags,
  summary: 'List the videos of a channel or playlist that the account knows, the newest first',
  operationId: 'listLibraryVideos',
  params: CollectionParams,
  querystring: Type.Object({
    ...pagingOf({ limit: 50, limitMax: LIBRARY_VIDEOS_PAGE_MAX }),
    status: optionalText({
      pattern: '^[a-z_]{4,25}(,[a-z_]{4,25}){0,9}$',
      description: 'Only these, separated by commas; `none`: never requested',
      examples: ['success'],
    }),
    q: optionalText({
      maxLength: LIMITS.resultsQueryChars,
      pattern: String.raw`^[^\u0000]*$`,
      description: 'Only videos whose title contains this text, ignoring case',
      examples: ['zoo'],
    }),
    language: optionalText({
      pattern: '^[A-Za-z0-9-]{2,35}$',
      description: 'Only transcripts in this language',
      examples: ['en'],
    }),
  }),
  response: {
    200: answer(listOf('LibraryVideoList', 'videos', LibraryVideoSchema), 'A page of videos'),
  },
}

export function libraryRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/library', { schema: listSchema, config: READING }, async (request) => {
      const { offset = 0, limit = 50, job, q = '', kind = null, sort = 'changed' } = request.query
      const present = request.query.view === 'pictures' ? presentPictured : presentCollection
      const accountId = accountOf(request)
      if (job === undefined) {
        const filter = { name: hasVisible(q) ? q : null, kind, sort }
        const { page, collections } = await readCollections(db, {
          accountId,
          offset,
          limit,
          filter,
        })
        return { ...page, collections: collections.map(present) }
      }
      const all = await listCollectionsOfJob(db, { accountId, jobId: job })
      const collections = all.slice(offset, offset + limit).map(present)
      return { ...pageInfo({ offset, limit }, all.length), collections }
    })

    app.get('/library/:id', { schema: getSchema, config: READING }, async (request) => {
      const owned = { accountId: accountOf(request), collectionId: request.params.id }
      return presentCollectionView(found(await readCollection(db, owned)))
    })

    app.get('/library/:id/videos', { schema: videosSchema, config: READING }, async (request) => {
      const { offset = 0, limit = 50, status, q = '', language = null } = request.query
      const statuses = status === undefined ? null : statusesOf(status)
      const filter = { statuses, title: hasVisible(q) ? q : null, language }
      const { id: collectionId } = request.params
      const ask = { accountId: accountOf(request), collectionId, offset, limit, filter }
      const { page, videos } = found(await readLibraryVideos(db, ask))
      return { ...page, videos: videos.map(presentLibraryVideo) }
    })
  }
}

function statusesOf(text: string): (string | null)[] {
  return text.split(',').map((name) => {
    const status = LIBRARY_STATUSES.find((each) => each === name)
    if (status === undefined)
      throw new Problem('invalid_request', {
        message: `status: ${name} is none of ${LIBRARY_STATUSES.join(', ')}.`,
        field: 'status',
      })
    return status === 'none' ? null : status
  })
}

/** POST /account/recognise: what pasted lines are, while they are typed. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { lookAtOrder, type OrderedSets } from '../../features/jobs/owned-videos.ts'
import { inTurns } from '../../kit/concurrency.ts'
import { LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import { noticesOfTexts } from '../../model/jobs/read-order.ts'
import { readingUrlSet, type SetLine } from '../../model/jobs/url-set.ts'
import { suggestionFor } from '../../model/platform/near-miss.ts'
import type { Source } from '../../model/platform/source.ts'
import type { ApiContext } from '../api-context.ts'
import { closedObject } from '../contract.ts'
import { TrackParameter } from '../jobs/order-job.ts'
import { answering, REPLIES, type Reply } from './replies.ts'
import { visitorOf } from './visitor.ts'

const PREVIEWED_TEXT_CHARS = 60_000
const LANGUAGE_CHARS_MAX = 1_000
/** Lines that are not understood and are shown beside the first ones of a long list. */
const UNCLEAR_SHOWN_MAX = 100

const schema = {
  ...answering(REPLIES.SourcesPreview),
  body: closedObject({
    text: Type.String({ maxLength: PREVIEWED_TEXT_CHARS }),
    // Any text: the order itself refuses a language, at its field.
    language: Type.Optional(Type.String({ maxLength: LANGUAGE_CHARS_MAX })),
    ...TrackParameter,
  }),
}

export function previewRoutes({ db, config }: ApiContext): FastifyPluginAsyncTypebox {
  const { ownedCountMs } = config.deadlines
  const countOwned = async (asked: OrderedSets): Promise<{ videos: number; isWhole: boolean }> => {
    const ask = { ...asked, preview: null, ownedCountMs }
    const { owned } = await transact(db, (tx) => lookAtOrder(tx, ask))
    return { videos: owned.videos, isWhole: owned.isWhole }
  }
  return async (app) => {
    app.post('/account/recognise', { schema }, async (request) => {
      const { text, language = 'original', track: wishedTrack = null } = request.body
      const set = await inTurns(readingUrlSet(text, LIMITS.batchLinesMax))
      const lines = set.lines.map(previewLine)
      const known = lines.filter(({ kind }) => kind !== null)
      const later = lines.slice(LIMITS.urlsMax).filter(({ kind }) => kind === null)
      const urls = known.map(({ line }) => line)
      // What fits a job has a preview, which says it of each line.
      const isBatch = urls.length > LIMITS.urlsMax
      const ofSources = set.lines.flatMap(({ text: line, reading }) =>
        reading.kind === 'source' ? [{ text: line, source: reading.source }] : [],
      )
      const sets = [{ lines: ofSources, urlSetHash: set.hash }]
      const { accountId } = visitorOf(request)
      return {
        lineCount: set.lineCount,
        linesMax: LIMITS.batchLinesMax,
        links: known.length,
        videos: known.filter(({ kind }) => kind === 'video').length,
        unclear: lines.length - known.length,
        lines: [...lines.slice(0, LIMITS.urlsMax), ...later.slice(0, UNCLEAR_SHOWN_MAX)],
        repeats: set.repeats,
        document: noticesOfTexts(set).join(' ') || null,
        usable: urls.join('\n'),
        owned: isBatch ? await countOwned({ accountId, sets, language, wishedTrack }) : null,
      }
    })
  }
}

function previewLine({
  text: line,
  reading,
  number,
  isUnclear,
}: SetLine): Reply<'SourcesPreview'>['lines'][number] {
  if (reading.kind === 'rejected') {
    const suggestion = isUnclear ? null : suggestionFor(line)
    return { line, number, kind: null, about: reading.sentence, suggestion }
  }
  const { source } = reading
  const kind = source.kind === 'lists' ? 'channel' : source.kind
  return { line, number, kind, about: aboutSource(source), suggestion: handleFor(source) }
}

/** Returns the handle of the same letters for a name of before there were handles, which may be no channel's. */
function handleFor(source: Source): string | null {
  if (source.kind !== 'channel' || !/^\/[^/@]+$/.test(source.name)) return null
  return suggestionFor(source.name.slice(1))
}

function aboutSource(source: Source): string {
  switch (source.kind) {
    case 'video':
      return source.besidePlaylistId === null
        ? source.videoId
        : `${source.videoId}, without its playlist`
    case 'playlist':
      return source.playlistId
    case 'lists':
      return `${source.name}, the videos of its ${source.tab}`
    case 'channel':
      if (source.tab === 'live') return `${source.name}, only what is live now`
      return source.tab === null ? source.name : `${source.name}, only ${source.tab}`
    default:
      return source satisfies never
  }
}

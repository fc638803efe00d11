/** POST /account/recognise: what pasted lines are, while they are typed. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { LIMITS } from '../../kit/config/config.ts'
import { readPart, readUrlSet, type UrlSet } from '../../model/jobs/url-set.ts'
import type { Source } from '../../model/platform/source.ts'
import { closedObject } from '../contract.ts'
import { answering, REPLIES, type Reply } from './replies.ts'

const PREVIEWED_TEXT_CHARS = 60_000

const schema = {
  ...answering(REPLIES.SourcesPreview),
  body: closedObject({ text: Type.String({ maxLength: PREVIEWED_TEXT_CHARS }) }),
}

export function previewRoutes(): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/account/recognise', { schema }, async (request) => {
      const set = readUrlSet(request.body.text)
      const lines = set.urls.slice(0, LIMITS.urlsMax).map((line) => previewLine(line, set))
      const known = lines.flatMap(({ line, kind }) => (kind === null ? [] : [line]))
      return {
        lineCount: set.lineCount,
        linesMax: LIMITS.urlsMax,
        lines,
        usable: [...known, ...set.urls.slice(LIMITS.urlsMax)].join('\n'),
      }
    })
  }
}

function previewLine(line: string, set: UrlSet): Reply<'SourcesPreview'>['lines'][number] {
  const reading = readPart(line, set)
  if (reading.kind === 'rejected') return { line, kind: null, about: reading.sentence }
  const { source } = reading
  const kind = source.kind === 'lists' ? 'channel' : source.kind
  return { line, kind, about: aboutSource(source) }
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

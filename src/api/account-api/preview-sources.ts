/** POST /account/recognise: what pasted lines are, while they are typed. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { LIMITS } from '../../kit/config/config.ts'
import { readUrlSet } from '../../model/jobs/job-request.ts'
import { readSource, type Source } from '../../model/platform/source.ts'
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
      const { urls, lineCount } = readUrlSet(request.body.text)
      return {
        lineCount,
        linesMax: LIMITS.urlsMax,
        lines: urls.slice(0, LIMITS.urlsMax).map(previewLine),
      }
    })
  }
}

function previewLine(line: string): Reply<'SourcesPreview'>['lines'][number] {
  const reading = readSource(line)
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

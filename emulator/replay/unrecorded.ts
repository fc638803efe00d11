/** What the platform says of what does not exist, for requests that were not recorded. */
import { googleError, json, NOT_FOUND, type PlatformReply } from '../call.ts'
import type { Asked, Replied } from './recording.ts'

export const MADE_UP_VISITOR = 'CgtyZXBsYXlfdmlzaQ%3D%3D'

export function unrecorded({ path, body }: Asked): Replied {
  const responseContext = { visitorData: MADE_UP_VISITOR }
  if (path.endsWith('/player')) {
    const playabilityStatus = { status: 'ERROR', reason: 'This video is unavailable' }
    return repliedOf(json({ responseContext, playabilityStatus }))
  }
  if (path.endsWith('/visitor_id')) return repliedOf(json({ responseContext }))
  if (path.endsWith('/browse')) {
    if (typeof body.continuation === 'string') return repliedOf(json({ responseContext }))
    const isPlaylist = String(body.browseId).startsWith('VL')
    const simpleText = isPlaylist ? 'The playlist does not exist.' : 'This channel does not exist.'
    const alerts = [{ alertRenderer: { type: 'ERROR', text: { simpleText } } }]
    return repliedOf(json({ responseContext, alerts }))
  }
  if (path.endsWith('/resolve_url')) return repliedOf(googleError(404, 'NOT_FOUND', NOT_FOUND))
  return { status: 404, headers: {}, body: '' }
}

export function repliedOf({ status, body, headers = {} }: PlatformReply): Replied {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

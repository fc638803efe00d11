/** Lists that are none: HTTP 200 with an alert instead of contents. */
import { type Call, json, type PlatformReply } from '../call.ts'
import { responseContext, runs, simple } from './context.ts'

/** Channels say it as simpleText, playlists as runs, as recorded. */
export function alertPage(
  call: Call,
  text: string,
  shape: 'simple' | 'runs' = 'simple',
): PlatformReply {
  return json({
    responseContext: responseContext(call),
    alerts: [
      { alertRenderer: { type: 'ERROR', text: shape === 'simple' ? simple(text) : runs(text) } },
    ],
    microformat: { microformatDataRenderer: { noindex: true } },
  })
}

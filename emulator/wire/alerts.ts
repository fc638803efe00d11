/** Lists that do not exist: HTTP 200 with an alert instead of contents. */
import { type Call, json, type PlatformReply } from '../call.ts'
import { responseContext, runs, simple } from './context.ts'

/** Returns a page with an alert; channels have its text as simpleText, playlists as runs, as recorded. */
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

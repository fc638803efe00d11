/** The answer to GET /api/timedtext: one caption track, if the address is signed, fresh and not guarded. */
import type { Call, Site, PlatformReply } from '../call.ts'
import { linesOf, rolls } from '../captions.ts'
import { json3 } from './json3.ts'
import { rollingVtt, plainVtt } from './cue-files.ts'
import { srv1, srv3 } from './timed-xml.ts'
import type { TrackText } from './track-text.ts'
import { signatureOf } from './tracks.ts'
import { proofOf } from './proof.ts'

const FORMATS: Readonly<
  Record<string, { type: PlatformReply['type']; write(text: TrackText): string }>
> = {
  json3: { type: 'json', write: json3 },
  srv1: { type: 'xml', write: srv1 },
  srv3: { type: 'xml', write: srv3 },
  vtt: {
    type: 'vtt',
    write: (text) => (rolls(text.track) ? rollingVtt : plainVtt)(text),
  },
}

export const EMPTY: PlatformReply = { status: 200, type: 'html', body: '' }

export function timedtextReply(site: Site, call: Call): PlatformReply {
  const { query } = call
  if (query.has('tlang')) return { status: 429, type: 'html', body: '' }
  const video = site.world.video(query.get('v') ?? '')
  if (video === null || !isSigned(site, call, video.videoId))
    return { status: 404, type: 'html', body: '' }
  if (isGuarded(call) && !isProven(site, call)) return EMPTY

  const track = video.tracks.find(
    (each) =>
      each.languageCode === query.get('lang') &&
      (each.kind === 'asr') === (query.get('kind') === 'asr') &&
      each.name === (query.get('name') ?? ''),
  )
  if (track === undefined) return { status: 404, type: 'html', body: '' }
  const asked = query.get('fmt') ?? 'srv1' // the first `fmt` wins; appended ones are not read
  if (
    asked === 'json3' &&
    query.get('variant') === 'gemini' &&
    site.settings.geminiJson3 !== 'served'
  ) {
    return site.settings.geminiJson3 === 'empty'
      ? EMPTY
      : { status: 200, type: 'html', body: '<!DOCTYPE html><html><title>Error</title></html>' }
  }
  const format = FORMATS[asked] ?? FORMATS.srv1
  if (format === undefined) return EMPTY
  return {
    status: 200,
    type: format.type,
    body: format.write({ video, track, lines: linesOf(site.world.seed, video, track) }),
  }
}

/** Whether a caller of captions shows the video's token of proof, in the form in which players do. */
export function isProven({ world }: Site, { query }: Call): boolean {
  const isComplete = query.get('potc') === '1' && query.has('c')
  return isComplete && query.get('pot') === proofOf(world.seed, query.get('v') ?? '')
}

function isGuarded(call: Call): boolean {
  return (call.query.get('sparams') ?? '').includes('exp,')
}

function isSigned(site: Site, call: Call, videoId: string): boolean {
  const expire = Number(call.query.get('expire'))
  if (!(expire * 1000 > call.nowMs)) return false
  const signed = { videoId, ei: call.query.get('ei') ?? '', expire, isGuarded: isGuarded(call) }
  return call.query.get('signature') === signatureOf(site.world.seed, signed)
}

/** The platform's reply where a fault rule hits: every form of refusal that was ever seen. */
import {
  type Call,
  googleError,
  INVALID,
  json,
  type JsonObject,
  NOT_FOUND,
  type Site,
  PRECONDITION,
  type PlatformReply,
} from './call.ts'
import { drawFor, type FaultRule } from './faults.ts'
import { replyTo } from './routes.ts'
import { alertPage } from './wire/alerts.ts'
import { namelessContext, responseContext } from './wire/context.ts'
import { judged, refusal } from './wire/player.ts'
import { proofOf } from './wire/proof.ts'
import { EMPTY, isProven } from './wire/timedtext.ts'
import { pageOf, tokenOf } from './wire/tokens.ts'
import {
  BOT_CHECK,
  type Cause,
  refusalFor,
  RELOAD,
  UNKNOWN_VIDEO,
  type Verdict,
} from './wire/verdicts.ts'

const SORRY =
  "<!DOCTYPE html><html><head><title>Sorry...</title></head><body><h1>We're sorry...</h1><p>... " +
  'but your computer or network ' +
  "may be sending automated queries. To protect our users, we can't process your request right " +
  'now.</p>' +
  '<div id="recaptcha" class="g-recaptcha" data-sitekey="emulated"></div></body></html>'
const CONSENT =
  '<!DOCTYPE html><html><form action="https://consent.youtube.com/s" method="POST"></form></html>'
const PAGE_LENGTH = 100

const CAPTCHA: Verdict = {
  status: {
    status: 'UNPLAYABLE',
    reason: 'Video unavailable',
    errorScreen: {
      playerCaptchaViewModel: {
        siteKey: 'emulated',
        title: { content: 'Confirm that you are human' },
      },
    },
  },
  showsDetails: false,
  plays: false,
}
const NEW_BOT_CHECK: Verdict = {
  status: { status: 'LOGIN_REQUIRED', reason: 'One more step before you can keep watching' },
  showsDetails: false,
  plays: false,
}
const SIGN_IN: Verdict = {
  status: { status: 'LOGIN_REQUIRED', reason: 'Please sign in' },
  showsDetails: false,
  plays: false,
}
const LATER: Verdict = {
  status: { status: 'UNPLAYABLE', reason: "This content isn't available, try again later." },
  showsDetails: false,
  plays: false,
}
/** The answer that outdated apps got for every video in April 2023. */
const OUTDATED: Verdict = {
  status: {
    status: 'ERROR',
    reason: 'This video is unavailable',
    errorScreen: {
      playerErrorMessageRenderer: {
        reason: { simpleText: 'This video is unavailable' },
        subreason: { simpleText: 'Watch on the latest version of YouTube.' },
      },
    },
  },
  showsDetails: false,
  plays: false,
}
const UNKNOWN: Verdict = {
  status: { status: 'CONTENT_CHECK_REQUIRED', reason: 'Something that nobody has seen before' },
  showsDetails: false,
  plays: false,
}

/** Faults that refuse a video in the platform's own words. */
const REFUSALS = {
  bot_check: BOT_CHECK,
  new_bot_check: NEW_BOT_CHECK,
  please_sign_in: SIGN_IN,
  captcha: CAPTCHA,
  try_again_later: LATER,
  page_reload: RELOAD,
  unknown_status: UNKNOWN,
  outdated: OUTDATED,
  unavailable: UNKNOWN_VIDEO,
  visitor: BOT_CHECK,
} satisfies Partial<Record<FaultRule['do'], Verdict>>

function isRefusal(action: FaultRule['do']): action is keyof typeof REFUSALS {
  return action in REFUSALS
}

/** Returns the reply to a call that `rule` hit; rules of the transport are carried out by the server. */
export function faultReply(site: Site, call: Call, rule: FaultRule): PlatformReply {
  const action = rule.do
  if (isRefusal(action)) return refused(call, REFUSALS[action])
  switch (action) {
    case 'cause':
      return refusedFor(rule.cause ?? 'region', site, call)
    case 'token':
      return showsProof(site, call) ? replyTo(site, call) : unproven(call)
    case 'retired':
      return googleError(400, 'FAILED_PRECONDITION', PRECONDITION)
    case 'bad_request':
      return googleError(400, 'INVALID_ARGUMENT', INVALID)
    case 'decoy':
      return replyTo(site, { ...call, videoId: site.world.special('both').videoId })
    case 'hide_captions':
      return withoutCaptions(replyTo(site, call))
    case 'too_many':
      return tooMany(rule)
    case 'forbidden':
      return call.kind === 'timedtext'
        ? html('', 403)
        : googleError(403, 'PERMISSION_DENIED', 'The caller does not have permission')
    case 'sorry_page':
      return html(SORRY, rule.status ?? 429)
    case 'sorry_redirect':
      return html('', 302, {
        location: `https://www.google.com/sorry/index?continue=https://www.youtube.com${call.path}`,
      })
    case 'consent':
      return html(CONSENT, 200)
    case 'html':
      return html('<!DOCTYPE html><html><title>Error</title></html>', rule.status ?? 200)
    case 'server_error':
      return googleError(rule.status ?? 503, 'UNAVAILABLE', 'The service is currently unavailable.')
    case 'not_found':
      return call.kind === 'timedtext' ? html('', 404) : googleError(404, 'NOT_FOUND', NOT_FOUND)
    case 'empty':
      return EMPTY
    case 'unknown_alert':
      return withoutIdentity(
        call,
        alertPage(call, 'An unknown error has occurred. Please try again later.'),
      )
    case 'missing_keys':
      return json({ responseContext: namelessContext(call) })
    case 'empty_page':
      return json({ responseContext: responseContext(call) })
    case 'repeated_page':
      return replyTo(site, oneEarlier(call))
    case 'made_up':
      return { status: 200, type: call.kind === 'timedtext' ? 'xml' : 'json', body: madeUp(rule) }
    case 'new_upload':
      return replyTo(afterUpload(site, call, rule), call)
    case 'latency':
    case 'drip':
    case 'reset':
    case 'truncated':
    case 'hang':
    case 'hold':
      return replyTo(site, call)
    default:
      return action satisfies never
  }
}

function showsProof(site: Site, call: Call): boolean {
  if (call.kind === 'timedtext') return isProven(site, call)
  if (call.kind !== 'player' && call.kind !== 'reel') return true
  const shown = call.body.serviceIntegrityDimensions as { poToken?: unknown } | undefined
  return shown?.poToken === proofOf(site.world.seed, call.videoId)
}

function unproven(call: Call): PlatformReply {
  return call.kind === 'timedtext' ? EMPTY : refused(call, BOT_CHECK)
}

function tooMany({ retryAfterS }: FaultRule): PlatformReply {
  return html('', 429, retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) })
}

function refused(call: Call, verdict: Verdict): PlatformReply {
  const answer = refusal(call, verdict)
  return withoutIdentity(call, json(call.kind === 'reel' ? { playerResponse: answer } : answer))
}

/** Refuses a video for that cause, with what the platform tells of such videos; other calls have no video. */
function refusedFor(cause: Cause, site: Site, call: Call): PlatformReply {
  const verdict = refusalFor(cause, call)
  const isVideo = call.kind === 'player' || call.kind === 'reel'
  const video = isVideo ? site.world.video(call.videoId) : null
  if (video === null) return refused(call, verdict)
  const answer = judged(site, call, { video: { ...video, state: cause }, verdict })
  return json(call.kind === 'reel' ? { playerResponse: answer } : answer)
}

/** Returns the reply, in which a caller that asked for a session identity gets none. */
function withoutIdentity(call: Call, reply: PlatformReply): PlatformReply {
  const isAsked = call.kind === 'visitor_id' || call.kind === 'config'
  if (!isAsked || typeof reply.body === 'string') return reply
  return { ...reply, body: { ...reply.body, responseContext: namelessContext(call) } }
}

function html(body: string, status: number, headers: Record<string, string> = {}): PlatformReply {
  return { status, type: 'html', body, headers }
}

/** Returns a body of about `bytes` characters, a million by default. */
function madeUp({ head = '', pump = ' ', tail = '', bytes = 1_000_000 }: FaultRule): string {
  const left = bytes - head.length - tail.length
  if (!pump.includes(COUNT))
    return head + pump.repeat(Math.max(0, Math.floor(left / pump.length))) + tail
  const pieces: string[] = []
  let length = 0
  while (length + pump.length <= left) {
    const piece = pump.replaceAll(COUNT, String(pieces.length))
    length += piece.length
    pieces.push(piece)
  }
  return head + pieces.join('') + tail
}

/** Stands for the number of the repetition in what is repeated. */
const COUNT = '%n'

function withoutCaptions(reply: PlatformReply): PlatformReply {
  if (typeof reply.body === 'string') return reply
  const { captions: _, ...body } = reply.body
  return { ...reply, body }
}

/** Returns the call for the previous page, whose token is the one that was used for this one. */
function oneEarlier(call: Call): Call {
  const page = typeof call.body.continuation === 'string' ? pageOf(call.body.continuation) : null
  if (page === null || page.offset === 0) return call
  const length =
    page.tab === 'shorts' ? 48 : page.tab === 'videos' || page.tab === 'streams' ? 30 : PAGE_LENGTH
  const body: JsonObject = {
    ...call.body,
    continuation: tokenOf({ ...page, offset: Math.max(page.offset - length, 0) }),
  }
  return { ...call, body }
}

/** Uploads a video to the channel named by the rule, or to the one that is being listed. */
function afterUpload(site: Site, call: Call, rule: FaultRule): Site {
  const { world } = site
  const listed = world.channelById(
    rule.channel ?? call.listId.replace(/^VLUU(LF|SH|LV)?(?=[\w-]{22}$)/, 'UC'),
  )
  const channel = listed ?? world.channels[1 + (drawFor(call) % 3)]
  if (channel !== undefined) world.publish(channel)
  return site
}

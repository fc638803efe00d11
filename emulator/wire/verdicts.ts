/** The `playabilityStatus` of each state of a video, client by client. */
import { type Call, isWeb, type JsonObject, type Site } from '../call.ts'
import type { Video, VideoState } from '../model.ts'
import { runs } from './context.ts'
import { showsFlags } from './host-flags.ts'

/** A verdict; `showsDetails` says whether the reply has `videoDetails`, `plays` whether it may have `captions`. */
export type Verdict = { status: JsonObject; showsDetails: boolean; plays: boolean }

const plays = (extra: JsonObject = {}): Verdict => ({
  status: { status: 'OK', playableInEmbed: true, ...extra },
  showsDetails: true,
  plays: true,
})

const says = (status: string, reason: string, extra: JsonObject = {}): Verdict => ({
  status: { status, reason, ...extra },
  showsDetails: status === 'UNPLAYABLE' || status === 'LIVE_STREAM_OFFLINE',
  plays: false,
})

const withDetails = (verdict: Verdict): Verdict => ({ ...verdict, showsDetails: true })

const screen = (reason: string, subreason: string): JsonObject => ({
  errorScreen: {
    playerErrorMessageRenderer: { reason: { simpleText: reason }, subreason: runs(subreason) },
  },
})

const INAPPROPRIATE = 'This video may be inappropriate for some users.'
const CONFIRM_AGE = 'Sign in to confirm your age'
const LEVEL =
  "This video is available to this channel's members on level: Magnificent Members (or any " +
  'higher priced level).'
const JOIN =
  'Join this channel to get access to members-only content like this video, and other exclusive ' +
  'perks.'
const PRIVATE = 'This is a private video. Please sign in to verify that you may see it.'
const COUNTRY = 'The uploader has not made this video available in your country'
const HOUR_MS = 3_600_000

/** Countries in which the `region` video can be watched. */
export const OPEN_COUNTRIES = ['AT', 'CH', 'DE', 'FR']

export const UNKNOWN_VIDEO: Verdict = says(
  'ERROR',
  'This video is unavailable',
  screen('Video unavailable', 'This video is unavailable'),
)

export function verdictOn(site: Site, call: Call, video: Video): Verdict {
  const { name } = call.client
  const isEmbedded = name === 'WEB_EMBEDDED_PLAYER'
  if (name === 'TVHTML5' || (isEmbedded && !hasEmbedUrl(call))) return UNKNOWN_VIDEO
  if (isEmbedded && site.settings.embedFlags && !showsFlags(site, call)) return NO_FLAGS
  if (video.state === 'region' && OPEN_COUNTRIES.includes(site.countryOf(call.identity)))
    return plays()
  if (video.state === 'age_embeddable' && isEmbedded) return plays()

  const verdict = VERDICTS[video.state](call, video)
  const isRefusedWeb = site.settings.web === 'reload' && isWeb(name) && !isEmbedded
  return verdict.plays && isRefusedWeb ? RELOAD : verdict
}

/** The answer of WEB without an account since about July 2026, whatever the video. */
export const RELOAD: Verdict = says(
  'UNPLAYABLE',
  'Video unavailable',
  screen('Video unavailable', 'The page needs to be reloaded.'),
)

/** The answer of an embedded player that does not show the flags of its page. */
const NO_FLAGS: Verdict = says(
  'UNPLAYABLE',
  'Video unavailable',
  screen('Video unavailable', 'Watch on YouTube. Error 153'),
)

/** The bot check, with the typographic apostrophe that it really has. */
export const BOT_CHECK: Verdict = says('LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot', {
  ...screen('Sign in to confirm you’re not a bot', 'This helps protect our community.'),
})

type Judge = (call: Call, video: Pick<Video, 'videoId'>) => Verdict

const VERDICTS: Readonly<Record<VideoState, Judge>> = {
  ok: () => plays(),
  private: () =>
    says('LOGIN_REQUIRED', 'This video is private', {
      messages: [PRIVATE],
      ...screen('Private video', PRIVATE),
    }),
  not_found: () => UNKNOWN_VIDEO,
  removed_by_uploader: () => removed('This video has been removed by the uploader'),
  removed_violation: () =>
    removed("This video has been removed for violating YouTube's Terms of Service"),
  account_terminated: () =>
    removed(
      'This video is no longer available because the YouTube account associated with this video ' +
        'has been terminated.',
    ),
  age_legacy: () =>
    withDetails(says('LOGIN_REQUIRED', INAPPROPRIATE, { desktopLegacyAgeGateReason: 1 })),
  age_confirm: () =>
    withDetails(says('LOGIN_REQUIRED', CONFIRM_AGE, screen(CONFIRM_AGE, INAPPROPRIATE))),
  age_check: () => withDetails(says('AGE_CHECK_REQUIRED', CONFIRM_AGE)),
  age_verification: () => withDetails(says('AGE_VERIFICATION_REQUIRED', INAPPROPRIATE)),
  age_embeddable: () =>
    withDetails(says('LOGIN_REQUIRED', CONFIRM_AGE, { desktopLegacyAgeGateReason: 1 })),
  members_level: () => says('UNPLAYABLE', LEVEL, { playableInEmbed: true }),
  members_join: () => says('UNPLAYABLE', JOIN),
  premium: () => says('UNPLAYABLE', 'This video is only available to Music Premium members'),
  payment: () => says('UNPLAYABLE', 'This video requires payment to watch'),
  region: () => says('UNPLAYABLE', COUNTRY, screen('Video unavailable', COUNTRY)),
  upcoming_live: (call) => upcoming(call, 'This live event will begin in 18 hours.', 18),
  upcoming_premiere: (call) => upcoming(call, 'Premieres in 3 days', 72),
  upcoming_far: (call) => upcoming(call, 'Premieres in 40 days', 40 * 24),
  live_now: (_, { videoId }) =>
    plays({
      liveStreamability: {
        liveStreamabilityRenderer: { videoId, broadcastId: '1', pollDelayMs: '15000' },
      },
    }),
  post_live: () => plays(),
  kids: ({ client }) =>
    client.name === 'VISIONOS' || client.name === 'ANDROID_VR'
      ? says('UNPLAYABLE', 'This video is not available')
      : plays(),
  odd: () => says('UNPLAYABLE', 'This video is resting its eyes today'),
}

const CAUSELESS = ['ok', 'live_now', 'post_live', 'kids', 'odd', 'not_found'] as const

/** A state that refuses a video to everyone, and says why. */
export type Cause = Exclude<VideoState, (typeof CAUSELESS)[number]>

export const CAUSES = Object.keys(VERDICTS).filter(
  (state): state is Cause => !CAUSELESS.some((each) => each === state),
)

/** Returns the refusal for that cause, whatever is asked for. */
export function refusalFor(cause: Cause, call: Call): Verdict {
  return VERDICTS[cause](call, call)
}

function removed(reason: string): Verdict {
  return says('ERROR', reason, screen('Video unavailable', reason))
}

function upcoming(call: Call, reason: string, hours: number): Verdict {
  const scheduledStartTime = String(Math.floor((call.nowMs + hours * HOUR_MS) / 1000))
  const liveStreamOfflineSlateRenderer = { scheduledStartTime, mainText: runs(reason) }
  const liveStreamabilityRenderer = {
    offlineSlate: { liveStreamOfflineSlateRenderer },
    pollDelayMs: '15000',
  }
  return says('LIVE_STREAM_OFFLINE', reason, { liveStreamability: { liveStreamabilityRenderer } })
}

function hasEmbedUrl(call: Call): boolean {
  const context = call.body.context as { thirdParty?: { embedUrl?: string } } | undefined
  return Boolean(context?.thirdParty?.embedUrl)
}

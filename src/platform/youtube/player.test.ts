/** Replies of a player: each known one is read as what it means. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { type PlayerAnswer, readPlayer } from './player.ts'

const ID = 'dQw4w9WgXcQ'
const DETAILS = { videoId: ID, title: 'Title', author: 'Channel' }
const TRACK = {
  baseUrl: 'https://www.youtube.com/api/timedtext?v=x',
  languageCode: 'en',
  kind: 'asr',
}
const OK = { status: 'OK' }

const captions = (extra: object = {}): object => ({
  captions: { playerCaptionsTracklistRenderer: { captionTracks: [TRACK], ...extra } },
})
const no = (status: string, reason: string, rest: object = {}): object => ({
  playabilityStatus: { status, reason, ...rest },
})
const screen = (text: string): object => ({
  errorScreen: { playerErrorMessageRenderer: { subreason: { runs: [{ text }] } } },
})

const REPLIES: [string, object, string][] = [
  // Each line has its name in the platform facts, the reply, and what it is read as.
  ['tracks', { playabilityStatus: OK, videoDetails: DETAILS, ...captions() }, 'tracks'],
  ['no captions key', { playabilityStatus: OK, videoDetails: DETAILS }, 'no_tracks no'],
  [
    'on air',
    { playabilityStatus: OK, videoDetails: { ...DETAILS, isLive: true } },
    'no_tracks live_now',
  ],
  [
    'just ended',
    { playabilityStatus: OK, videoDetails: { ...DETAILS, isPostLiveDvr: true } },
    'no_tracks processing',
  ],
  ['private', no('LOGIN_REQUIRED', 'This video is private'), 'cause private'],
  [
    'private, by its message',
    {
      playabilityStatus: {
        status: 'LOGIN_REQUIRED',
        messages: ['This is a private video. Please sign in to verify that you may see it.'],
      },
    },
    'cause private',
  ],
  ['deleted', no('ERROR', 'This video is unavailable'), 'not_available'],
  ['unknown id', no('ERROR', 'Video unavailable'), 'not_available'],
  ['kids at VISIONOS', no('UNPLAYABLE', 'This video is not available'), 'not_available'],
  [
    'removed by the uploader',
    no('ERROR', 'This video has been removed by the uploader'),
    'cause removed',
  ],
  [
    'removed for violating',
    no('ERROR', 'This video has been removed for violating YouTube’s Terms of Service'),
    'cause removed',
  ],
  [
    'account terminated',
    no(
      'ERROR',
      'This video is no longer available because the YouTube account associated with this video has been terminated.',
    ),
    'cause removed',
  ],
  [
    'age gate by its mark',
    no('LOGIN_REQUIRED', 'Whatever', { desktopLegacyAgeGateReason: 1 }),
    'cause age_restricted',
  ],
  [
    'age gate by its text',
    no('LOGIN_REQUIRED', 'This video may be inappropriate for some users.'),
    'cause age_restricted',
  ],
  [
    'age gate, sign in',
    no('LOGIN_REQUIRED', 'Sign in to confirm your age'),
    'cause age_restricted',
  ],
  ['age gate by its status', no('AGE_CHECK_REQUIRED', 'x'), 'cause age_restricted'],
  ['age gate by its other status', no('AGE_VERIFICATION_REQUIRED', 'x'), 'cause age_restricted'],
  [
    'members by level',
    no(
      'UNPLAYABLE',
      "This video is available to this channel's members on level: Fans (or any higher priced level).",
    ),
    'cause members_only',
  ],
  [
    'members, typographic',
    no('UNPLAYABLE', 'This video is available to this channel’s members on level: Fans'),
    'cause members_only',
  ],
  [
    'members, join',
    no('UNPLAYABLE', 'Join this channel to get access to members-only content like this video.'),
    'cause members_only',
  ],
  [
    'music premium',
    no('UNPLAYABLE', 'This video is only available to Music Premium members'),
    'cause paid',
  ],
  ['paid', no('UNPLAYABLE', 'This video requires payment to watch.'), 'cause paid'],
  [
    'region',
    no('UNPLAYABLE', 'The uploader has not made this video available in your country'),
    'cause region_blocked',
  ],
  [
    'upcoming',
    no('LIVE_STREAM_OFFLINE', 'This live event will begin in 18 hours.'),
    'cause upcoming',
  ],
  [
    'premiere',
    {
      ...no('LIVE_STREAM_OFFLINE', 'Premieres in 3 days'),
      videoDetails: { ...DETAILS, isUpcoming: true },
    },
    'cause upcoming',
  ],
  [
    'scheduled',
    no('LIVE_STREAM_OFFLINE', 'Soon', {
      liveStreamability: {
        liveStreamabilityRenderer: {
          offlineSlate: { liveStreamOfflineSlateRenderer: { scheduledStartTime: '1' } },
        },
      },
    }),
    'cause upcoming',
  ],
  ['offline for another reason', no('LIVE_STREAM_OFFLINE', 'Offline.'), 'obstacle unknown'],
  [
    'bot check',
    no(
      'LOGIN_REQUIRED',
      'Sign in to confirm you’re not a bot',
      screen('This helps protect our community.'),
    ),
    'obstacle bot_check',
  ],
  [
    'bot check, plain apostrophe',
    no('LOGIN_REQUIRED', "Sign in to confirm you're not a bot"),
    'obstacle bot_check',
  ],
  [
    'session limit',
    no('UNPLAYABLE', "This content isn't available, try again later."),
    'obstacle session_limit',
  ],
  [
    'captcha',
    no('ERROR', 'Video unavailable', { errorScreen: { playerCaptchaViewModel: {} } }),
    'obstacle captcha',
  ],
  [
    'reload',
    no('UNPLAYABLE', 'Video unavailable', screen('The page needs to be reloaded.')),
    'obstacle reload',
  ],
  [
    'decoy',
    { playabilityStatus: OK, videoDetails: { ...DETAILS, videoId: 'another_one' }, ...captions() },
    'obstacle decoy',
  ],
  ['nothing', {}, 'obstacle unreadable'],
  ['unknown text', no('UNPLAYABLE', 'Something that nobody has seen before'), 'obstacle unknown'],
  [
    'unknown text with a known word',
    no('UNPLAYABLE', 'Video unavailable for a new reason'),
    'obstacle unknown',
  ],
  [
    'an app that is too old',
    no('ERROR', 'This video is unavailable', screen('Watch on the latest version of YouTube.')),
    'obstacle retired',
  ],
  [
    'an app that is too old, of 2024',
    no(
      'UNPLAYABLE',
      'The following content is not available on this app.',
      screen('Watch on the latest version of YouTube.'),
    ),
    'obstacle retired',
  ],
  [
    'an app that is too old, by its status',
    no('CONTENT_NOT_AVAILABLE_IN_THIS_APP', 'This video is unavailable'),
    'obstacle retired',
  ],
  [
    'a plain no with an unknown subreason',
    no('ERROR', 'Video unavailable', screen('Something that nobody has seen before')),
    'obstacle unknown',
  ],
  [
    'a plain no said twice',
    no('ERROR', 'Video unavailable', screen('This video isn’t available anymore.')),
    'not_available',
  ],
  ['not available, contracted', no('ERROR', 'This video isn’t available.'), 'not_available'],
  [
    'being processed',
    no('UNPLAYABLE', 'We’re processing this video. Check back later.'),
    'no_tracks processing',
  ],
  ['ended', no('LIVE_STREAM_OFFLINE', 'This live event has ended.'), 'no_tracks processing'],
  [
    'ended, with status OK',
    { ...no('OK', 'This live event has ended.'), videoDetails: DETAILS },
    'no_tracks processing',
  ],
  [
    'no recording',
    no('UNPLAYABLE', 'This live stream recording is not available.'),
    'cause removed',
  ],
  [
    'no recording, with status OK',
    no('OK', 'This live stream recording is not available.'),
    'cause removed',
  ],
  [
    'copyright claim',
    no('ERROR', 'This video is no longer available due to a copyright claim by A Label'),
    'cause removed',
  ],
  [
    'blocked on copyright grounds',
    no(
      'ERROR',
      'Video unavailable',
      screen('This video contains content from A Label, who has blocked it on copyright grounds.'),
    ),
    'cause removed',
  ],
  [
    'blocked in a country on copyright grounds',
    no(
      'UNPLAYABLE',
      'This video contains content from A Label, who has blocked it in your country on copyright grounds.',
    ),
    'cause region_blocked',
  ],
  [
    'hate speech',
    no(
      'ERROR',
      'This video has been removed for violating YouTube’s policy on hate speech. Learn more about combating hate speech in your country.',
    ),
    'cause removed',
  ],
  ['unknown status', no('CONTENT_CHECK_REQUIRED', 'Video unavailable'), 'obstacle unknown'],
  [
    'translated tracks only',
    {
      playabilityStatus: OK,
      ...captions({ captionTracks: [{ ...TRACK, baseUrl: 'https://x/?tlang=de' }] }),
    },
    'no_tracks no',
  ],
]

test('every known reply of a player is read as what it means, unknown ones as unknown', () => {
  for (const [row, reply, expected] of REPLIES)
    assert.equal(told(readPlayer(reply, ID)), expected, row)
})

test('an unknown text is kept', () => {
  const answer = readPlayer(no('UNPLAYABLE', 'A new sentence'), ID)
  assert.ok(answer.kind === 'obstructed' && answer.obstacle.said === 'A new sentence')
})

function told(answer: PlayerAnswer): string {
  switch (answer.kind) {
    case 'no_tracks':
      return `no_tracks ${answer.air}`
    case 'cause':
      return `cause ${answer.cause}`
    case 'obstructed':
      return `obstacle ${answer.obstacle.name}`
    default:
      return answer.kind
  }
}

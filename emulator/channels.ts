/** The channels of the world, in the order of their numbers; new ones are added at the end. */
import { channelIdOf } from './ids.ts'
import { LECTURES_COUNT } from './lectures.ts'
import type { Channel, VideoKind } from './model.ts'
import { SPECIALS } from './special-videos.ts'

type Plan = Omit<Channel, 'number' | 'channelId'>

const kinds = (text: string): VideoKind[] =>
  [...text].map((letter) => (letter === 's' ? 'short' : letter === 'l' ? 'live' : 'video'))

/** Twenty videos, three Shorts and a stream in every two dozen uploads. */
const MIXED = kinds('vvvsvvvvvvvsvvvlvvvsvvvv')

const plan = (key: string, handle: string | null, title: string, rest: Partial<Plan>): Plan => ({
  key,
  handle,
  title,
  language: 'en',
  uploads: 24,
  pattern: MIXED,
  state: 'ok',
  aliases: [],
  hasUploadsLists: true,
  hasCutGrid: false,
  note: '',
  ...rest,
})

/** Returns a channel with a name that reads like what lists say of a video. */
const named = (handle: string, title: string): Plan =>
  plan(handle, `@${handle}`, title, {
    pattern: kinds('v'),
    note: 'its name reads like a date or a count of views',
  })

const PLANS: readonly Plan[] = [
  plan('lab', '@captionlab', 'Caption Laboratory', {
    uploads: SPECIALS.length,
    note: 'one video for every row, track set and oddity; hidden videos are in no list',
  }),
  plan('small', '@smallworkshop', 'Small Workshop', { note: 'small: 24 uploads of all kinds' }),
  plan('medium', '@dailynotes', 'Daily Notes', {
    uploads: 1200,
    note:
      '1,200 uploads; 1 in 12 without captions, a few members-only, age-gated or private by ' +
      'now',
  }),
  plan('large', '@endlessarchive', 'Endless Archive', {
    uploads: 12_000,
    note: '12,000 uploads over ten years, some premieres out of order',
  }),
  plan('noshorts', '@longformonly', 'Long Form Only', {
    uploads: 60,
    pattern: kinds('v'),
    note: 'no Shorts, no streams: those tabs answer with Home',
  }),
  plan('terminated', '@goneaccount', 'Gone Account', {
    uploads: 12,
    state: 'terminated',
    note: 'the account was terminated',
  }),
  plan('removed', '@removedchannel', 'Removed Channel', {
    uploads: 12,
    state: 'removed',
    note: 'removed because it violated the Community Guidelines',
  }),
  plan('renamed', '@newname', 'Renamed Workshop', {
    uploads: 36,
    aliases: ['@oldname', '/oldcustomname', '/user/oldusername', '/c/oldcustomname'],
    note: '@oldname answers with a urlEndpoint hop to /oldcustomname, which names the channel',
  }),
  plan('unicode', '@中村のあそびば', '中村のあそびば', {
    uploads: 40,
    language: 'ja',
    note: 'a handle in Japanese, percent-encoded in addresses',
  }),
  plan('moved', '@movedhouse', 'Moved House', {
    uploads: 12,
    state: 'moved',
    note: 'browsing it answers with a navigateAction to Small Workshop',
  }),
  plan('shortsonly', '@quickclips', 'Quick Clips', {
    uploads: 120,
    pattern: kinds('s'),
    // A channel of one video on the platform itself: whoever copies an example that names it spends next to nothing.
    aliases: ['@jawed'],
    note: '120 Shorts and nothing else',
  }),
  plan('empty', '@emptyroom', 'Empty Room', { uploads: 0, note: 'no uploads' }),
  plan('streams', '@nightstream', 'Night Stream', {
    uploads: 40,
    pattern: kinds('l'),
    note: 'streams only',
  }),
  plan('nolists', '@hiddenuploads', 'Hidden Uploads', {
    uploads: 75,
    hasUploadsLists: false,
    note: 'its uploads playlists do not exist: only the tabs list it',
  }),
  plan('spanish', '@tallerpequeno', 'Taller Pequeño', {
    uploads: 48,
    language: 'es',
    note: 'Spanish',
  }),
  plan('german', '@werkstattklein', 'Kleine Werkstatt', {
    uploads: 48,
    language: 'de',
    note: 'German',
  }),
  plan('arabic', '@warsha', 'الورشة الصغيرة', { uploads: 30, language: 'ar', note: 'Arabic' }),
  plan('quiet', '@silentfilms', 'Silent Films', {
    uploads: 20,
    pattern: kinds('v'),
    note: 'no video has captions',
  }),
  plan('vast', '@vastlibrary', 'Vast Library', {
    uploads: 100_000,
    note: '100,000 uploads',
  }),
  plan('talks', '@plaintalks', 'Plain Talks', {
    uploads: 600,
    pattern: kinds('v'),
    note: '600 talks of 12 minutes, automatic English with words as often and as long as in real speech',
  }),
  plan('worldtalks', '@worldtalks', 'World Talks', {
    uploads: 48,
    pattern: kinds('v'),
    note:
      'talks of 12 minutes, 1 hour and 3 hours: automatic and manual English, Japanese, Chinese, ' +
      'Arabic, Hebrew',
  }),
  named('today', 'TODAY'),
  named('yesterday', 'Yesterday'),
  named('thirdofseptember', 'Sep 3, 2024'),
  named('threeweeks', '3 weeks ago'),
  named('millionviews', '1.2M views'),
  named('twelvewatching', '12 watching'),
  plan('cutgrid', '@threefiftyshorts', 'Three Hundred and Fifty', {
    uploads: 350,
    pattern: kinds('s'),
    hasCutGrid: true,
    note:
      '350 Shorts and nothing else; the list of all uploads is a grid of 100 without a token, ' +
      'that of Shorts (`UUSH…`) is whole',
  }),
  plan('lectures', '@eveninglectures', 'Evening Lectures', {
    uploads: LECTURES_COUNT,
    pattern: kinds('v'),
    note: 'short lectures that make sense, by the creator and automatic; the oldest has no captions',
  }),
]

export function channelsOf(seed: number): Channel[] {
  return PLANS.map((planned, number) => ({
    ...planned,
    number,
    channelId: channelIdOf(seed, number),
  }))
}

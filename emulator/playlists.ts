/** The playlists of the world by number, new ones at the end; items are computed, not stored. */
import { playlistIdOf } from './ids.ts'
import type { Channel, Playlist, Video } from './model.ts'
import { SPECIALS } from './special-videos.ts'

/** Finds a video by the key of its channel and its upload number. */
type Find = (channelKey: string, upload: number) => Video

type Plan = {
  key: string
  title: string
  note: string
  owner?: string
  length: number
  at?: (position: number, find: Find) => Video
  state?: Playlist['state']
  shape?: Playlist['shape']
  counts?: string
}

/** The positions of hidden entries in the playlist `private`. */
const HIDDEN_AT = new Map([
  [2, 'private'],
  [7, 'deleted'],
  [12, 'removed'],
  [17, 'violating'],
  [22, 'terminated'],
])
const FOR_NOW = ['members-first', 'private-first', 'premiere-far', 'translation-first']
const NAMES = [
  'today',
  'yesterday',
  'thirdofseptember',
  'threeweeks',
  'millionviews',
  'twelvewatching',
]
const TONGUES = ['spanish', 'german', 'arabic', 'unicode']

const PLANS: readonly Plan[] = [
  { key: 'seven', title: 'Seven', length: 7, note: '7 items', at: (at, find) => find('small', at) },
  {
    key: 'mid',
    title: 'Two hundred and fifty',
    length: 250,
    note: '250 items, not ordered by date',
    at: (at, find) => find('medium', (at * 7 + 3) % 1200),
  },
  {
    key: 'huge',
    title: 'Five thousand',
    length: 5000,
    note: '5,000 items, the most a playlist can hold',
    at: (at, find) => find('large', (at * 7) % 12_000),
  },
  {
    key: 'hundred',
    title: 'Exactly one page',
    length: 100,
    note: '100 items: exactly one page',
    at: (at, find) => find('medium', at * 11),
  },
  {
    key: 'dups',
    title: 'Again and again',
    length: 60,
    note: '60 items: 20 videos, three times each',
    at: (at, find) => find('small', at % 20),
  },
  {
    key: 'private',
    title: 'With hidden entries',
    length: 30,
    note:
      '30 items, 5 of them private, deleted or removed; only the parameter for unavailable ' +
      'videos shows those',
    at: (at, find) => {
      const hidden = HIDDEN_AT.get(at)
      if (hidden === undefined) return find('renamed', at)
      return find('lab', specialNumber(hidden))
    },
  },
  { key: 'missing', title: 'Missing', length: 0, state: 'missing', note: 'does not exist' },
  {
    key: 'unviewable',
    title: 'Unviewable',
    length: 0,
    state: 'unviewable',
    note: 'a type that cannot be viewed',
  },
  {
    key: 'shorts',
    title: 'Shorts only',
    length: 60,
    shape: 'shorts',
    note: '60 Shorts, which come as a grid in the newer layout',
    at: (at, find) => find('shortsonly', at),
  },
  { key: 'empty', title: 'Nothing yet', length: 0, note: 'no items' },
  {
    key: 'rows',
    title: 'Everything that can happen',
    length: SPECIALS.length,
    note: 'every video of the Caption Laboratory, hidden ones too',
    at: (at, find) => find('lab', at),
  },
  {
    key: 'tongues',
    title: 'In other words',
    length: 40,
    note: '40 items in four languages',
    at: (at, find) => find(TONGUES[at % 4] ?? 'spanish', Math.floor(at / 4)),
  },
  {
    key: 'quiet',
    title: 'Silence',
    length: 20,
    note: '20 items, none with captions',
    at: (at, find) => find('quiet', at),
  },
  {
    key: 'names',
    title: 'Misleading names',
    length: 60,
    note: '60 items of channels named like a date, an age or a count of views',
    at: (at, find) => find(NAMES[at % NAMES.length] ?? '', Math.floor(at / NAMES.length) * 2),
  },
  {
    key: 'cutgrid',
    title: 'Three hundred and fifty Shorts',
    length: 350,
    shape: 'cut_shorts',
    note:
      '350 Shorts; a grid of 100 without a token, but a token for its first page, which clients ' +
      'can make, lists all',
    at: (at, find) => find('cutgrid', at),
  },
  {
    key: 'lostgrid',
    title: 'The first hundred Shorts',
    length: 350,
    shape: 'lost_shorts',
    note: '350 Shorts, of which the platform lists 100, whatever it is asked',
    at: (at, find) => find('cutgrid', 349 - at),
  },
  {
    key: 'endless',
    title: 'For ever',
    length: 90,
    shape: 'endless',
    note: '90 items, 30 a page, which come again and again under ever new tokens',
    at: (at, find) => find('medium', (at % 90) * 13),
  },
  {
    key: 'deadtoken',
    title: 'One page of three',
    length: 250,
    shape: 'dead_token',
    note: '250 items; the token of the first hundred leads nowhere (404)',
    at: (at, find) => find('medium', at * 3 + 1),
  },
  {
    key: 'lessons',
    title: 'A course of lessons',
    length: 100,
    counts: '350 lessons',
    note: '100 items without a token, under a header that counts 350 lessons',
    at: (at, find) => find('medium', at * 5 + 2),
  },
  {
    key: 'rounds',
    title: 'Round and round',
    length: 120,
    shape: 'endless',
    counts: '350 videos',
    note:
      '80 videos, of which each page of 30 brings 20 new ones, then the same again and again, under a header that ' +
      'counts 350',
    at: (at, find) => find('medium', roundsAt(at % 120) * 14 + 3),
  },
  {
    key: 'badges',
    title: 'With badges',
    length: 24,
    shape: 'badged',
    note: "24 items with a row of badges before the channel's name, every third with one behind, too",
    at: (at, find) => find(at % 4 === 3 ? (NAMES[at % NAMES.length] ?? '') : 'small', at),
  },
  {
    key: 'fornow',
    title: 'Not yet',
    length: FOR_NOW.length,
    note: '4 items that are refused for now: the knob `areOpened` opens them',
    at: (at, find) => find('lab', specialNumber(FOR_NOW[at] ?? '')),
  },
]

/** Returns the video at a place of `rounds`: 20 of 30 are new on each of its four pages, the others stood before. */
function roundsAt(position: number): number {
  const [page, at] = [Math.floor(position / 30), position % 30]
  return at < 20 ? page * 20 + at : at % (page * 20 + 20)
}

export function playlistsOf(
  seed: number,
  channels: readonly Channel[],
  video: (channel: Channel, upload: number) => Video,
): Playlist[] {
  const byKey = new Map(channels.map((channel) => [channel.key, channel]))
  const named = (key: string): Channel => {
    const channel = byKey.get(key)
    if (channel === undefined) throw new Error(`no channel is planned as ${key}`)
    return channel
  }
  const find: Find = (key, upload) => video(named(key), upload)

  return PLANS.map(({ key, title, note, length, at, owner, state, shape, counts }, number) => ({
    number,
    key,
    playlistId: playlistIdOf(seed, number),
    title,
    owner: named(owner ?? 'small'),
    state: state ?? 'ok',
    shape: shape ?? 'videos',
    length,
    counts: counts ?? null,
    at: (position) => (at ?? neverAsked)(position, find),
    note,
  }))
}

function specialNumber(key: string): number {
  return SPECIALS.findIndex((special) => special.key === key)
}

function neverAsked(): Video {
  throw new Error('a playlist without items was asked for one')
}

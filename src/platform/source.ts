/** A source: one pasted line, read as the video, playlist or channel that it names. */
import { LIMITS } from '../config.ts'
import { composed } from '../text/outside-text.ts'
import { plainLink, readLink } from './source-link.ts'

/** Which part of a channel: one tab, or null for everything, newest first. */
export type ChannelTab = 'videos' | 'shorts' | 'streams'

export type VideoSource = {
  kind: 'video'
  videoId: string
  /** The list named beside the video (`watch?v=X&list=Y`), which is not taken up; else null. */
  besidePlaylistId: string | null
}

export type ListSource =
  | { kind: 'playlist'; playlistId: string }
  /** `name` is a channel id (`UC…`) or the path of its page (`/@handle`, `/c/name`, `/user/name`). */
  | { kind: 'channel'; name: string; tab: ChannelTab | null }

export type Source = VideoSource | ListSource

/** Why a line is no source: a name for tests and one sentence for the customer. */
export type SourceReading =
  { kind: 'source'; source: Source } | { kind: 'rejected'; reason: string; sentence: string }

const VIDEO_ID = /^[\w-]{11}$/
const VIDEO_ID_START = /^[\w-]{11}/
const CHANNEL_ID = /^UC[\w-]{22}$/
const PLAYLIST_ID = /^(?:PL|UU|FL|EC|SP|OLAK5uy_|EL|VLPL)[\w-]{10,60}$/
const HANDLE = /^@[\p{L}\p{N}\p{M}_.·-]{1,100}$/u

const SENTENCES = {
  blank: 'it is empty',
  too_long: `it is longer than ${LIMITS.sourceLineChars} characters`,
  not_a_link: 'it is neither an address of the video platform nor a video, playlist or channel id',
  other_site: 'it is a link to another site',
  bad_video_id: 'it has no complete video id (11 letters, digits, "-" or "_")',
  bad_playlist_id: 'it has no complete playlist id',
  bad_channel: 'it has no complete channel id or handle',
  mix: 'it is a mix, which is made for one viewer and never ends; send a playlist instead',
  personal_list:
    'it is a personal list (such as Watch later or Liked videos), which only its owner can see',
  temporary_list: 'it is a temporary list; send the videos or a saved playlist',
  home: 'it is the home page; send a video, playlist or channel',
  search: 'it is a page of search results; send a video, playlist or channel',
  hashtag: 'it is a hashtag page; send a video, playlist or channel',
  feed: 'it is a personal feed; send a video, playlist or channel',
  post: 'it is a post; send the address of the video instead',
  clip: 'it is a clip; open it and send the address of the full video',
  list_of_lists: 'it is a list of playlists; send the playlists themselves',
  no_videos_page: 'this page lists no videos; send a video, playlist or channel',
} as const

export type RejectionReason = keyof typeof SENTENCES

/** First path parts that are pages of the platform, never the legacy name of a channel. */
const PAGES: Readonly<Record<string, RejectionReason>> = {
  results: 'search',
  hashtag: 'hashtag',
  feed: 'feed',
  post: 'post',
  clip: 'clip',
  ...Object.fromEntries(
    [
      'shop',
      't',
      'gaming',
      'premium',
      'about',
      'account',
      'ads',
      'api',
      'channels',
      'charts',
      'creators',
      'error',
      'explore',
      'howyoutubeworks',
      'iframe_api',
      'index',
      'jobs',
      'kids',
      'login',
      'logout',
      'movies',
      'music',
      'new',
      'news',
      'oops',
      'paid_memberships',
      'playables',
      'press',
      'profile',
      'reporthistory',
      's',
      'signin',
      'source',
      'sports',
      'storefront',
      'trending',
      'tv',
      'upload',
      'verify',
      'yt',
      'youtubei',
      'ytscframe',
      'sw.js',
      'robots.txt',
      'favicon.ico',
      'get_video_info',
      'timedtext_video',
      'select_site',
      'testtube',
      'create_channel',
      'analytics',
      'live_dashboard',
      'my_videos',
      'view_all_playlists',
      'subscription_manager',
      'audiolibrary',
    ].map((name) => [name, 'no_videos_page'] as const),
  ),
}

const VIDEO_FOLDERS = new Set([
  'watch',
  'watch_popup',
  'movie',
  'shorts',
  'live',
  'embed',
  'v',
  'e',
  'w',
  'vi',
])

/** The tabs of a channel's page; a reason where the tab lists no videos. */
const TABS: Readonly<Record<string, { tab: ChannelTab | null } | RejectionReason>> = {
  '': { tab: null },
  featured: { tab: null },
  home: { tab: null },
  about: { tab: null },
  videos: { tab: 'videos' },
  shorts: { tab: 'shorts' },
  streams: { tab: 'streams' },
  live: { tab: 'streams' },
  playlists: 'list_of_lists',
  podcasts: 'list_of_lists',
  releases: 'list_of_lists',
  courses: 'list_of_lists',
  community: 'post',
  posts: 'post',
  search: 'search',
  shop: 'no_videos_page',
  store: 'no_videos_page',
  membership: 'no_videos_page',
  channels: 'no_videos_page',
  discussion: 'no_videos_page',
}

/**
 * Reads one pasted line. Pure, total, and the same for every wrapping of an address: scheme or
 * none, mobile and embed hosts, consent and redirect pages, HTML-escaped ampersands. Forms as known
 * in November 2026; `watch?v=X&list=Y` is the video X.
 */
export function readSource(line: string): SourceReading {
  if (line.length > LIMITS.sourceLineChars) return rejected('too_long')
  const text = plainLink(line)
  if (text === '') return rejected('blank')

  const bare = readBareId(text)
  if (bare !== null) return bare

  const link = readLink(text)
  if (link === null) return rejected('not_a_link')
  if (link.site === 'other') return rejected('other_site')
  if (link.site === 'short') return readVideo(link.parts[0] ?? '', link.query)
  return readPage(link.parts, link.query)
}

function readBareId(text: string): SourceReading | null {
  if (VIDEO_ID.test(text)) return video(text, null)
  if (CHANNEL_ID.test(text)) return channel(text, '')
  if (HANDLE.test(text)) return channel(`/${composed(text)}`, '')
  if (/^(?:WL|LL|LM)$/.test(text)) return rejected('personal_list')
  if (PLAYLIST_ID.test(text)) return readPlaylist(text)
  return /^(?:RD|TL|ML)[\w-]{10,60}$/.test(text) ? readPlaylist(text) : null
}

/** `parts` are the decoded parts of the path. */
function readPage(parts: string[], query: URLSearchParams): SourceReading {
  const [first = '', second = '', third = ''] = parts
  const folder = first.toLowerCase()
  const list = query.get('list')
  if (folder === 'playlist' || (folder === 'embed' && second === 'videoseries')) {
    return list === null ? rejected('bad_playlist_id') : readPlaylist(list)
  }
  if (folder === 'embed' && second === 'live_stream') {
    const owner = query.get('channel') ?? ''
    return CHANNEL_ID.test(owner) ? channel(owner, 'live') : rejected('bad_channel')
  }
  if (folder === 'browse') return readBrowse(second)
  if (folder === '' && !query.has('v')) return list === null ? rejected('home') : readPlaylist(list)
  if (folder === '' || VIDEO_FOLDERS.has(folder)) return readVideo(second, query)

  const tab = third.toLowerCase()
  if (folder === 'channel')
    return CHANNEL_ID.test(second) ? channel(second, tab) : rejected('bad_channel')
  if (folder === 'c' || folder === 'user') return named(`/${folder}/`, second, tab)
  if (first.startsWith('@')) {
    const handle = composed(first)
    return HANDLE.test(handle)
      ? channel(`/${handle}`, second.toLowerCase())
      : rejected('bad_channel')
  }
  const page = Object.hasOwn(PAGES, folder) ? PAGES[folder] : undefined
  return page === undefined ? named('/', first, second.toLowerCase()) : rejected(page)
}

/** `music…/browse/VL<list>` and `/browse/UC<channel>`. */
function readBrowse(id: string): SourceReading {
  if (CHANNEL_ID.test(id)) return channel(id, '')
  return id.startsWith('VL') ? readPlaylist(id.slice(2)) : rejected('no_videos_page')
}

function readVideo(inPath: string, query: URLSearchParams): SourceReading {
  const list = query.get('list')
  const candidates = [...query.getAll('v'), ...query.getAll('vi'), inPath]
  const found = candidates
    .map((text) => VIDEO_ID_START.exec(text)?.[0])
    .find((id) => id !== undefined)
  if (found !== undefined) return video(found, list !== null && isPlaylist(list) ? list : null)
  const isNamed = candidates.some((text) => text !== '' && text !== 'watch')
  if (list !== null && !isNamed) return readPlaylist(list)
  return rejected('bad_video_id')
}

function readPlaylist(text: string): SourceReading {
  const playlistId = text.startsWith('VL') ? text.slice(2) : text
  if (playlistId.startsWith('RD')) return rejected('mix')
  if (/^(?:WL|LL|LM)(?:$|[^a-z])/i.test(playlistId)) return rejected('personal_list')
  if (/^(?:TL|MLCT|RLTD)/.test(playlistId)) return rejected('temporary_list')
  if (!isPlaylist(playlistId)) return rejected('bad_playlist_id')
  return { kind: 'source', source: { kind: 'playlist', playlistId } }
}

function isPlaylist(text: string): boolean {
  return PLAYLIST_ID.test(text)
}

function named(folder: string, name: string, tab: string): SourceReading {
  const plain = composed(name)
  if (!/^[\p{L}\p{N}\p{M}_.-]{1,100}$/u.test(plain)) return rejected('bad_channel')
  return channel(`${folder}${plain}`, tab)
}

function channel(name: string, page: string): SourceReading {
  const tab = Object.hasOwn(TABS, page) ? TABS[page] : undefined
  if (tab === undefined) return rejected('no_videos_page')
  if (typeof tab === 'string') return rejected(tab)
  return { kind: 'source', source: { kind: 'channel', name, tab: tab.tab } }
}

function video(videoId: string, besidePlaylistId: string | null): SourceReading {
  return { kind: 'source', source: { kind: 'video', videoId, besidePlaylistId } }
}

function rejected(reason: RejectionReason): SourceReading {
  return { kind: 'rejected', reason, sentence: SENTENCES[reason] }
}

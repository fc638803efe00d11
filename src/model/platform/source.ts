/** A source: one pasted line, read as the video, playlist or channel that it names. */
import { LIMITS } from '../../config/config.ts'
import { composed } from '../../kit/text/outside-text.ts'
import { unwrapped } from './pasted-line.ts'
import {
  CHANNEL_ID,
  idIn,
  isIdForName,
  OTHER_PLAYLIST_ID,
  PLAYLIST_ID,
  videoIdIn,
} from './source-ids.ts'
import { plainLink, readLink } from './source-link.ts'
import { PAGES, PLACES, type RejectionReason, SENTENCES } from './source-refusals.ts'

/** A part of a channel: one tab, or null for everything, newest first. */
export type ChannelTab = 'videos' | 'shorts' | 'streams'

/** `live` is no tab: it leads to what is on air now, one video or nothing. */
type ChannelPage = ChannelTab | 'live'

type ListsTab = 'podcasts' | 'releases' | 'courses' | 'shows'

type VideoSource = {
  kind: 'video'
  videoId: string
  /** The list named beside the video (`watch?v=X&list=Y`), which is not taken up; else null. */
  besidePlaylistId: string | null
}

export type ListSource =
  | { kind: 'playlist'; playlistId: string }
  /** `name` is a channel id (`UC…`) or the path of its page (`/@handle`, `/c/name`, `/user/name`). */
  | { kind: 'channel'; name: string; tab: ChannelPage | null }
  /** A tab of a channel that holds playlists: their videos, list after list. */
  | { kind: 'lists'; name: string; tab: ListsTab }

export type Source = VideoSource | ListSource

/**
 * A source; or why the line is none: a name for tests and one sentence for the customer. `meant` is the address of
 * what stands where something else belongs: it is asked, since a list costs more than one video.
 */
export type SourceReading = { kind: 'source'; source: Source } | Rejected
type Rejected = { kind: 'rejected'; reason: string; sentence: string; meant?: string }

const VIDEO_ID = /^[\w-]{11}$/
const HANDLE = /^@[\p{L}\p{N}\p{M}_.·-]{1,100}$/u

const VIDEO_FOLDERS = new Set(
  'watch watch_popup movie shorts live embed v e w vi live_chat live_chat_replay'.split(' '),
)
const LIST_FOLDERS = new Set(['playlist', 'course'])
/** Folders that people put behind the short domain beside video ids. */
const SHORT_FOLDERS = new Set('playlist shorts live embed channel c user clip'.split(' '))
const PICTURE_FOLDERS = new Set(['vi', 'vi_webp', 'vi_lc', 'an', 'an_webp'])

/** The tabs of a channel's page; a reason where the tab lists no videos. */
const TABS: Readonly<
  Record<string, { tab: ChannelPage | null } | { lists: ListsTab } | RejectionReason>
> = {
  '': { tab: null },
  featured: { tab: null },
  home: { tab: null },
  about: { tab: null },
  videos: { tab: 'videos' },
  shorts: { tab: 'shorts' },
  streams: { tab: 'streams' },
  live: { tab: 'live' },
  playlists: 'list_of_lists',
  podcasts: { lists: 'podcasts' },
  releases: { lists: 'releases' },
  courses: { lists: 'courses' },
  shows: { lists: 'shows' },
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
 * in November 2026; `watch?v=X&list=Y` is the video X. What documents put around an address is
 * taken off only where the line is no source as it stands, so that no line ever changes its meaning.
 */
export function readSource(line: string): SourceReading {
  if (line.length > LIMITS.sourceLineChars) return rejected('too_long')
  const asPasted = readAddress(line)
  const inner = asPasted.kind === 'source' ? null : unwrapped(line)
  if (asPasted.kind === 'source' || inner === null) return asPasted
  const reading = readAddress(inner)
  return reading.kind === 'rejected' && reading.reason === 'not_a_link' ? asPasted : reading
}

/** Returns a text that is equal for two spellings of one source; a list beside a video makes it no other one. */
export function sourceKey(source: Source): string {
  return source.kind === 'video' ? source.videoId : JSON.stringify(source)
}

/** Returns what a source names, whatever its spelling and tab: an id, or a channel's page without regard to case. */
export function subjectOf(source: Source): string {
  if (source.kind === 'video') return source.videoId
  if (source.kind === 'playlist') return source.playlistId
  return isPage(source.name) ? source.name.toLowerCase() : source.name
}

/** Returns whether a subject is a channel's page (`/@handle`), and not an id. */
export function isPage(subject: string): boolean {
  return subject.startsWith('/')
}

function readAddress(line: string): SourceReading {
  const text = plainLink(line)
  if (text === '') return rejected('blank')

  const bare = readBareId(text)
  if (bare !== null) return bare

  const link = readLink(text)
  if (link === null) return rejected('not_a_link')
  const { site, parts, query } = link
  switch (site) {
    case 'platform':
      return readPage(parts, query)
    case 'short':
      return readShort(parts, query)
    case 'studio':
      return parts[0] === 'video' ? readVideo(parts[1] ?? '', query) : rejected('no_videos_page')
    case 'pictures':
      return PICTURE_FOLDERS.has(parts[0] ?? '')
        ? readVideo(parts[1] ?? '', query)
        : rejected('no_videos_page')
    case 'port':
      return rejected('port')
    case 'other':
      return rejected('other_site')
    default:
      return site satisfies never
  }
}

function readBareId(text: string): SourceReading | null {
  if (VIDEO_ID.test(text)) return video(text, null)
  if (CHANNEL_ID.test(text)) return channel(text, '')
  if (HANDLE.test(text)) return handle(text, '')
  if (/^(?:WL|LM|LL(?:[\w-]{22})?)$/.test(text)) return rejected('personal_list')
  if (PLAYLIST_ID.test(text) || OTHER_PLAYLIST_ID.test(text)) return readPlaylist(text)
  return /^(?:RD|TL|MLCT|RLTD)[\w-]{10,60}$/.test(text) ? readPlaylist(text) : null
}

/** Reads an address of the short domain: a video's id, or what people write there instead of behind the long one. */
function readShort(parts: string[], query: URLSearchParams): SourceReading {
  const [first = ''] = parts
  const reading = readVideo(first, query)
  const isPage = first.startsWith('@') || SHORT_FOLDERS.has(first.toLowerCase())
  return reading.kind === 'rejected' && isPage ? readPage(parts, query) : reading
}

/** Reads an address of the long domain. `parts` are the decoded parts of the path. */
function readPage(parts: string[], query: URLSearchParams): SourceReading {
  const [first = '', second = '', third = ''] = parts
  const folder = first.toLowerCase()
  const list = query.get('list')
  if (folder === 'embed' && second === 'live_stream') {
    const owner = query.get('channel') ?? ''
    return byId(owner, 'live')
  }
  const isList = LIST_FOLDERS.has(folder) || (folder === 'embed' && second === 'videoseries')
  if (isList) return readPlaylist(list ?? '')
  if (folder === 'view_play_list') {
    // The form of 2010; in the oldest addresses the id is its 16 hexadecimal digits alone.
    const id = query.get('p') ?? ''
    return readPlaylist(/^[0-9A-F]{16}$/.test(id) ? `PL${id}` : id)
  }
  // The page of a series since 2026-06: `/show/VL<list>?sbp=…`.
  if (folder === 'show' && second.startsWith('VL')) return readPlaylist(second)
  if (folder === 'feeds') return readFeed(query)
  if (folder === 'browse') return readBrowse(second)
  if (folder === '' && !query.has('v')) return list === null ? rejected('home') : readPlaylist(list)
  if (folder === '' || VIDEO_FOLDERS.has(folder)) return readVideo(second, query)

  const tab = third.toLowerCase()
  if (folder === 'channel') return byId(second, tab)
  if (folder === 'c' || folder === 'user') return named(`/${folder}/`, second, tab)
  if (first.startsWith('@')) return handle(first, second.toLowerCase())
  const page = Object.hasOwn(PAGES, folder) ? PAGES[folder] : undefined
  return page === undefined ? named('/', first, second.toLowerCase()) : rejected(page)
}

/** Reads what a feed reader is subscribed to: `feeds/videos.xml?channel_id=UC…|playlist_id=PL…|user=name`. */
function readFeed(query: URLSearchParams): SourceReading {
  const owner = query.get('channel_id')
  if (owner !== null) return byId(owner, '')
  const user = query.get('user')
  return user === null ? readPlaylist(query.get('playlist_id') ?? '') : named('/user/', user, '')
}

/** Reads `music…/browse/VL<list>`, `/browse/MPSP<list>` (the page of a podcast) and `/browse/UC<channel>`. */
function readBrowse(id: string): SourceReading {
  if (CHANNEL_ID.test(id)) return channel(id, '')
  if (id.startsWith('MPSP')) return readPlaylist(id.slice(4))
  return id.startsWith('VL') ? readPlaylist(id) : rejected('no_videos_page')
}

function readVideo(inPath: string, query: URLSearchParams): SourceReading {
  const list = query.get('list')
  const candidates = [...query.getAll('v'), ...query.getAll('vi'), inPath]
  const found = candidates.map(videoIdIn).find((id) => id !== null)
  if (found !== undefined)
    return video(found, list !== null && PLAYLIST_ID.test(list) ? list : null)
  const named = candidates.find((text) => text !== '' && text !== 'watch')
  if (list !== null && named === undefined) return readPlaylist(list)
  return misplaced('bad_video_id', named ?? '')
}

function readPlaylist(text: string): SourceReading {
  const playlistId = text.startsWith('VL') ? text.slice(2) : text
  if (OTHER_PLAYLIST_ID.test(playlistId)) return playlist(playlistId)
  if (playlistId.startsWith('RD')) return rejected('mix')
  if (/^(?:WL|LL|LM)(?:$|[^a-z])/i.test(playlistId)) return rejected('personal_list')
  if (/^(?:TL|MLCT|RLTD)/.test(playlistId)) return rejected('temporary_list')
  return PLAYLIST_ID.test(playlistId)
    ? playlist(playlistId)
    : misplaced('bad_playlist_id', playlistId)
}

function playlist(playlistId: string): SourceReading {
  return { kind: 'source', source: { kind: 'playlist', playlistId } }
}

function named(folder: string, name: string, tab: string): SourceReading {
  const plain = composed(name)
  if (!/^[\p{L}\p{N}\p{M}_.-]{1,100}$/u.test(plain) || isIdForName(plain))
    return misplaced('bad_name', plain)
  return channel(`${folder}${plain}`, tab)
}

function handle(text: string, tab: string): SourceReading {
  const name = composed(text)
  if (isIdForName(name.slice(1))) return misplaced('bad_name', name.slice(1))
  return HANDLE.test(name) ? channel(`/${name}`, tab) : rejected('bad_channel')
}

function byId(text: string, tab: string): SourceReading {
  return CHANNEL_ID.test(text) ? channel(text, tab) : misplaced('bad_channel', text)
}

function channel(name: string, page: string): SourceReading {
  const tab = Object.hasOwn(TABS, page) ? TABS[page] : undefined
  if (tab === undefined) return rejected('no_videos_page')
  if (typeof tab === 'string') return rejected(tab)
  if ('lists' in tab) return { kind: 'source', source: { kind: 'lists', name, tab: tab.lists } }
  return { kind: 'source', source: { kind: 'channel', name, tab: tab.tab } }
}

function video(videoId: string, besidePlaylistId: string | null): SourceReading {
  return { kind: 'source', source: { kind: 'video', videoId, besidePlaylistId } }
}

/** Refuses a text where something of one kind belongs, and says which other it is, where it is one. */
function misplaced(place: keyof typeof PLACES, text: string): SourceReading {
  const refused = rejected(place)
  const reading = readBareId(text.startsWith('@') ? text : idIn(text))
  if (reading?.kind !== 'source') return reading ?? refused
  const { is, path } = spelt(reading.source)
  const meant = `https://www.youtube.com/${path}`
  if (is === PLACES[place]) return { ...refused, meant }
  const sentence = `it has what looks like ${is} where ${PLACES[place]} belongs`
  return { ...refused, sentence, meant }
}

function spelt(source: Source): { is: string; path: string } {
  if (source.kind === 'video') return { is: PLACES.bad_video_id, path: `watch?v=${source.videoId}` }
  if (source.kind === 'playlist')
    return { is: PLACES.bad_playlist_id, path: `playlist?list=${source.playlistId}` }
  const { name } = source
  return isPage(name)
    ? { is: 'a handle', path: name.slice(1) }
    : { is: PLACES.bad_channel, path: `channel/${name}` }
}

function rejected(reason: RejectionReason): Rejected {
  return { kind: 'rejected', reason, sentence: SENTENCES[reason] }
}

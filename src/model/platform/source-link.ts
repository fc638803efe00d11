/** A link of the platform, unwrapped: what a pasted address leads to, and how the platform spells the ids of videos. */
import { withoutInvisible } from '../../kit/text/invisible.ts'
import { trimCharacters } from '../../kit/text/outside-text.ts'

/** An id is 64 bits in 11 characters of 6: the last character has two to spare, which the platform leaves at zero. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const SPARE_BITS = 3

/** Returns whether the platform names the video that was asked for, perhaps in its own spelling. */
export function isSameVideo(named: string, asked: string): boolean {
  return named === asked || named === canonicalVideoId(asked)
}

/** Returns the platform's own spelling: `DJztXj2GPfl` is answered as `DJztXj2GPfk` (recorded), if the video exists. */
export function canonicalVideoId(videoId: string): string {
  const last = ALPHABET.indexOf(videoId.slice(-1))
  return last === -1 ? videoId : videoId.slice(0, -1) + ALPHABET.charAt(last & ~SPARE_BITS)
}

/**
 * The site of a link: `short` is the platform's short domain, where the path is the video id itself; `studio` is where
 * creators edit; `pictures` serves thumbnails. `port` would be one of them, but for the port that it names.
 */
type LinkSite = 'platform' | 'short' | 'studio' | 'pictures' | 'port' | 'other'
export type Link = { site: LinkSite; parts: string[]; query: URLSearchParams }

const WRAPPINGS_MAX = 5
const WRAPPING_CHARACTERS = { start: '<"\'“‘(', end: '>"\'”’)' }
const SHORT_HOSTS = new Set(['youtu.be', 'www.youtu.be', 'y2u.be', 'www.y2u.be'])
const PLATFORM_HOST =
  /^(?:(?:www|m|music|gaming|[a-z]{2})\.)?(?:youtube\.com|youtubekids\.com|youtube-nocookie\.com)$|^youtube\.googleapis\.com$/

const PICTURE_HOST = /^(?:(?:i|s)\d?\.ytimg\.com|(?:img|i\d?)\.youtube\.com)$/

/** Returns the line without what mails, documents and HTML put around an address. */
export function plainLink(line: string): string {
  return trimCharacters(withoutInvisible(line).trim(), WRAPPING_CHARACTERS)
    .replace(/&amp;/gi, '&')
    .trim()
}

/** Reads an address; null where the text is none. */
export function readLink(text: string): Link | null {
  const app = /^vnd\.youtube(?:\.launch)?:(?:\/\/)?(.*)$/i.exec(text)?.[1]
  if (app !== undefined) {
    const target = /^(?:www\.)?youtube\.com\//i.test(app) ? app : `youtu.be/${app}`
    return readLink(target)
  }
  let url = asUrl(text)
  for (let hop = 0; url !== null && hop < WRAPPINGS_MAX; hop += 1) {
    const inner = wrappedIn(url)
    if (inner === null) return linkOf(url)
    url = asUrl(plainLink(inner))
  }
  return null
}

function asUrl(text: string): URL | null {
  const isHttp = /^https?:\/\//i.test(text)
  if (!isHttp && /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return null
  if (/\s/.test(text)) return null
  const address = isHttp ? text : `https://${text.replace(/^\/\//, '')}`
  const url = URL.canParse(address) ? new URL(address) : null
  // A name before the host is a way to make one site look like another.
  if (url === null || url.username !== '' || url.password !== '') return null
  return /\.[^.]/.test(url.hostname) ? url : null
}

/** Returns the address inside a consent, redirect, sign-in, embed or sharing page; null where there is none. */
function wrappedIn(url: URL): string | null {
  // Where a port is named, the host is not the one that it seems to be.
  if (url.port !== '') return null
  const host = hostOf(url)
  const { pathname, searchParams: query } = url
  if (/^(?:consent|accounts)\.(?:google|youtube)\.com$/.test(host)) return query.get('continue')
  if (/^(?:www\.)?google\.[a-z.]{2,6}$/.test(host) && pathname === '/url') {
    return query.get('q') ?? query.get('url')
  }
  if (!PLATFORM_HOST.test(host)) return null
  if (pathname === '/redirect') return query.get('q')
  if (pathname === '/oembed') return query.get('url')
  if (pathname === '/attribution_link') return onPlatform(query.get('u'))
  if (pathname === '/signin') return onPlatform(query.get('next'))
  if (/^#\/?(?=(?:watch|playlist)\?)/.test(url.hash))
    return onPlatform(url.hash.replace(/^#\/?/, '/'))
  return null
}

function onPlatform(path: string | null): string | null {
  return path?.startsWith('/') === true ? `https://www.youtube.com${path}` : path
}

function linkOf(url: URL): Link {
  const host = hostOf(url)
  const parts = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  const query = new URLSearchParams(url.search)
  const afterHash = url.hash.replace(/^#!?/, '')
  if (afterHash.includes('v=') && !query.has('v')) {
    for (const [name, value] of new URLSearchParams(afterHash)) query.append(name, value)
  }
  const site = siteOf(host)
  return { site: site !== 'other' && url.port !== '' ? 'port' : site, parts, query }
}

function siteOf(host: string): LinkSite {
  if (SHORT_HOSTS.has(host)) return 'short'
  if (PLATFORM_HOST.test(host)) return 'platform'
  if (host === 'studio.youtube.com') return 'studio'
  return PICTURE_HOST.test(host) ? 'pictures' : 'other'
}

function hostOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '')
}

function decoded(part: string): string {
  try {
    return withoutInvisible(decodeURIComponent(part))
  } catch {
    return part
  }
}

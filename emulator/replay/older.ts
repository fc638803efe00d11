/**
 * Recordings of before the doctor made them: other clients than ours, without masks, identities and words. They answer
 * every app alike, a playlist's first page is put together of its parts, and words are made up.
 */
import { type JsonObject, json } from '../call.ts'
import { decoded, handleOf, type Matching, stringOf } from './matching.ts'
import type { Asked, Exchange, Replied } from './recording.ts'
import { MADE_UP_VISITOR, repliedOf } from './unrecorded.ts'

type Replies = Map<string, Replied>
/** Replies by what was asked: of players by client and video, of pages by list and tab or by token. */
type Kept = { players: Replies; pages: Replies; heads: Replies; channels: Replies; feeds: Replies }

export function olderMatching(exchanges: readonly Exchange[]): Matching {
  const kept: Kept = {
    players: new Map(),
    pages: new Map(),
    heads: new Map(),
    channels: new Map(),
    feeds: new Map(),
  }
  const firstPages: [string, Replied][] = []
  for (const { asked, reply } of exchanges) {
    if ('failure' in reply) continue
    keep(kept, asked, reply)
    const token = decoded(stringOf(asked.body.continuation))
    const list = playlistIn(token)
    if (list !== null) firstPages.push([`VL${list}`, reply])
  }
  for (const [list, reply] of firstPages)
    kept.pages.set(`${list} `, firstPageOf(list, reply, kept.heads.get(list)))
  return (asked) => replyTo(kept, asked)
}

function keep(
  { players, pages, heads, channels, feeds }: Kept,
  asked: Asked,
  reply: Replied,
): void {
  const { path, query, body, client } = asked
  if (path.endsWith('/feeds/videos.xml')) feeds.set(query.toString(), reply)
  else if (path.endsWith('/reel/reel_item_watch')) {
    const { playerResponse } = parsed(reply)
    if (playerResponse !== undefined)
      players.set(`ANDROID ${query.get('id')}`, repliedOf(json(playerResponse as JsonObject)))
  } else if (path.endsWith('/player'))
    players.set(`${client.name} ${stringOf(body.videoId)}`, reply)
  else if (path.endsWith('/resolve_url')) channels.set(handleOf(stringOf(body.url)), reply)
  else if (body.continuation !== undefined) pages.set(decoded(stringOf(body.continuation)), reply)
  else if (query.has('$fields')) heads.set(stringOf(body.browseId), reply)
  else pages.set(pageKey(body), reply)
}

function pageKey({ browseId, params }: JsonObject): string {
  return `${stringOf(browseId)} ${decoded(stringOf(params))}`
}

function replyTo({ players, pages, heads, channels, feeds }: Kept, asked: Asked): Replied | null {
  const { path, query, body, client } = asked
  if (path.endsWith('/player')) return playerOf(players, client.name, stringOf(body.videoId))
  if (path.endsWith('/resolve_url')) return channels.get(handleOf(stringOf(body.url))) ?? null
  if (path.endsWith('/feeds/videos.xml')) return feeds.get(query.toString()) ?? null
  if (path === '/api/timedtext') return madeUpWords(query)
  if (!path.endsWith('/browse')) return null
  if (body.continuation !== undefined)
    return pages.get(decoded(stringOf(body.continuation))) ?? null
  const list = stringOf(body.browseId)
  const whole = list.startsWith('VL') ? (pages.get(`${list} `) ?? heads.get(list)) : undefined
  return pages.get(pageKey(body)) ?? whole ?? null
}

/** A web player shows no captions of a video; all apps are answered as the recorded ones, their own first. */
function playerOf(players: Replies, client: string, videoId: string): Replied | null {
  if (client === 'WEB' || client === 'MWEB') {
    const known = players.get(`WEB ${videoId}`)
    const subreason = { simpleText: 'The page needs to be reloaded.' }
    const playabilityStatus = {
      status: 'UNPLAYABLE',
      reason: 'Video unavailable',
      errorScreen: { playerErrorMessageRenderer: { subreason } },
    }
    const shown = known === undefined ? { videoDetails: { videoId } } : parsed(known)
    const responseContext = { visitorData: MADE_UP_VISITOR }
    return repliedOf(json({ responseContext, ...shown, playabilityStatus }))
  }
  const [first, second] = client.startsWith('ANDROID')
    ? ['ANDROID', 'VISIONOS']
    : ['VISIONOS', 'ANDROID']
  return players.get(`${first} ${videoId}`) ?? players.get(`${second} ${videoId}`) ?? null
}

/** A token for a first page has no state of pages before it, so it is short. */
const FIRST_PAGE_TOKEN_BYTES_MAX = 100

/** Returns the playlist of a token for its first page: "VL" and its id in protobuf; null for other tokens. */
function playlistIn(token: string): string | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length > FIRST_PAGE_TOKEN_BYTES_MAX) return null
  const text = bytes.toString('latin1')
  return /VL([\w-]{12,64})/.exec(text)?.[1] ?? null
}

type Continued = Record<string, { continuationItems?: unknown[] } | undefined>

/** Puts the items of a continuation into the frame of a playlist's first page. */
function firstPageOf(list: string, reply: Replied, head: Replied | undefined): Replied {
  const page = parsed(reply)
  const frame = head === undefined ? {} : parsed(head)
  const items = ((page.onResponseReceivedActions ?? []) as Continued[]).flatMap((action) => {
    const { appendContinuationItemsAction, reloadContinuationItemsCommand } = action
    const found = appendContinuationItemsAction ?? reloadContinuationItemsCommand
    return found?.continuationItems ?? []
  })
  const playlistId = list.slice('VL'.length)
  const listed = { playlistVideoListRenderer: { contents: items, playlistId } }
  const section = { contents: [{ itemSectionRenderer: { contents: [listed] } }] }
  const tab = { tabRenderer: { selected: true, content: { sectionListRenderer: section } } }
  return repliedOf(
    json({
      responseContext: page.responseContext,
      contents: { twoColumnBrowseResultsRenderer: { tabs: [tab] } },
      header: frame.header ?? page.header,
      metadata: page.metadata,
      microformat: frame.microformat ?? page.microformat,
      sidebar: frame.sidebar ?? page.sidebar,
    }),
  )
}

function parsed({ body }: Replied): JsonObject {
  return JSON.parse(body) as JsonObject
}

const WORDS = 120
const WORDS_A_LINE = 6
const LINE_MS = 2_400

/** Makes up words in json3; every tenth names the language, so that a wrong track shows. */
function madeUpWords(query: URLSearchParams): Replied {
  const language = query.get('lang') ?? ''
  const events = Array.from({ length: WORDS / WORDS_A_LINE }, (_, line) => {
    const words = Array.from({ length: WORDS_A_LINE }, (_word, at) => {
      const number = line * WORDS_A_LINE + at
      return number % 10 === 0 ? `word${number}-${language}` : `word${number}`
    })
    const segs = [{ utf8: words.join(' ') }]
    return { tStartMs: line * LINE_MS, dDurationMs: LINE_MS, segs }
  })
  return repliedOf(json({ wireMagic: 'pb3', events }))
}

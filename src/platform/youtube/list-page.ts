/**
 * One page of a list on one route. A channel's videos come from its uploads playlists, 100 a page
 * (`UU` all, `UULF` videos, `UUSH` Shorts, `UULV` streams); where those are missing, from its tabs.
 */
import type { Hold } from '../egress/lanes.ts'
import type { ListedVideo, ListingAnswer } from '../platform.ts'
import type { ChannelTab, ListSource } from '../source.ts'
import { type Asking, askJson } from './asking.ts'
import type { ClientProfile } from './clients.ts'
import { type Hurdle, hurdle } from './hurdle.ts'
import { hasSeen, type ListCursor, readCursor, type Stage, withSeen, writeCursor } from './list-cursor.ts'
import { at } from './json.ts'
import { type ListReading, readListing } from './listing.ts'
import { readPlayer } from './player.ts'
import type { Attempted } from './question.ts'
import { resolveChannel } from './resolve.ts'

export type PageOutcome = Exclude<ListingAnswer, { kind: 'obstructed' }>

/** `params` of a channel's tabs and of "show unavailable videos" (recorded 2026-01 to 2026-05). */
const TAB_PARAMS: Record<ChannelTab, string> = {
  videos: 'EgZ2aWRlb3PyBgQKAjoA',
  shorts: 'EgZzaG9ydHPyBgUKA5oBAA%3D%3D',
  streams: 'EgdzdHJlYW1z8gYECgJ6AA%3D%3D',
}
const SHOW_UNAVAILABLE = 'wgYCCAA%3D'
const UPLOADS: Record<ChannelTab | 'all', string> = { all: 'UU', videos: 'UULF', shorts: 'UUSH', streams: 'UULV' }

/** Alerts that say that nobody may see this list; other error texts stay obstacles. */
const MISSING = /does not exist|unviewable|terminated|violat|removed|not available|unavailable|isn't available|private/
/** More than this many pages in a row without a video are the platform's way of not ending. */
const EMPTY_PAGES_MAX = 3
/** Redirects (at most three were ever seen) and fallbacks of one first page. */
const MOVES_MAX = 5

export type PageVisit = { asking: Asking; hold: Hold; client: ClientProfile }

export async function visitPage(
  visit: PageVisit,
  { source, cursor }: { source: ListSource; cursor: string | null },
  signal: AbortSignal,
): Promise<Attempted<PageOutcome>> {
  if (cursor !== null) return walk(visit, readCursor(cursor), signal)
  const begun = await start(visit, source, signal)
  return 'stages' in begun ? walk(visit, begun, signal) : begun
}

/** Reads the page the cursor stands at; redirects and fallbacks of a first page are walked through. */
async function walk(
  visit: PageVisit,
  cursor: ListCursor,
  signal: AbortSignal,
): Promise<Attempted<PageOutcome>> {
  let here = cursor
  for (let moves = 0; moves <= MOVES_MAX; moves += 1) {
    const [stage, ...later] = here.stages
    if (stage === undefined) return page(here, [], null)
    const asked = await askStage(visit, stage, here.token, signal)
    const isGone = asked.kind === 'hurdle' && asked.hurdle.said === 'NOT_FOUND'
    if (asked.kind === 'hurdle' && !isGone) return asked
    const list = asked.kind === 'answered' ? asked.answer : null

    const moved = here.token === null && list !== null ? movedTo(stage, list, here.tab) : null
    if (moved !== null) {
      here = { ...here, stages: [moved] }
      continue
    }
    const elsewhere = here.token === null ? elsewhereOf(stage, list) : []
    if (elsewhere.length === 0) {
      if (list !== null) return conclude(here, stage, list)
      return here.hasBegun ? page(here, [], nextOf(here, null, 0)) : missing('There is nothing at this address.')
    }
    here = { ...here, stages: [...elsewhere, ...later], ownerName: list?.ownerName ?? here.ownerName }
  }
  return { kind: 'hurdle', hurdle: hurdle('unknown', { said: 'the list leads in a circle' }) }
}

/** Where to look instead of a first page that is missing or empty. */
function elsewhereOf(stage: Stage, list: ListReading | null): Stage[] {
  const isEmpty = list === null || (list.videos.length === 0 && list.token === null)
  return isEmpty ? fallbackOf(stage) : []
}

/** Where a source begins; a channel named by its page is resolved first. */
async function start(
  { asking, hold, client }: PageVisit,
  source: ListSource,
  signal: AbortSignal,
): Promise<ListCursor | Attempted<PageOutcome>> {
  const fresh = { token: null, ownerName: null, seen: '', empty: 0, hasBegun: false }
  if (source.kind === 'playlist') {
    return { ...fresh, tab: null, stages: [{ playlistId: source.playlistId, channelId: null, tab: null }] }
  }
  let channelId = source.name
  if (!channelId.startsWith('UC')) {
    const resolved = await resolveChannel(asking, hold, { path: source.name, client }, signal)
    if (resolved.kind === 'hurdle') return resolved
    if (resolved.kind === 'missing') return missing('There is no channel at this address.')
    channelId = resolved.channelId
  }
  return { ...fresh, tab: source.tab, stages: [uploadsOf(channelId, source.tab)] }
}

function uploadsOf(channelId: string, tab: ChannelTab | null): Stage {
  return { playlistId: `${UPLOADS[tab ?? 'all']}${channelId.slice(2)}`, channelId, tab }
}

async function askStage(
  { asking, hold, client }: PageVisit,
  stage: Stage,
  token: string | null,
  signal: AbortSignal,
): Promise<Attempted<ListReading>> {
  const body = token === null ? browseBody(stage) : { continuation: token }
  const call = { name: 'browse', client, body, fields: null } as const
  let reading: ListReading | null = null
  const judge = (value: unknown): Hurdle | null => {
    reading = readListing(value)
    if (reading.alert !== null && /unknown error/i.test(reading.alert)) return hurdle('server_error')
    if (at(value, 'playabilityStatus') !== undefined) return blockIn(value)
    return reading.hasFrame || reading.alert !== null ? null : NOTHING
  }
  const answer = await askJson(asking, hold, { ...call, judge }, signal)
  // A stray token's page holds nothing, time and again: that is the end, as seen in 2026-09.
  if (answer.kind === 'hurdle' && answer.hurdle === NOTHING && token !== null) {
    return { kind: 'answered', answer: readListing({}) }
  }
  if (answer.kind === 'hurdle') return answer
  return { kind: 'answered', answer: reading ?? readListing(answer.value) }
}

/** Neither items nor a place for them: asked for again first, since it may have been an accident. */
const NOTHING = hurdle('nothing')

/** A refusal meant for players, where a list was asked for. */
function blockIn(value: unknown): Hurdle {
  const refused = readPlayer(value, '')
  return refused.kind === 'hurdle' ? refused.hurdle : hurdle('unreadable')
}

function browseBody({ playlistId, channelId, tab }: Stage): Record<string, string> {
  if (playlistId === null) return { browseId: channelId, params: TAB_PARAMS[tab] }
  return { browseId: `VL${playlistId}`, params: SHOW_UNAVAILABLE }
}

/** A channel whose uploads list is missing or empty is read tab by tab. */
function fallbackOf({ playlistId, channelId, tab }: Stage): Stage[] {
  if (playlistId === null || channelId === null) return []
  const tabs: ChannelTab[] = tab === null ? ['videos', 'streams', 'shorts'] : [tab]
  return tabs.map((each) => ({ playlistId: null, channelId, tab: each }))
}

/** A channel or list that moved: the new one is begun like any other. */
function movedTo(stage: Stage, { redirectId, videos }: ListReading, tab: ChannelTab | null): Stage | null {
  if (redirectId === null || videos.length > 0) return null
  if (stage.channelId !== null && redirectId.startsWith('UC')) return uploadsOf(redirectId, tab)
  const isList = redirectId.startsWith('VL') && stage.channelId === null
  return isList ? { playlistId: redirectId.slice(2), channelId: null, tab: null } : null
}

function conclude(here: ListCursor, stage: Stage, list: ListReading): Attempted<PageOutcome> {
  if (list.alert !== null && list.videos.length === 0) {
    const isMissing = MISSING.test(list.alert.toLowerCase().replaceAll('’', "'"))
    if (isMissing && here.hasBegun && here.token === null) return page(here, [], nextOf(here, null, 0))
    if (isMissing && here.token === null) return missing(list.alert)
    return { kind: 'hurdle', hurdle: hurdle('unknown', { said: list.alert }) }
  }
  // A channel without the tab shows its home page instead: that is an empty tab, not its videos.
  const isOtherTab = here.token === null && stage.playlistId === null && list.tab !== stage.tab
  const listed = isOtherTab ? [] : list.videos
  const ownerName = list.ownerName ?? here.ownerName
  const isChannel = stage.channelId !== null
  const videos = listed.map((video) => ({
    ...video,
    channelName: video.channelName ?? (isChannel ? ownerName : null),
  }))
  const token = isOtherTab ? null : list.token
  const isStuck = token !== null && token === here.token
  if (isStuck && here.empty >= EMPTY_PAGES_MAX) {
    return { kind: 'hurdle', hurdle: hurdle('unknown', { said: 'the list repeats the same page' }) }
  }
  // The page before came again: what was asked for may come when it is asked for again.
  const named = { ...here, ownerName }
  if (isStuck) return page(named, [], writeCursor({ ...named, empty: here.empty + 1 }))
  return page(named, videos, nextOf(named, token, videos.length))
}

/** Null where everything was listed: no token, one that came before, or nothing but empty pages. */
function nextOf(here: ListCursor, token: string | null, count: number): string | null {
  const empty = count === 0 ? here.empty + 1 : 0
  const isOver = token === null || hasSeen(here, token) || empty > EMPTY_PAGES_MAX
  if (!isOver) return writeCursor({ ...here, token, empty, seen: withSeen(here, token), hasBegun: true })
  return nextPartOf(here)
}

/** The stage after this one; null where this is the last. */
function nextPartOf(here: ListCursor): string | null {
  const stages = here.stages.slice(1)
  if (stages.length === 0) return null
  return writeCursor({ ...here, stages, token: null, seen: '', empty: 0, hasBegun: true })
}

function page(
  here: ListCursor,
  videos: ListedVideo[],
  next: string | null,
): Attempted<PageOutcome> {
  const answer = { kind: 'page', videos, next, nextPart: nextPartOf(here) } as const
  return { kind: 'answered', answer }
}

function missing(text: string): Attempted<PageOutcome> {
  return { kind: 'answered', answer: { kind: 'missing', text } }
}

/**
 * The next page of one part of a listing. A channel's videos come from its uploads playlists, 100 a page (`UU` all,
 * `UULF` videos, `UUSH` Shorts, `UULV` streams), or from its tabs where those are missing.
 */
import type { ListAbout, ListedVideo, Missing } from '../platform.ts'
import { platformSays } from '../../model/platform/platform-says.ts'
import type { ChannelTab } from '../../model/platform/source.ts'
import { requestJson } from './calls.ts'
import type { ClientProfile } from './clients.ts'
import { at } from './json.ts'
import {
  countOfPart,
  hasSeen,
  type ListCursor,
  type Part,
  partOf,
  type Stage,
  withSeen,
} from './list-cursor.ts'
import type { ItemPlace } from './list-item.ts'
import {
  endOf,
  firstPageToken,
  holdsAll,
  IDLE_PAGES_MAX,
  mayHoldMore,
  otherWays,
} from './list-end.ts'
import { type ListReading, readListing } from './listing.ts'
import {
  isObstructed,
  type NamedObstacle,
  obstacle,
  type Obstructed,
  obstructed,
  ruleOf,
} from './obstacle.ts'
import { readPlayer } from './player.ts'
import { noteSeen } from './seen-videos.ts'
import type { Session } from './session.ts'
import { askInTurn } from './turns.ts'

export type PartReading =
  /** `seenVideos` is the listing's record after this page. */
  | { kind: 'page'; videos: ListedVideo[]; part: Part; about: ListAbout; seenVideos: string }
  /** The channel or list has moved: reading begins at `stage`. */
  | { kind: 'moved'; stage: Stage }
  /** The list is missing or empty: `stages` hold what it should hold. */
  | { kind: 'instead'; stages: Stage[] }
  | Missing

/** The `params` of a channel's tabs, and below of "show unavailable videos" (recorded 2026-01 to 2026-05). */
const TAB_PARAMS: Record<ChannelTab, string> = {
  videos: 'EgZ2aWRlb3PyBgQKAjoA',
  shorts: 'EgZzaG9ydHPyBgUKA5oBAA%3D%3D',
  streams: 'EgdzdHJlYW1z8gYECgJ6AA%3D%3D',
}
const SHOW_UNAVAILABLE = 'wgYCCAA%3D'
const UPLOADS: Record<ChannelTab | 'all', string> = {
  all: 'UU',
  videos: 'UULF',
  shorts: 'UUSH',
  streams: 'UULV',
}
const KINDS: ChannelTab[] = ['videos', 'streams', 'shorts']

/** Alerts that say that nobody may see this list; other alerts are obstacles. */
const MISSING =
  /does not exist|unviewable|terminated|violat|removed|not available|unavailable|isn't available|private/

/** The platform's word for what it does not know, which comes with no sentence. */
const NOT_FOUND = 'NOT_FOUND'

/** Returns that there is no list, in the platform's words where it has some; an obstacle for any other alert. */
export function denialBy(alert: string): Missing | Obstructed {
  if (alert === NOT_FOUND) return { kind: 'missing', text: 'There is nothing at this address.' }
  if (!MISSING.test(alert.toLowerCase().replaceAll('’', "'")))
    return obstructed('unknown', { said: alert })
  return { kind: 'missing', text: platformSays(alert) ?? alert }
}

export function uploadsOf(channelId: string, tab: ChannelTab | null): Stage {
  return { playlistId: `${UPLOADS[tab ?? 'all']}${channelId.slice(2)}`, channelId, tab }
}

export async function readListPart(
  session: Session,
  part: Part,
  cursor: ListCursor,
): Promise<PartReading | Obstructed> {
  const { stage, token } = part
  const list = await askStage(session, part)
  if (isObstructed(list)) return list
  if (token === null) {
    const moved = movedTo(stage, list, cursor.tab)
    if (moved !== null) return { kind: 'moved', stage: moved }
    const stages = isEmpty(list) ? insteadOf(stage) : []
    if (stages.length > 0) return { kind: 'instead', stages }
  }
  const reading = conclude(part, list, cursor)
  if (reading.kind !== 'page' || token !== null || !mayHoldMore(reading.part, list)) return reading
  return (await readOtherwise(session, { reading, list }, cursor)) ?? reading
}

type PageReading = Extract<PartReading, { kind: 'page' }>

/**
 * Asks in other ways for a list whose first page is cut. Returns the first page of one that has more of it, or the
 * block that kept us from asking; null where none has.
 */
async function readOtherwise(
  session: Session,
  { reading: { part, about }, list: { isOfShorts } }: { reading: PageReading; list: ListReading },
  cursor: ListCursor,
): Promise<PageReading | Obstructed | null> {
  for (const stage of otherWays(part.stage, isOfShorts)) {
    const asked = await askStage(session, partOf(stage))
    if (isObstructed(asked)) {
      if (ruleOf(asked.obstacle).kind === 'blocked') return asked
      continue
    }
    const { counted, isCountRounded } = part
    const other = conclude({ ...partOf(stage), counted, isCountRounded }, asked, cursor)
    if (other.kind !== 'page' || other.videos.length === 0) continue
    if (!other.part.isOver || other.part.listed > part.listed) return { ...other, about }
  }
  return null
}

function isEmpty({ videos, token }: ListReading): boolean {
  return videos.length === 0 && token === null
}

/** Asks for a part's next page. What the platform does not know is a page with an alert, a passing 404 an obstacle. */
async function askStage(session: Session, part: Part): Promise<ListReading | Obstructed> {
  const { stage, token } = part
  const mayBeOver = token !== null && holdsAll(part)
  const isFirst = token === null && stage.isByToken !== true
  const body = isFirst ? browseBody(stage) : { continuation: token ?? ownToken(stage) }
  const place = placeOf(stage)
  const list = await askInTurn<ListReading>(session, 'browse', {
    async ask(client) {
      const page = await requestPage(session, { client, body, place })
      return mayBeOver && isNothing(page) ? readListing({}, place) : page
    },
    isDenial: (each) => isDenial(part, each) && !(mayBeOver && each.token === null),
  })
  if (!isObstructed(list)) return list
  // The page of a stray token holds nothing however often it is asked for: the list has ended (seen in 2026-09).
  if (token !== null && isNothing(list)) return readListing({}, place)
  if (list.obstacle.said !== NOT_FOUND) return list
  // The client that gave the token may know it: where the route was blocked for it, another's word denies nothing.
  const said = token === null ? [] : [...(session.turns.get('list')?.failed.values() ?? [])]
  const block = said.find((each) => each !== null && ruleOf(each).blame === 'route')
  if (block) return { kind: 'obstructed', obstacle: block }
  return { ...readListing({}, place), alert: NOT_FOUND }
}

function isNothing(list: ListReading | Obstructed): boolean {
  return isObstructed(list) && list.obstacle === NOTHING
}

function placeOf({ playlistId }: Stage): ItemPlace {
  return playlistId === null ? 'tab' : 'playlist'
}

/** Requests a page of a list as one client. */
export async function requestPage(
  session: Session,
  {
    client,
    body,
    place,
  }: { client: ClientProfile; body: Record<string, string>; place: ItemPlace },
): Promise<ListReading | Obstructed> {
  let reading: ListReading | null = null
  const judge = (value: unknown): NamedObstacle | null => {
    reading = readListing(value, place)
    if (reading.isTooLong) return obstacle('too_large')
    if (reading.alert !== null && /unknown error/i.test(reading.alert))
      return obstacle('server_error')
    if (at(value, 'playabilityStatus') !== undefined) return blockIn(value)
    return reading.hasFrame || reading.alert !== null ? null : NOTHING
  }
  const answer = await requestJson(session, { name: 'browse', client, body, judge })
  if (answer.kind === 'obstructed') return answer
  return reading ?? readListing(answer.value, place)
}

/**
 * Whether a page shows no video, or the previous page's again, so that on one client's word the list would end. Where
 * other lists are read in its place, theirs counts; one asked for by our own token is one way of several.
 */
function isDenial({ stage, token }: Part, list: ListReading): boolean {
  if (token !== null) return list.token === token || list.videos.length === 0
  if (stage.isByToken === true || list.redirectId !== null) return false
  if (isOtherTab(stage, token, list)) return true
  const isReplaced = isEmpty(list) && insteadOf(stage).length > 0
  return list.videos.length === 0 && !isReplaced
}

/** Whether a channel without the tab shows its home page instead: that means an empty tab, not its videos. */
function isOtherTab({ playlistId, tab }: Stage, token: string | null, list: ListReading): boolean {
  return token === null && playlistId === null && list.tab !== tab
}

/**
 * The obstacle of a reply with neither items nor a place for them. It is asked for again, since it may be an accident.
 */
const NOTHING = obstacle('nothing')

/** Returns the obstacle of a refusal meant for players that came in answer to a list. */
function blockIn(value: unknown): NamedObstacle {
  const refused = readPlayer(value, '')
  return refused.kind === 'obstructed' ? refused.obstacle : obstacle('unreadable')
}

/** Returns the token for the first page of a stage that is asked for by one. */
function ownToken({ playlistId }: Stage): string {
  return firstPageToken(playlistId ?? '')
}

function browseBody({ playlistId, channelId, tab }: Stage): Record<string, string> {
  if (playlistId === null) return { browseId: channelId, params: TAB_PARAMS[tab] }
  return { browseId: `VL${playlistId}`, params: SHOW_UNAVAILABLE }
}

/**
 * Returns the lists to read in place of a missing one: the uploads of each kind for all uploads, the tab for the
 * uploads of one kind, and none for a tab or a playlist.
 */
function insteadOf({ playlistId, channelId, tab }: Stage): Stage[] {
  if (playlistId === null || channelId === null) return []
  if (tab === null) return KINDS.map((kind) => uploadsOf(channelId, kind))
  return [{ playlistId: null, channelId, tab }]
}

/** Returns where a channel or list has moved, or null; the new one is begun like any other. */
function movedTo(
  stage: Stage,
  { redirectId, videos }: ListReading,
  tab: ChannelTab | null,
): Stage | null {
  if (redirectId === null || videos.length > 0) return null
  if (stage.channelId !== null && redirectId.startsWith('UC')) return uploadsOf(redirectId, tab)
  const isList = redirectId.startsWith('VL') && stage.channelId === null
  return isList ? { playlistId: redirectId.slice(2), channelId: null, tab: null } : null
}

function conclude(
  part: Part,
  list: ListReading,
  cursor: ListCursor,
): PageReading | Missing | Obstructed {
  const { stage } = part
  const { title } = list
  const alert = list.videos.length === 0 ? list.alert : null
  const denial = alert === null ? null : denialBy(alert)
  if (denial !== null && (isObstructed(denial) || part.token === null)) return denial
  const isElsewhere = isOtherTab(stage, part.token, list)
  const read = isElsewhere ? { ...list, videos: [], entries: 0, token: null } : list
  // The header of a tab counts the videos of the whole channel.
  const count = stage.playlistId === null ? null : list.count
  const videoCount = count?.isRounded === false ? count.videos : null
  const ownerName = list.ownerName ?? cursor.ownerName
  const about = { ownerName, title, videoCount }
  const owner = stage.channelId === null ? null : ownerName
  const videos = read.videos.map((video) => ({ ...video, channelName: video.channelName ?? owner }))
  const ids = videos.map(({ videoId }) => videoId)
  const { record, fresh } = noteSeen(cursor.seenVideos, ids)
  const isTold = count !== null && (part.token === null || part.counted === null)
  const here = isTold ? { ...part, ...countOfPart(count) } : part
  if (read.token !== null && read.token === part.token && fresh === 0) {
    // The previous page came again; the right one may come when it is asked for again.
    const isOver = part.idle + 1 >= IDLE_PAGES_MAX
    if (isOver && endOf(here, { entries: 0, isDenied: true }) !== null)
      return obstructed('unknown', { fact: 'the list repeats the same page' })
    const again = { ...here, idle: part.idle + 1, isOver }
    return { kind: 'page', videos: [], part: again, about, seenVideos: record }
  }
  const next = advance(here, read, { fresh, isDenied: alert !== null })
  const { tab } = cursor
  if (isElsewhere && list.tab !== null && tab !== null)
    next.end = { kind: 'absent', listed: 0, tab }
  return { kind: 'page', videos, part: next, about, seenVideos: record }
}

/** Advances a part. It is over where there is no token, a repeated one, or too many pages without a new video. */
function advance(
  part: Part,
  { token, entries }: ListReading,
  { fresh, isDenied }: { fresh: number; isDenied: boolean },
): Part {
  const idle = fresh > 0 ? 0 : part.idle + 1
  const here = { ...part, idle, listed: part.listed + entries, videos: part.videos + fresh }
  if (token === null || hasSeen(part, token) || idle >= IDLE_PAGES_MAX)
    return { ...here, isOver: true, end: endOf(here, { entries, isDenied }) }
  return { ...here, token, seen: withSeen(part, token) }
}

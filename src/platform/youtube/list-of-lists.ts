/**
 * A channel's podcasts, releases or courses: a tab of playlists, read as the videos of one list after another.
 *
 * Its cursor holds the playlists that are still to be read, the position in the first of them, and the tab's next page.
 */
import type { ListedVideo, ListPage, Missing, PageInput } from '../platform.ts'
import type { ListSource } from '../../model/platform/source.ts'
import { at, textAt } from './json.ts'
import { hasSeen, withSeen } from './list-cursor.ts'
import { denialBy, requestPage } from './list-part.ts'
import type { ListReading } from './listing.ts'
import { type CarriedVisitors, carryVisitors, visitorsToCarry } from './newest-visitor.ts'
import { isObstructed, type Obstructed, obstructed } from './obstacle.ts'
import { resolveUrl } from './resolve.ts'
import type { Session } from './session.ts'
import { askInTurn } from './turns.ts'

type Outcome = ListPage | Missing | Obstructed
type AskPlaylist = (session: Session, ask: PageInput) => Promise<Outcome>
export type ListsSource = ListSource & { kind: 'lists' }

/** `seen` holds marks of the playlists that the tab named, to end a tab that names them for ever. */
type Place = {
  playlistIds: string[]
  inner: string | null
  token: string | null
  seen: string
  visitors?: CarriedVisitors | undefined
}

/** How many missing playlists of one page are skipped at a time. */
const GONE_MAX = 5

/** Reads the next page of a tab of playlists; `channelId` is the source's channel. */
export async function askLists(
  session: Session,
  { channelId, tab, cursor }: { channelId: string; tab: ListsSource['tab']; cursor: string | null },
  askPlaylist: AskPlaylist,
): Promise<Outcome> {
  const begun = cursor === null ? await begin(session, channelId, tab) : readPlace(cursor)
  if ('kind' in begun) return begun
  carryVisitors(session.lease, begun.visitors)
  let place = begun
  for (let gone = 0; gone <= GONE_MAX; gone += 1) {
    const [playlistId, ...rest] = place.playlistIds
    if (playlistId === undefined) {
      if (place.token === null) return page(session, [], null)
      const next = await askTab(session, { continuation: place.token })
      if ('kind' in next) return next
      const { seen } = place
      const playlistIds = next.playlistIds.filter((id) => !hasSeen({ seen }, id))
      // A tab whose next page brings nothing new, or itself again, has ended.
      const isOver = playlistIds.length === 0 || next.token === place.token
      const token = isOver ? null : next.token
      place = { playlistIds, inner: null, token, seen: withAllSeen(seen, playlistIds) }
      continue
    }
    const source = { kind: 'playlist', playlistId } as const
    const asked = await askPlaylist(session, { source, cursor: place.inner })
    if (asked.kind === 'obstructed') return asked
    const inner = asked.kind === 'page' ? asked.next : null
    place = { ...place, inner, playlistIds: inner === null ? rest : place.playlistIds }
    if (asked.kind !== 'page') continue
    const read = page(session, asked.videos, place)
    return asked.end === undefined ? read : { ...read, end: { ...asked.end, playlistId } }
  }
  return page(session, [], place)
}

/**
 * Reads the first page of the tab through the platform's own address of it. A channel without the tab has no such
 * lists.
 */
async function begin(
  session: Session,
  channelId: string,
  tab: ListsSource['tab'],
): Promise<Place | Outcome> {
  const paramsIn = (endpoint: unknown): string | null =>
    textAt(endpoint, 'browseEndpoint', 'params')
  const address = `/channel/${channelId}/${tab}`
  const resolved = await resolveUrl(session, address, (to) => paramsIn(to) !== null)
  if (resolved.kind !== 'json') return resolved
  const params = paramsIn(at(resolved.value, 'endpoint'))
  if (params === null) return obstructed('unknown')
  return askTab(session, { browseId: channelId, params }, tab)
}

async function askTab(
  session: Session,
  body: Record<string, string>,
  tab: ListsSource['tab'] | null = null,
): Promise<Place | Outcome> {
  // A channel without the tab shows its home page.
  const isOther = (reading: ListReading): boolean => tab !== null && reading.tab !== tab
  const reading = await askInTurn<ListReading>(session, 'browse', {
    ask: (client) => requestPage(session, { client, body, place: 'tab' }),
    isDenial: (read) => read.playlistIds.length === 0 || isOther(read),
  })
  if (isObstructed(reading)) return reading
  if (reading.alert !== null) return denialBy(reading.alert)
  if (isOther(reading)) {
    const empty = page(session, [], null)
    const isAbsent = tab !== null && reading.tab !== null
    return isAbsent ? { ...empty, end: { kind: 'absent', listed: 0, tab } } : empty
  }
  const { playlistIds, token } = reading
  return { playlistIds, inner: null, token, seen: withAllSeen('', playlistIds) }
}

function withAllSeen(seen: string, playlistIds: string[]): string {
  return playlistIds.reduce((marks, id) => withSeen({ seen: marks }, id), seen)
}

/** Reads a cursor, one of the release before, too, which had no marks. */
function readPlace(cursor: string): Place {
  return { seen: '', ...(JSON.parse(cursor) as object) } as Place
}

function page({ lease }: Session, videos: ListedVideo[], place: Place | null): ListPage {
  const isOver = place === null || (place.playlistIds.length === 0 && place.token === null)
  const next = isOver ? null : JSON.stringify({ ...place, visitors: visitorsToCarry(lease) })
  return { kind: 'page', videos, next, isEstimated: false, about: null }
}

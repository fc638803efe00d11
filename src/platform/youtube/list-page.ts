/**
 * One page of a list on one route. That is mostly one page of the platform; where a channel is read from several lists,
 * as many as are needed to know what comes next.
 */
import type { ListAbout, ListedVideo, ListPage, Missing, PageInput } from '../platform.ts'
import type { ListSource } from '../../model/platform/source.ts'
import { requestPublishedAt } from './calls.ts'
import {
  type Dated,
  type ListCursor,
  type Part,
  partOf,
  readCursor,
  writeCursor,
} from './list-cursor.ts'
import { endOfAll } from './list-end.ts'
import { type AskInstant, datePage, needsPage, takeNewest } from './list-order.ts'
import { type PartReading, readListPart, uploadsOf } from './list-part.ts'
import { askLists, type ListsSource } from './list-of-lists.ts'
import { carryVisitors, visitorsToCarry } from './newest-visitor.ts'
import { askOnAir, resolveChannel } from './resolve.ts'
import { type Obstructed, obstructed } from './obstacle.ts'
import type { Session } from './session.ts'

type PageOutcome = ListPage | Missing | Obstructed

/** The most reads for one page: redirects (at most three were ever seen), and the list and tab of every kind. */
const READS_MAX = 12

export async function askPage(
  session: Session,
  { source, cursor }: PageInput,
): Promise<PageOutcome> {
  if (source.kind === 'lists') return askTabOfLists(session, source, cursor)
  const begun = cursor === null ? await begin(session, source) : readCursor(cursor)
  if (!('parts' in begun)) return begun
  carryVisitors(session.lease, begun.visitors)
  return readOn(session, begun)
}

async function askTabOfLists(
  session: Session,
  { name, tab }: ListsSource,
  cursor: string | null,
): Promise<PageOutcome> {
  // Further pages are requested from the playlists themselves.
  if (cursor !== null) return askLists(session, { channelId: name, tab, cursor }, askPage)
  const found = await resolveChannel(session, name)
  if (found.kind !== 'found') return found
  return askLists(session, { channelId: found.channelId, tab, cursor }, askPage)
}

/** Returns where a source begins; a channel named by its page is resolved first. */
async function begin(
  session: Session,
  source: Exclude<ListSource, ListsSource>,
): Promise<ListCursor | PageOutcome> {
  const fresh = { ownerName: null, hasBegun: false, seenVideos: '' }
  if (source.kind === 'playlist') {
    const part = partOf({ playlistId: source.playlistId, channelId: null, tab: null })
    return { ...fresh, tab: null, parts: [part] }
  }
  const found = await resolveChannel(session, source.name)
  if (found.kind !== 'found') return found
  const { channelId } = found
  if (source.tab === 'live') return askOnAir(session, channelId)
  return { ...fresh, tab: source.tab, parts: [partOf(uploadsOf(channelId, source.tab))] }
}

/** Reads each part without waiting videos once, and returns the newest videos of all. */
async function readOn(session: Session, cursor: ListCursor): Promise<PageOutcome> {
  let here = cursor
  let about: ListAbout | null = null
  const read = new Set<string>()
  for (let reads = 0; reads <= READS_MAX; reads += 1) {
    const part = here.parts.find((each) => needsPage(each) && !read.has(markOf(each)))
    if (part === undefined) return pageFrom(session, here, cursor.hasBegun ? null : about)
    const reading = await readListPart(session, part, here)
    if (reading.kind === 'obstructed') return reading
    if (reading.kind === 'missing' && !here.hasBegun) return reading
    if (reading.kind === 'page') {
      about = withAbout(about, reading.about)
      read.add(markOf(part))
    }
    here = await withReading(session, here, { part, reading })
  }
  return obstructed('unknown', { fact: 'the list leads in a circle' })
}

const markOf = ({ stage }: Part): string => JSON.stringify(stage)

/** Returns the cursor after one part was read. */
async function withReading(
  session: Session,
  here: ListCursor,
  { part, reading }: { part: Part; reading: PartReading },
): Promise<ListCursor> {
  const inItsPlace = (...parts: Part[]): ListCursor => ({
    ...here,
    parts: here.parts.toSpliced(here.parts.indexOf(part), 1, ...parts),
  })
  switch (reading.kind) {
    case 'moved':
      return { ...here, parts: [partOf(reading.stage)] }
    case 'instead':
      return inItsPlace(...reading.stages.map((stage) => partOf(stage)))
    case 'missing':
      return inItsPlace({ ...part, isOver: true })
    case 'page': {
      const waiting = await datedOf(session, reading.videos, here.parts.length === 1)
      const { ownerName } = reading.about
      const { seenVideos } = reading
      return { ...inItsPlace({ ...reading.part, waiting }), ownerName, hasBegun: true, seenVideos }
    }
    default:
      return reading satisfies never
  }
}

/** Dates the videos of a page. A list that is read alone keeps its own order, so no date is asked for. */
async function datedOf(
  session: Session,
  videos: ListedVideo[],
  isAlone: boolean,
): Promise<Dated[]> {
  if (isAlone) return videos.map((video) => ({ video, atMs: 0 }))
  const ask: AskInstant = async (videoId) => {
    const reading = await requestPublishedAt(session, videoId)
    return reading.kind === 'dated' ? Date.parse(reading.publishedAt) : null
  }
  return datePage(videos, ask, session.context.now().getTime())
}

/**
 * Adds what one list says about itself. A channel that is read from several lists has as many videos as they have
 * together.
 */
function withAbout(known: ListAbout | null, read: ListAbout): ListAbout {
  if (known === null) return read
  const isCounted = known.videoCount !== null && read.videoCount !== null
  return {
    title: known.title ?? read.title,
    ownerName: known.ownerName ?? read.ownerName,
    videoCount: isCounted ? (known.videoCount ?? 0) + (read.videoCount ?? 0) : null,
  }
}

function pageFrom(session: Session, here: ListCursor, about: ListAbout | null): ListPage {
  const { videos, parts } = takeNewest(here.parts)
  const isOver = parts.every((part) => part.isOver && part.waiting.length === 0)
  const visitors = visitorsToCarry(session.lease)
  const next = isOver ? null : writeCursor({ ...here, parts, visitors })
  const page: ListPage = { kind: 'page', videos, next, isEstimated: parts.length > 1, about }
  const end = isOver ? endOfAll(parts) : undefined
  return end === undefined ? page : { ...page, end }
}

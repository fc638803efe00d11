/**
 * One page of a list on one route. That is mostly one page of the platform; where a channel is read from several lists,
 * as many as are needed to know what comes next.
 */
import type { ChannelAnswer, ListAbout, ListedVideo, ListingAnswer } from '../platform.ts'
import type { ListSource } from '../../model/platform/source.ts'
import {
  type Dated,
  type ListCursor,
  type Part,
  partOf,
  readCursor,
  writeCursor,
} from './list-cursor.ts'
import { type AskInstant, datePage, isHungry, takeNewest } from './list-order.ts'
import { type PartReading, readPart, uploadsOf } from './list-part.ts'
import { askLists, type ListsSource } from './list-of-lists.ts'
import { askOnAir, resolveChannel } from './resolve.ts'
import { type Attempted, obstructed } from './obstacle.ts'
import type { Session } from './session.ts'

export type PageOutcome = Exclude<ListingAnswer, { kind: 'obstructed' }>

/** The most reads for one page: redirects (at most three were ever seen), and the list and tab of every kind. */
const READS_MAX = 12

export async function askPage(
  session: Session,
  { source, cursor }: { source: ListSource; cursor: string | null },
): Promise<Attempted<PageOutcome>> {
  if (source.kind === 'lists') return askTabOfLists(session, source, cursor)
  if (cursor !== null) return readOn(session, readCursor(cursor))
  const begun = await begin(session, source)
  return 'parts' in begun ? readOn(session, begun) : begun
}

async function askTabOfLists(
  session: Session,
  { name, tab }: ListsSource,
  cursor: string | null,
): Promise<Attempted<PageOutcome>> {
  // Further pages are requested from the playlists themselves.
  const channel = cursor === null ? await channelIdOf(session, name) : name
  return typeof channel === 'string'
    ? askLists(session, { channelId: channel, tab, cursor }, askPage)
    : channel
}

/** Finds the channel behind the path of its page. */
export async function askChannel(
  session: Session,
  path: string,
): Promise<Attempted<Exclude<ChannelAnswer, { kind: 'obstructed' }>>> {
  const resolved = await resolveChannel(session, path)
  switch (resolved.kind) {
    case 'obstructed':
      return resolved
    case 'missing':
      return {
        kind: 'answered',
        answer: { kind: 'missing', text: 'There is no channel at this address.' },
      }
    case 'channel':
      return { kind: 'answered', answer: { kind: 'found', channelId: resolved.channelId } }
    default:
      return resolved satisfies never
  }
}

/** Returns where a source begins; a channel named by its page is resolved first. */
async function begin(
  session: Session,
  source: Exclude<ListSource, ListsSource>,
): Promise<ListCursor | Attempted<PageOutcome>> {
  const fresh = { ownerName: null, hasBegun: false }
  if (source.kind === 'playlist') {
    return {
      ...fresh,
      tab: null,
      parts: [partOf({ playlistId: source.playlistId, channelId: null, tab: null })],
    }
  }
  const channelId = await channelIdOf(session, source.name)
  if (typeof channelId !== 'string') return channelId
  if (source.tab === 'live') return askOnAir(session, channelId)
  return { ...fresh, tab: source.tab, parts: [partOf(uploadsOf(channelId, source.tab))] }
}

async function channelIdOf(
  session: Session,
  name: string,
): Promise<string | Attempted<PageOutcome>> {
  if (name.startsWith('UC')) return name
  const found = await askChannel(session, name)
  if (found.kind === 'obstructed') return found
  return found.answer.kind === 'missing' ? missing(found.answer.text) : found.answer.channelId
}

/** Reads each part without waiting videos once, and returns the newest videos of all. */
async function readOn(session: Session, cursor: ListCursor): Promise<Attempted<PageOutcome>> {
  let here = cursor
  let about: ListAbout | null = null
  const read = new Set<string>()
  for (let reads = 0; reads <= READS_MAX; reads += 1) {
    const place = here.parts.findIndex((part) => isHungry(part) && !read.has(markOf(part)))
    const part = here.parts[place]
    if (part === undefined) return giveOut(here, cursor.hasBegun ? null : about)
    const asked = await readPart(session, part, here)
    if (asked.kind === 'obstructed') return asked
    if (asked.answer.kind === 'missing' && !here.hasBegun) return missing(asked.answer.text)
    if (asked.answer.kind === 'page') about = withAbout(about, asked.answer)
    here = await withReading(session, here, { place, reading: asked.answer })
    const after = here.parts[place]
    if (asked.answer.kind === 'page' && after !== undefined) read.add(markOf(after))
  }
  return obstructed('unknown', { said: 'the list leads in a circle' })
}

const markOf = ({ stage }: Part): string => JSON.stringify(stage)

/** Returns the cursor after one part was read. */
async function withReading(
  session: Session,
  here: ListCursor,
  { place, reading }: { place: number; reading: PartReading },
): Promise<ListCursor> {
  switch (reading.kind) {
    case 'moved':
      return { ...here, parts: [partOf(reading.stage)] }
    case 'instead':
      return { ...here, parts: here.parts.toSpliced(place, 1, ...reading.stages.map(partOf)) }
    case 'missing':
      return {
        ...here,
        parts: here.parts.map((part, at) => (at === place ? { ...part, isOver: true } : part)),
      }
    case 'page': {
      const { part, ownerName, videos } = reading
      const waiting = await datedOf(session, { videos, isAlone: here.parts.length === 1 })
      return {
        ...here,
        ownerName,
        hasBegun: true,
        parts: here.parts.with(place, { ...part, waiting }),
      }
    }
    default:
      return reading satisfies never
  }
}

/** Dates the videos of a page. A list that is read alone keeps its own order, so no date is asked for. */
async function datedOf(
  session: Session,
  { videos, isAlone }: { videos: ListedVideo[]; isAlone: boolean },
): Promise<Dated[]> {
  if (isAlone) return videos.map((video) => ({ video, atMs: 0 }))
  const ask: AskInstant = async (videoId) => {
    const reading = await session.publishedAt(videoId)
    return reading.kind === 'dated' ? Date.parse(reading.publishedAt) : null
  }
  return datePage(videos, ask, session.context.now().getTime())
}

/**
 * Adds what one list says about itself. A channel that is read from several lists has as many videos as they have
 * together.
 */
function withAbout(
  known: ListAbout | null,
  { title, ownerName, videoCount }: PartReading & { kind: 'page' },
): ListAbout {
  if (known === null) return { title, ownerName, videoCount }
  const isCounted = known.videoCount !== null && videoCount !== null
  return {
    title: known.title ?? title,
    ownerName: known.ownerName ?? ownerName,
    videoCount: isCounted ? (known.videoCount ?? 0) + (videoCount ?? 0) : null,
  }
}

function giveOut(here: ListCursor, about: ListAbout | null): Attempted<PageOutcome> {
  const { videos, parts } = takeNewest(here.parts)
  const isOver = parts.every((part) => part.isOver && part.waiting.length === 0)
  const next = isOver ? null : writeCursor({ ...here, parts })
  const isEstimated = here.parts.length > 1
  const answer = { kind: 'page', videos, next, isEstimated, about } as const
  return { kind: 'answered', answer }
}

function missing(text: string): Attempted<PageOutcome> {
  return { kind: 'answered', answer: { kind: 'missing', text } }
}

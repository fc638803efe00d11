/**
 * Lists that all jobs share: a page that one job asked for, others read from its copy within the hour, whatever their
 * account and spelling. The first page is always asked for anew, so that new uploads show at once, and so is a
 * playlist's last one; a copy is used as long as its beginning is still the list's.
 *
 * Only answers are kept, never obstacles. Within one process a page that is being asked for is not asked for twice.
 */
import { type ListFacts, listFactsOf } from '../model/library/collection.ts'
import type {
  ListAbout,
  ListedVideo,
  ListEnd,
  ListingAnswer,
  ListPage,
  PageInput,
} from '../platform/platform.ts'
import type { ListSource } from '../model/platform/source.ts'
import {
  beginCopy,
  keepCopiedPage,
  keepPreviewPage,
  readChannelName,
  readCopiedPage,
  readCopy,
  readPreviewPage,
  rememberChannelName,
} from '../features/jobs/lists.ts'
import { yieldToEventLoop } from '../kit/concurrency.ts'
import { type Flights, openFlights } from '../kit/flights.ts'
import type { Asker } from './worker-context.ts'

/** A listed video with the instant at which its list was read: "5 hours ago" counts from that. */
export type SharedVideo = ListedVideo & { askedAt: Date }

/** Where a listing stands: a cursor of the platform's, and the copy along which it is read. */
export type ListPlace = { cursor: string | null; copyId: string | null }

export type SharedPage = {
  kind: 'page'
  videos: SharedVideo[]
  next: ListPlace | null
  isEstimated: boolean
  facts: ListFacts | null
  /** Facts of the list, on its first page; null on the others, as `facts` of a collection is. */
  about: ListAbout | null
  /** How the list ended, where it may hold more; absent on other pages. */
  end?: ListEnd
}
export type SharedAnswer = SharedPage | Exclude<ListingAnswer, { kind: 'page' }> | { kind: 'spent' }

export type SharedLists = {
  /** Returns one page, or `spent` where the allowance ends before it. */
  page(source: ListSource, place: ListPlace, asker: Asker): Promise<SharedAnswer>
}

type Read = { answer: Exclude<SharedAnswer, { kind: 'spent' }>; wasAsked: boolean }

export function openSharedLists(): SharedLists {
  const flights = openFlights()
  return {
    async page(source, { cursor, copyId }, asker) {
      if (asker.calls.spent !== null) return SPENT
      if (cursor !== null) {
        return together(flights, `${copyId} ${cursor}`, asker, () =>
          readFurther(source, { cursor, copyId }, asker),
        )
      }
      const found = await named(flights, source, asker)
      if (!('name' in found || 'playlistId' in found)) return found
      return together(flights, keyOf(found), asker, () => readFirst(found, asker))
    },
  }
}

/**
 * Reads a page together with other jobs that want it now. The job that asks the platform pays a call; a job that reads
 * a copy, or the answer to another's question, pays a part of one.
 */
async function together(
  flights: Flights,
  key: string,
  { calls, signal }: Asker,
  read: () => Promise<Read | null>,
): Promise<SharedAnswer> {
  for (;;) {
    const { value, isOwn } = await flights.join(key, signal, read)
    if (!isOwn) await yieldToEventLoop() // fifty jobs that waited for one page do not all work on it in one turn
    if (value !== null)
      return (isOwn && value.wasAsked) || (await calls.takeCopied()) ? value.answer : SPENT
    // The allowance of another account may have ended before the question; that says nothing about this one's.
    if (isOwn || calls.spent !== null) return SPENT
  }
}

/** Asks the platform; null where the allowance ends before the question. */
async function ask(
  { source, cursor }: PageInput,
  { ctx, platform, share, calls, signal }: Asker,
): Promise<{ askedAt: Date; answer: ListingAnswer } | null> {
  return calls.ask((onCall) =>
    ctx.slots.listing.run(share, signal, async () => {
      const askedAt = ctx.now()
      return { askedAt, answer: await platform.listPage({ source, cursor, onCall }, signal) }
    }),
  )
}

async function readFirst(source: ListSource, asker: Asker): Promise<Read | null> {
  const { db } = asker.ctx
  const asked = await ask({ source, cursor: null }, asker)
  if (asked === null) return null
  const { answer, askedAt } = asked
  if (answer.kind !== 'page') return { answer, wasAsked: true }
  const top = (copyId: string | null): SharedPage => {
    return { ...shared(answer, askedAt, copyId), facts: listFactsOf(source, answer.about) }
  }
  if (answer.next === null) return { answer: top(null), wasAsked: true } // this page is the whole list
  const listKey = keyOf(source)
  const copy = await readCopy(db, listKey)
  if (copy === null || !isSameList(answer, copy.page)) {
    const copyId = await beginCopy(db, listKey, { askedAt, page: answer })
    return { answer: top(copyId), wasAsked: true }
  }
  const first = top(copy.copyId)
  const known = new Set(answer.videos.map(({ videoId }) => videoId))
  const rest = shared(copy.page, copy.askedAt, copy.copyId)
  const videos = [...first.videos, ...rest.videos.filter(({ videoId }) => !known.has(videoId))]
  return { answer: { ...first, videos, next: rest.next }, wasAsked: true }
}

async function readFurther(
  source: ListSource,
  { cursor, copyId }: { cursor: string; copyId: string | null },
  asker: Asker,
): Promise<Read | null> {
  const { db } = asker.ctx
  const copied = copyId === null ? null : await readCopiedPage(db, { copyId, cursor })
  // Playlists grow at their end, so their last page is asked for anew.
  if (copied !== null && (copied.page.next !== null || source.kind !== 'playlist')) {
    return { answer: shared(copied.page, copied.askedAt, copyId), wasAsked: false }
  }
  const asked = await ask({ source, cursor }, asker)
  if (asked === null) return null
  const { answer, askedAt } = asked
  if (answer.kind !== 'page') return { answer, wasAsked: true }
  // What was denied once may be shown to the next who asks.
  if (copyId !== null && answer.end?.kind !== 'cut')
    await keepCopiedPage(db, { copyId, cursor }, { askedAt, page: answer })
  return { answer: shared(answer, askedAt, copyId), wasAsked: true }
}

/** Returns the source under its channel's id, or the answer that there is no such channel. */
async function named(
  flights: Flights,
  source: ListSource,
  { ctx: { db, slots }, platform, share, calls, signal }: Asker,
): Promise<ListSource | Exclude<SharedAnswer, SharedPage>> {
  if (source.kind === 'playlist' || source.name.startsWith('UC')) return source
  const path = source.name
  for (;;) {
    const { value, isOwn } = await flights.join(`name ${path}`, signal, async () => {
      const known = await readChannelName(db, path)
      if (known !== null) return known
      const answer = await calls.ask((onCall) =>
        slots.listing.run(share, signal, () => platform.findChannel({ path, onCall }, signal)),
      )
      if (answer === null) return null
      await rememberChannelName(db, path, answer)
      return answer
    })
    if (value !== null) return value.kind === 'found' ? { ...source, name: value.channelId } : value
    if (isOwn || calls.spent !== null) return SPENT
  }
}

const SPENT = { kind: 'spent' } as const
/** Returns the key of a list, one for every spelling of it. */
function keyOf(source: ListSource): string {
  return source.kind === 'playlist' ? source.playlistId : `${source.name} ${source.tab ?? 'all'}`
}

/**
 * Returns whether the copy is still the list, apart from what was added on top since: its first page stands in the new
 * one, in order and without a gap, up to where the new one ends.
 */
function isSameList({ videos: fresh }: ListPage, { videos: before }: ListPage): boolean {
  const head = before[0]?.videoId
  const from = fresh.findIndex(({ videoId }) => videoId === head)
  if (head === undefined || from < 0) return false
  return fresh.slice(from).every(({ videoId }, at) => videoId === before[at]?.videoId)
}

function shared(
  { videos, next, isEstimated, about, end }: ListPage,
  askedAt: Date,
  copyId: string | null,
): SharedPage {
  return {
    kind: 'page',
    videos: videos.map((video) => ({ ...video, askedAt })),
    next: next === null ? null : { cursor: next, copyId },
    isEstimated,
    facts: null,
    about,
    ...(end === undefined ? {} : { end }),
  }
}

/**
 * Returns lists that read the pages a preview listed, the first one included, which jobs otherwise ask for anew. Such a
 * page is paid like one of a copy. Other pages are asked for and, where `isKept` is true, kept for the account's next
 * preview or job.
 */
export function previewedLists(lists: SharedLists, { isKept } = { isKept: false }): SharedLists {
  return {
    async page(source, place, asker) {
      const { ctx, share, calls } = asker
      if (calls.spent !== null) return SPENT
      // The list is kept as the line names it: another name of the same channel is another list here.
      const listKey = `${source.kind} ${keyOf(source)}`
      const at = { accountId: share.accountId, listKey, cursor: place.cursor }
      const known = await readPreviewPage<SharedPage>(ctx.db, at)
      if (known !== null) return (await calls.takeCopied()) ? known : SPENT
      const answer = await lists.page(source, place, asker)
      if (isKept && answer.kind === 'page') await keepPreviewPage(ctx.db, at, answer)
      return answer
    },
  }
}

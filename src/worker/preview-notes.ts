/** Notes on a list that a preview reads: its pages, counted and bounded, and what they say of it. */
import { type Finding, pictureOf } from '../model/previews/preview.ts'
import { meetsWish } from '../model/transcripts/caption-track.ts'
import { findCollection } from '../store/collections.ts'
import type { PlanRun } from './job-run.ts'
import { datesOfList } from './list-dates.ts'
import type { SharedAnswer, SharedLists, SharedPage, SharedVideo } from './shared-lists.ts'

export type ListNotes = {
  /** Reads the list within its bound; a page that was answered is not asked for again. */
  readonly lists: SharedLists
  /** Each video of the pages read, once. */
  readonly videos: Map<string, SharedVideo>
  /** Number of pages answered so far. */
  pages: number
  /** True where more was asked for than may be read. */
  isCut: boolean
  /** True where the last page was read. */
  isRead: boolean
  about: SharedPage['about']
  /** The collection that the list is; null until its first page was read. */
  collectionId: string | null
}

/** Opens notes on one list, of which at most `pagesMax` pages are read. */
export function openListNotes(lists: SharedLists, pagesMax: number): ListNotes {
  const answers = new Map<string, SharedAnswer>()
  async function page(...[source, place, asker]: Parameters<SharedLists['page']>) {
    const known = answers.get(place.cursor ?? '')
    if (known !== undefined) return known
    notes.isCut ||= notes.pages >= pagesMax
    if (notes.isCut) return { kind: 'spent' as const }
    const answer = await lists.page(source, place, asker)
    notes.isCut = answer.kind === 'spent'
    if (answer.kind === 'spent') return answer
    answers.set(place.cursor ?? '', answer)
    notes.pages = answers.size
    if (answer.kind !== 'page') return answer
    notes.about ??= answer.about
    notes.collectionId ??= answer.facts?.collection.id ?? null
    notes.isRead = answer.next === null
    for (const video of answer.videos)
      if (!notes.videos.has(video.videoId)) notes.videos.set(video.videoId, video)
    return answer
  }
  const notes: ListNotes = {
    lists: { page },
    videos: new Map(),
    pages: 0,
    isCut: false,
    isRead: false,
    about: null,
    collectionId: null,
  }
  return notes
}

/**
 * Writes what the list is into the finding, with its newest and its oldest date: of each video the exact one where it
 * is known (`exact`, by video), else the middle of what the list's words allow.
 */
export function describeList(
  finding: Finding,
  { about, isRead, videos }: ListNotes,
  exact: ReadonlyMap<string, Date>,
): void {
  const listed = [...videos.values()]
  const [first] = listed
  const names = new Set(listed.map(({ channelName }) => channelName))
  finding.channelName = about?.ownerName ?? (names.size === 1 ? (first?.channelName ?? null) : null)
  // The platform's title of a channel's uploads list is not the channel's name.
  finding.title = finding.kind === 'channel' ? finding.channelName : (about?.title ?? null)
  finding.videos = about?.videoCount ?? (isRead ? listed.length : null)
  finding.pictureUrl = first === undefined ? null : pictureOf(first.videoId)

  const words = datesOfList(listed)
  const dates = listed.flatMap(({ videoId }, at) => {
    const date = words[at]
    const middle =
      date?.kind === 'between' ? (date.fromAt.getTime() + date.untilAt.getTime()) / 2 : []
    return exact.get(videoId)?.getTime() ?? middle
  })
  if (dates.length === 0) return
  finding.newestAt = new Date(Math.max(...dates)).toISOString()
  finding.oldestAt = new Date(Math.min(...dates)).toISOString()
}

/** Returns how many videos behind the pages read the account owns, as far as its library knows the list. */
export async function countOwnedBehind(
  { ctx, job }: PlanRun,
  { owned = 0 }: Finding,
  { collectionId, videos }: ListNotes,
): Promise<number> {
  const { accountId, language, wishedTrack } = job
  const id = collectionId
  const collection = id === null ? null : await findCollection(ctx.db, { accountId, id })
  // A collection does not say of which kind its texts are.
  const isMet =
    wishedTrack === null &&
    collection?.languages.every((code) => meetsWish(code, language)) === true
  if (collection === null || !isMet) return 0
  return Math.max(0, Math.min(collection.delivered - owned, collection.videos - videos.size))
}

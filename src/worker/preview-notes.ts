/** Notes on a list that a preview reads: its pages, counted and bounded, and what they tell of it. */
import { type Finding, pictureOf } from '../model/previews/preview.ts'
import { datesOfList } from './list-dates.ts'
import type { SharedAnswer, SharedLists, SharedPage, SharedVideo } from './shared-lists.ts'

export type ListNotes = {
  /** Reads the list within its bound: what a page answered stands as long as the preview is listed. */
  readonly lists: SharedLists
  /** Of the pages read, each once. */
  readonly videos: Map<string, SharedVideo>
  /** Questions answered so far. */
  pages: number
  /** More was asked for than may be read. */
  isCut: boolean
  /** The last page was read. */
  isRead: boolean
  about: SharedPage['about']
}

/** Notes of one list, of which at most `pagesMax` pages are read. */
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
    if (answer.kind === 'page') note(notes, answer)
    return answer
  }
  const notes: ListNotes = {
    lists: { page },
    videos: new Map(),
    pages: 0,
    isCut: false,
    isRead: false,
    about: null,
  }
  return notes
}

function note(notes: ListNotes, { about, next, videos }: SharedPage): void {
  notes.about ??= about
  notes.isRead = next === null
  for (const video of videos)
    if (!notes.videos.has(video.videoId)) notes.videos.set(video.videoId, video)
}

/** Writes down what the list is. `exact`: dates by video that are known exactly. */
export function describeList(
  finding: Finding,
  { about, isRead, videos }: ListNotes,
  exact: ReadonlyMap<string, Date>,
): void {
  const listed = [...videos.values()]
  const [first] = listed
  const names = new Set(listed.map(({ channelName }) => channelName))
  finding.channelName = about?.ownerName ?? (names.size === 1 ? (first?.channelName ?? null) : null)
  // A channel's uploads list has a title of the platform's.
  finding.title = finding.kind === 'channel' ? finding.channelName : (about?.title ?? null)
  finding.videos = about?.videoCount ?? (isRead ? listed.length : null)
  finding.pictureUrl = first === undefined ? null : pictureOf(first.videoId)
  noteDates(finding, listed, exact)
}

/** The exact date of a video where it is known, else the middle of what the list's words allow. */
function noteDates(
  finding: Finding,
  videos: readonly SharedVideo[],
  exact: ReadonlyMap<string, Date>,
): void {
  const listed = datesOfList(videos)
  const known = videos.flatMap(({ videoId }, at) => {
    const date = listed[at]
    const middle =
      date?.kind === 'between' ? (date.fromAt.getTime() + date.untilAt.getTime()) / 2 : []
    return exact.get(videoId)?.getTime() ?? middle
  })
  if (known.length === 0) return
  finding.newestAt = new Date(Math.max(...known)).toISOString()
  finding.oldestAt = new Date(Math.min(...known)).toISOString()
}

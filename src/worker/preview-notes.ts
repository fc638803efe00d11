/** Notes on a list that a preview reads: its pages, counted and bounded, and what they tell of it. */
import { type Finding, pictureOf } from '../model/previews/preview.ts'
import { datesOfList } from './list-dates.ts'
import type { SharedAnswer, SharedLists, SharedPage, SharedVideo } from './shared-lists.ts'

export type ListNotes = {
  /** Of the pages read, each once. */
  readonly videos: readonly SharedVideo[]
  /** Questions answered so far. */
  readonly pages: number
  /** More was asked for than may be read. */
  readonly isCut: boolean
  /** The last page was read. */
  readonly isRead: boolean
  /** Writes down what the list is. `exact`: dates by video that are known exactly. */
  describe(finding: Finding, exact: ReadonlyMap<string, Date>): void
  /** What was answered before, for the same place. */
  answers: Map<string, SharedAnswer>
  /** Whether a further page may be read; where not, the list is cut. */
  mayRead(): boolean
  cut(): void
  note(page: SharedPage): void
}

export function openListNotes(pagesMax: number): ListNotes {
  const answers = new Map<string, SharedAnswer>()
  const videos = new Map<string, SharedVideo>()
  let [isCut, isRead] = [false, false]
  let about: SharedPage['about'] = null
  return {
    answers,
    get videos() {
      return [...videos.values()]
    },
    get pages() {
      return answers.size
    },
    get isCut() {
      return isCut
    },
    get isRead() {
      return isRead
    },
    mayRead() {
      isCut ||= answers.size >= pagesMax
      return !isCut
    },
    cut: () => void (isCut = true),
    note(page) {
      about ??= page.about
      isRead = page.next === null
      for (const video of page.videos)
        if (!videos.has(video.videoId)) videos.set(video.videoId, video)
    },
    describe(finding, exact) {
      const listed = [...videos.values()]
      describe(finding, { about, isRead, videos: listed })
      noteDates(finding, listed, exact)
    },
  }
}

/** The same lists, within the notes' bound: what a page answered stands as long as the preview is listed. */
export function withNotes(lists: SharedLists, notes: ListNotes): SharedLists {
  return {
    async page(source, place, asker) {
      const known = notes.answers.get(place.cursor ?? '')
      if (known !== undefined) return known
      if (!notes.mayRead()) return { kind: 'spent' }
      const answer = await lists.page(source, place, asker)
      if (answer.kind === 'spent') {
        notes.cut()
        return answer
      }
      notes.answers.set(place.cursor ?? '', answer)
      if (answer.kind === 'page') notes.note(answer)
      return answer
    },
  }
}

function describe(
  finding: Finding,
  { about, isRead, videos }: Pick<SharedPage, 'about'> & { isRead: boolean; videos: SharedVideo[] },
): void {
  const [first] = videos
  const names = new Set(videos.map(({ channelName }) => channelName))
  finding.channelName = about?.ownerName ?? (names.size === 1 ? (first?.channelName ?? null) : null)
  // A channel's uploads list has a title of the platform's.
  finding.title = finding.kind === 'channel' ? finding.channelName : (about?.title ?? null)
  finding.videos = about?.videoCount ?? (isRead ? videos.length : null)
  finding.pictureUrl = first === undefined ? null : pictureOf(first.videoId)
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

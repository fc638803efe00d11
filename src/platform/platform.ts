/**
 * The video platform: the calls that may be made to it and the closed unions of its answers.
 *
 * An answer is one of three things. `fetched` (or a page): the platform gave what was asked. A *refusal*: its final
 * word about that video or list. An *obstacle*: something on the way to the platform (a block, a limit, an empty body,
 * an unknown answer), which is never the video's fault and never recorded as such. No method throws anything but the
 * abort signal's reason.
 */
import type { VideoDetails } from '../model/library/video-details.ts'
import type { TrackOddity } from '../model/transcripts/odd-track.ts'
import type { TrackKind, Transcript } from '../model/transcripts/transcript.ts'
import type { Obstacle, Refusal } from '../model/platform/refusal.ts'
import type { LongTranscript } from '../model/files/transcript-forms.ts'
import type { Share } from '../kit/fair-queue.ts'
import type { ChannelTab, ListSource } from '../model/platform/source.ts'

export type Platform = PlatformCalls &
  PlatformAccess & {
    close(): Promise<void>
  }

export type PlatformAccess = {
  /** Returns the calls on behalf of an account's job: what several jobs wait for is shared fairly. */
  onBehalfOf(share: Share): PlatformCalls
}

export type PlatformCalls = {
  /**
   * Fetches one video: its facts, and the caption track that the wish chooses.
   * `wantsDate` also asks for the exact publish date, at the same time.
   */
  fetchVideo(ask: VideoInput, signal: AbortSignal): Promise<VideoAnswer>
  /** Asks whether `fetchVideo` would find captions for `language` now, without fetching their words. */
  askOffer(ask: OfferInput, signal: AbortSignal): Promise<OfferAnswer>
  /** Finds the channel behind the path of its page: `/@handle`, `/c/name`, `/user/name`, `/name`. */
  findChannel(ask: Counted & { path: string }, signal: AbortSignal): Promise<ChannelAnswer>
  /** Reads one page of a list, in the list's own order; a null `cursor` is the first page. */
  listPage(ask: PageInput, signal: AbortSignal): Promise<ListingAnswer>
  /** Fetches the exact publish date, and the names beside it: the one small call that date bounds need. */
  fetchPublishedAt(ask: Counted & { videoId: string }, signal: AbortSignal): Promise<DateAnswer>
}

export type VideoInput = {
  videoId: string
  language: string
  /** Left out: the usual one. */
  wishedTrack?: TrackKind | null
  wantsDate: boolean
  /** Called around the reading of each reply about this video. */
  guard?: ReadingGuard
}

/**
 * Called and awaited before a reply is read; the function that it returns is called after the reading. `isLong` marks
 * captions so long that a thread of their own reads them.
 */
export type ReadingGuard = (reply: { isLong: boolean }) => Promise<() => Promise<void>>

/** A listener for each request that an answer took: several where lists are merged or a request is repeated. */
export type Counted = { onCall?: () => void }

export type OfferInput = Counted & { videoId: string; language: string }

export type PageInput = Counted & { source: ListSource; cursor: string | null }

/** Facts of a video by its player, whatever the result of its captions; null where the platform did not say. */
export type NamedFacts = {
  title: string | null
  channelName: string | null
  /** The id as the platform spells it, where it differs from the requested one; otherwise null. */
  canonicalId: string | null
  /** When the video is announced to begin: a premiere, or a live stream. */
  startsAt: Date | null
  details: VideoDetails
}

/** Facts of a video; `publishedAt` is in ISO 8601, with the platform's own offset. */
export type VideoFacts = NamedFacts & { publishedAt: string | null }

/** Something on the way to the platform that prevented an answer. */
export type Obstruction = { kind: 'obstructed'; obstacle: Obstacle }

export type FetchedVideo = {
  kind: 'fetched'
  transcript: Transcript | LongTranscript
  /** Whether another language than the wished one had to be delivered (see TrackChoice). */
  isFallback: boolean
  /** Left out: none. Of captions so long that a thread of their own reads them it is not known. */
  oddity?: TrackOddity | null
}

export type RefusedVideo = { kind: 'refused'; refusal: Refusal }

export type VideoAnswer = { facts: VideoFacts } & (FetchedVideo | RefusedVideo | Obstruction)

export type OfferAnswer = { startsAt: Date | null } & (
  { kind: 'offered' } | RefusedVideo | Obstruction
)

export type ListedVideo = {
  videoId: string
  title: string | null
  channelName: string | null
  /** The list's own words for the video's age ("3 weeks ago"); null where it shows none. */
  publishedText: string | null
  /** Whether the list marks the video as for paying members: its captions will be refused. */
  isMembersOnly: boolean
}

/** Facts of a list by its own account; null where the platform does not tell. */
export type ListAbout = {
  title: string | null
  /** The channel's name, or that of the playlist's owner. */
  ownerName: string | null
  /** How many videos the list has, hidden ones included; null also where it rounds the number. */
  videoCount: number | null
}

/**
 * How a list ended where that has to be told: `cut` where it shows fewer videos than its header counts, or where
 * nothing is counted and the platform denies the next page that it named (`counted` is null); `repeats` where so many
 * pages in a row showed no new video; `absent` where the channel has no such tab. `listed` counts entries or, of a list
 * that repeats itself, videos; `isAtLeast` stands where the list's own count was rounded; `playlistId` names the list
 * where the source holds several.
 */
export type ListEnd = { listed: number; playlistId?: string } & (
  | { kind: 'cut'; counted: number | null; isAtLeast?: true }
  | { kind: 'repeats'; pages: number }
  | { kind: 'absent'; tab: ListedTab }
)

/** A tab of a channel that lists videos or playlists. */
export type ListedTab = ChannelTab | (ListSource & { kind: 'lists' })['tab']

/**
 * One page of a list. A null `next` means the last page. `isEstimated` marks a channel read from several lists, whose
 * videos are newest first only as far as a few dates could tell (`nearMs` in list-order.ts): a video's place says
 * little about its neighbours. Cursors are opaque, made by this program, and at most 64 KB.
 */
export type ListPage = {
  kind: 'page'
  videos: ListedVideo[]
  next: string | null
  isEstimated: boolean
  /** Facts of the list, on its first page; null on the others. */
  about: ListAbout | null
  /** How the list ended, where that has to be told; missing on other pages. */
  end?: ListEnd
}

/** The list or channel does not exist, or nobody may see it; `text` says so, or quotes the platform. */
export type Missing = { kind: 'missing'; text: string }

export type ListingAnswer = ListPage | Missing | Obstruction

export type ChannelAnswer = { kind: 'found'; channelId: string } | Missing | Obstruction

/** A video's date, and its names where the platform shows them beside it. */
export type DateAnswer =
  | { kind: 'dated'; publishedAt: string; title?: string | null; channelName?: string | null }
  | { kind: 'undated' }
  | Obstruction

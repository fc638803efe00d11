/**
 * The video platform: what we may ask of it and the closed unions it answers with.
 *
 * An answer is one of three things. `fetched` (or a page): the platform gave what was asked. A
 * *refusal*: its final word about that video or list. An *obstacle*: something between us and the
 * platform (a block, a limit, an empty body, an answer nobody has seen before), which is never the
 * video's fault and never recorded as such. No method throws but with the abort signal's reason.
 */
import type { VideoDetails } from '../model/library/video-details.ts'
import type { Transcript } from '../model/transcripts/transcript.ts'
import type { Obstacle, Refusal } from '../model/platform/refusal.ts'
import type { LongTranscript } from '../model/transcripts/transcript-forms.ts'
import type { Share } from '../kit/fair-queue.ts'
import type { ListSource } from '../model/platform/source.ts'

export type Platform = PlatformCalls &
  PlatformAccess & {
    close(): Promise<void>
  }

export type PlatformAccess = {
  /** Questions on behalf of an account's job: what all wait for is shared fairly. */
  onBehalfOf(share: Share): PlatformCalls
}

export type PlatformCalls = {
  /**
   * Fetches one video: its facts and the caption track that answers `language` (`original` or a
   * caption language code). `wantsDate` also asks for the exact publish date, at the same time.
   */
  fetchVideo(ask: VideoInput, signal: AbortSignal): Promise<VideoAnswer>
  /** The channel behind the path of its page: `/@handle`, `/c/name`, `/user/name`, `/name`. */
  findChannel(ask: ChannelInput, signal: AbortSignal): Promise<ChannelAnswer>
  /** Reads one page of a list, in the list's own order; `cursor` null is the first page. */
  listPage(ask: PageInput, signal: AbortSignal): Promise<ListingAnswer>
  /** The exact publish date alone: the one small call that date bounds need. */
  fetchPublishedAt(ask: DateInput, signal: AbortSignal): Promise<DateAnswer>
}

export type VideoInput = {
  videoId: string
  language: string
  wantsDate: boolean
  /** Stands by while the replies about this video are read. */
  guard?: ReadingGuard
}

/**
 * Called before a reply is read, which waits for it; what it gives is called when the reply has been read.
 * `isLong`: captions so long that a thread of their own reads them.
 */
export type ReadingGuard = (reply: { isLong: boolean }) => Promise<() => Promise<void>>

/** Told of each request that an answer really took: several where lists are merged, or something is tried again. */
export type Counted = { onCall?: () => void }

export type PageInput = Counted & { source: ListSource; cursor: string | null }

export type ChannelInput = Counted & { path: string }

export type DateInput = Counted & { videoId: string }

/** What is known of a video whatever became of its captions; null where the platform did not say. */
export type VideoFacts = {
  title: string | null
  channelName: string | null
  /** ISO 8601 with the platform's own offset. */
  publishedAt: string | null
  /** The id as the platform spells it, where that is not as it was asked for; else null. */
  canonicalId: string | null
  details: VideoDetails
}

export type VideoAnswer =
  | {
      kind: 'fetched'
      facts: VideoFacts
      transcript: Transcript | LongTranscript
      isFallback: boolean
    }
  | { kind: 'refused'; facts: VideoFacts; refusal: Refusal }
  | { kind: 'obstructed'; facts: VideoFacts; obstacle: Obstacle }

export type ListedVideo = {
  videoId: string
  title: string | null
  channelName: string | null
  /** The list's own words for its age ("3 weeks ago"), null where it shows none. */
  publishedText: string | null
  /** The list marks it as for paying members: its captions will be refused. */
  isMembersOnly: boolean
}

/** Null where the platform does not tell. */
export type ListAbout = {
  title: string | null
  /** The channel's name, or that of the playlist's owner. */
  ownerName: string | null
  /** How many videos it has, hidden ones included. */
  videoCount: number | null
}

export type ListingAnswer =
  /**
   * `next` null: that was the last page. `isEstimated`: a channel read from several lists, whose
   * videos stand newest first only as far as a few dates could tell (`nearMs` in list-order.ts); what
   * one of them says of its neighbours is not sure. Cursors are ours, opaque, at most 64 KB.
   */
  | {
      kind: 'page'
      videos: ListedVideo[]
      next: string | null
      isEstimated: boolean
      /** What the list says of itself, with its first page; null with the others. */
      about: ListAbout | null
    }
  /** No such list, or one that nobody may see: `text` is the platform's sentence. */
  | { kind: 'missing'; text: string }
  | { kind: 'obstructed'; obstacle: Obstacle }

export type ChannelAnswer =
  | { kind: 'found'; channelId: string }
  | { kind: 'missing'; text: string }
  | { kind: 'obstructed'; obstacle: Obstacle }

export type DateAnswer =
  | { kind: 'dated'; publishedAt: string }
  | { kind: 'undated' }
  | { kind: 'obstructed'; obstacle: Obstacle }

/** What the platform says of a video beside its captions, in the replies that are fetched anyway. */

/** Each is null where the platform did not say; a later reply may. */
export type VideoDetails = {
  channelId: string | null
  durationSeconds: number | null
  viewCount: number | null
  /** The uploader's own keywords; empty where there are none. */
  keywords: string[] | null
  description: string | null
  category: string | null
}

export const NO_DETAILS: VideoDetails = {
  channelId: null,
  durationSeconds: null,
  viewCount: null,
  keywords: null,
  description: null,
  category: null,
}

/** Returns whether anything is known that is worth keeping. */
export function hasDetails(details: VideoDetails): boolean {
  return Object.values(details).some((value) => value !== null)
}

/** Merges what two replies say of the same video; where both say something, the first one is believed. */
export function mergeDetails(known: VideoDetails, more: VideoDetails): VideoDetails {
  const { keywords, ...rest } = known
  return {
    channelId: rest.channelId ?? more.channelId,
    durationSeconds: rest.durationSeconds ?? more.durationSeconds,
    viewCount: rest.viewCount ?? more.viewCount,
    keywords: keywords ?? more.keywords,
    description: rest.description ?? more.description,
    category: rest.category ?? more.category,
  }
}

/** The limits of platform calls: every wait, size and count, named with its unit. */

export type PlatformLimits = {
  /** The time of one request, from asking for a connection to the last byte. */
  requestMs: number
  connectMs: number
  /** The time of one question on one route, with all its clients, formats and waits for permits. */
  visitMs: number
  /** How long a question waits for a route while all of them rest. */
  patienceMs: number
  /** Bytes after decompression; a list page of 100 videos is 0.7 MB, the captions of 10 hours are 6 MB. */
  replyBytesMax: number
  captionsBytesMax: number
  /** The size up to which captions are read in the main thread; longer ones are read in a thread of their own. */
  captionsHereBytesMax: number
  /** The threads that read long captions, and the time and memory that each may take. */
  captionThreadsMax: number
  captionThreadMs: number
  captionThreadHeapMb: number
  /** Cues of one track: 24 hours with one cue every second have 86,400. */
  cuesMax: number
  /** How many times one request is repeated after an obstacle that may be gone at the next try. */
  retriesMax: number
  /** The first pause between two tries; it doubles, with full jitter. */
  retryPauseMs: number
  /** The longest `Retry-After` for which a request itself waits. */
  retryAfterMsMax: number
  /**
   * The pause before captions that were refused as too many (429) are asked for once more, at random between the two; a
   * longer `Retry-After` is a block at once.
   */
  captionsAgainMs: { least: number; most: number }
  /** How long a client is not asked for an identity, or called with another one's, after that was refused. */
  identityRestMs: number
  /** How long a client profile that the platform retired is left alone before it is tried again. */
  clientRestMs: number
  /** The first rest where all clients of a use are retired; it doubles up to the rest of one client. */
  closedFirstMs: number
  /** How long a video for which a field mask failed is evidence against masks. */
  maskEvidenceMs: number
  /** How long a mask that was found to hide nothing is not suspected again. */
  maskAcquittalMs: number
  /** How long a client is asked last that is refused where others deliver. */
  refusedRestMs: number
  /** On how many routes (or fresh identities of the only one) a question is tried. */
  routesPerQuestionMax: number
}

export const PLATFORM_LIMITS: PlatformLimits = {
  requestMs: 20_000,
  connectMs: 10_000,
  visitMs: 600_000,
  patienceMs: 120_000,
  replyBytesMax: 2 * 1024 * 1024,
  captionsBytesMax: 16 * 1024 * 1024,
  captionsHereBytesMax: 192 * 1024,
  captionThreadsMax: 2,
  captionThreadMs: 30_000,
  captionThreadHeapMb: 768,
  cuesMax: 250_000,
  retriesMax: 2,
  retryPauseMs: 500,
  retryAfterMsMax: 15_000,
  captionsAgainMs: { least: 2_000, most: 5_000 },
  identityRestMs: 600_000,
  clientRestMs: 3_600_000,
  closedFirstMs: 60_000,
  maskEvidenceMs: 3_600_000,
  maskAcquittalMs: 600_000,
  refusedRestMs: 600_000,
  routesPerQuestionMax: 3,
}

/** The limits for a stand-in on this machine, where failures come at once and the next try may, too. */
export const LOOPBACK_LIMITS: PlatformLimits = {
  ...PLATFORM_LIMITS,
  requestMs: 10_000,
  patienceMs: 3000,
  retryPauseMs: 20,
  retryAfterMsMax: 2000,
  captionsAgainMs: { least: 20, most: 50 },
}

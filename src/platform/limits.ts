/** The platform client's limits: every wait, size and count of it, named with its unit. */

export type PlatformLimits = {
  /** One request, from asking for a connection to the last byte. */
  requestMs: number
  connectMs: number
  /** One question on one route, every client and format of it, and the waits for permits. */
  visitMs: number
  /** How long a question waits for a route while all of them rest. */
  patienceMs: number
  /** Sizes after decompression; a list page of 100 is 0.7 MB, the captions of 10 hours 6 MB. */
  replyBytesMax: number
  captionsBytesMax: number
  /** Captions up to this size are read in the main thread, longer ones in a thread of their own. */
  captionsHereBytesMax: number
  /** Threads that read long captions; what one of them may take, in time and memory. */
  captionThreadsMax: number
  captionThreadMs: number
  captionThreadHeapMb: number
  /** Cues of one track: 24 hours with one every second are 86,400. */
  cuesMax: number
  /** Further tries of one request after "maybe gone at the next try". */
  retriesMax: number
  /** First pause between two tries; doubles, with full jitter. */
  retryPauseMs: number
  /** The longest `Retry-After` that is waited for inside a request. */
  retryAfterMsMax: number
  /** How long a client profile that the platform retired is left alone before it is tried again. */
  clientRestMs: number
  /** The first rest where all clients of a use are retired; doubles up to that of one. */
  closedFirstMs: number
  /** How long a video for which a field mask failed is evidence against masks. */
  maskEvidenceMs: number
  /** How long a mask that was found to hide nothing is not tried again. */
  maskAcquittalMs: number
  /** How long a client that is refused where others deliver is asked last. */
  refusedRestMs: number
  /** Routes (or fresh identities of the only one) on which one question is tried. */
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
  clientRestMs: 3_600_000,
  closedFirstMs: 60_000,
  maskEvidenceMs: 3_600_000,
  maskAcquittalMs: 600_000,
  refusedRestMs: 600_000,
  routesPerQuestionMax: 3,
}

/** For a stand-in on this machine: failures come at once, and so may the next try. */
export const LOOPBACK_LIMITS: PlatformLimits = {
  ...PLATFORM_LIMITS,
  requestMs: 10_000,
  patienceMs: 3000,
  retryPauseMs: 20,
  retryAfterMsMax: 2000,
}

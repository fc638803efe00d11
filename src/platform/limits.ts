/** The platform client's limits: every wait, size and count of it, named with its unit. */

export type PlatformLimits = {
  /** One request, from asking for a connection to the last byte. */
  requestMs: number
  connectMs: number
  /** One question on one route, every client and format of it, and the waits for permits. */
  visitMs: number
  /** How long a question waits for a route while all of them rest. */
  patienceMs: number
  /** Sizes after decompression; a list page of 100 is 0.6 MB, the captions of 10 hours 6 MB. */
  replyBytesMax: number
  captionsBytesMax: number
  /** Further tries of one request after "maybe gone at the next try". */
  retriesMax: number
  /** First pause between two tries; doubles, with full jitter. */
  retryPauseMs: number
  /** The longest `Retry-After` that is waited for inside a request. */
  retryAfterMsMax: number
  /** How long a client profile that the platform retired is left alone before it is tried again. */
  clientRestMs: number
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
  replyBytesMax: 8 * 1024 * 1024,
  captionsBytesMax: 32 * 1024 * 1024,
  retriesMax: 2,
  retryPauseMs: 500,
  retryAfterMsMax: 15_000,
  clientRestMs: 3_600_000,
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

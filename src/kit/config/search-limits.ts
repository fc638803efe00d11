/** Limits of searches and their indexes, each with its unit; a part of LIMITS. */

export const SEARCH_LIMITS = {
  searchQueryChars: 200,
  searchPageMax: 50,
  /** Hits that can be paged to. */
  searchOffsetMax: 10_000,
  searchFilterChars: 200,
  /** Threads that answer searches; one more writes the indexes. */
  searchThreads: 2,
  /** What the index, and then the reading of the quotes, may each take, the waiting included. */
  searchMs: 5_000,
  /** How long a search waits for an index that is behind; then it answers with what is there. */
  searchBuildWaitMs: 1_000,
  /** Searches of one account that wait for the one that is answered. */
  searchesWaiting: 8,
  /** How long one of them waits for that. */
  searchTurnMs: 15_000,
  searchRetrySeconds: 1,
  /** A thread that writes for longer than this hangs. */
  searchWriteMs: 120_000,
  /** How long a thread that is told to end may take before another takes its place. */
  searchThreadEndMs: 1_000,
  /** Threads of each kind that do not end and are replaced nevertheless. */
  searchThreadsLeftAlone: 4,
  /** Accounts whose indexes are brought up to date at once, and what is read for one of them at a time. */
  searchBuildsAtOnce: 2,
  searchJobsPage: 1_000,
  searchRowsAtOnce: 25,
  /** An index that told what is not so is made again, but not more often than this. */
  searchDistrustMs: 60_000,
} as const

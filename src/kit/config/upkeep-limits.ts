/** Limits of what is done to rows as such: sweeping, erasing and backing them up, and changing their tables. Each with its unit. */
export const UPKEEP_LIMITS = {
  /** Rows of a deleted account that one statement deletes, and jobs whose rows it looks among. */
  erasedRows: 2_000,
  erasedJobsAtOnce: 20,
  erasedAccountsAtOnce: 5,
  erasureEveryMs: 60_000,
  /** By then whatever was under way when an account was deleted has ended: what that left is deleted, too. */
  erasureLooksAgainSeconds: 600,
  /** The doctor's whole examination, over every route and client. */
  doctorMs: 300_000,
  /** Of an account's export: jobs asked for at once, and followed channels that it names. */
  exportedJobsAtOnce: 100,
  exportedListRows: 10_000,
  /**
   * How long after a sign-in an account may be deleted on the website, an operator's second factor set up, and, by
   * who has no password, the address changed.
   */
  freshSignInSeconds: 600,
  /** How long the old address may undo that an account left it. */
  addressUndoSeconds: 7 * 24 * 3600,
  /** Whatever opens the account and is no older than this when another address is asked for goes with an undo. */
  doubtedAccessMs: 24 * 3600 * 1_000,
  /** Sessions of a user that are listed, those used last. */
  sessionsListed: 100,
  /** Jobs whose old texts one statement deletes, and how often that is repeated at once. */
  oldTextsJobsAtOnce: 2,
  oldTextsRounds: 500,
  /** Threads that compress forms of stored words for downloads, and how long one stays without work. */
  packThreadsMax: 2,
  packThreadIdleMs: 60_000,
  /** Bytes of bodies that are compressed without threads at once, and within the time above: as long as starting them takes. */
  packedHereBytes: 16_384,
  packedBeforeThreadsBytes: 2_000_000,
  /** Compressed forms of what was recorded last, for those who read a job when it ends: 900 talks, for so long. */
  recentFormsBytes: 32 * 1024 * 1024,
  recentFormsMs: 10 * 60_000,
  /**
   * Of a piece of memory that small buffers share. One that is kept keeps all of it until a collection: with Node's own
   * 64 KB, what was kept of each transcript held ten times its size.
   */
  bufferPoolBytes: 8_192,
  /** How long a migration waits for a table, while others wait behind it; then it lets them pass, and tries again. */
  migrationLockMs: 200,
  migrationRetryMs: 500,
  migrationTries: 600,
  /** Below the timeout of the image's health check. */
  healthAskMs: 4_000,
  /** How often a process asks whether another one's migrations are done. */
  migrationTurnMs: 100,
  /** How long a restore waits for whoever still uses the tables. */
  restoreLockSeconds: 5,
  /** A backup's rows are many and small: they are handed on in pieces of about this size. */
  backupPieceBytes: 64 * 1024,
  /** Adding up the whole ledger is work: it is done at most this often. */
  ledgerSumEveryMs: 300_000,
  /** Expired rows are deleted this often, so many rows at once and so many times in a row. */
  sweepEveryMs: 60_000,
  sweepRows: 1_000,
  sweepRounds: 50,
  /** Deleted by one statement. */
  sweptBucketsMax: 10_000,
  bucketsSweptEveryMs: 3_600_000,
  verifiedEntriesPage: 5_000,
  verifiedJobsPage: 200,
  /** How often a process looks for itself whether it is ready, for its log and its metric. */
  readinessWatchedEveryMs: 5_000,
} as const

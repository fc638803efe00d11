/**
 * Limits that several files use and no operator needs to change, each with its unit. A limit of one file is a constant there,
 * and those of a call to the platform are in platform/limits.ts, since tests and loopback origins have others.
 */

export const LIMITS = {
  // What a caller may send and ask for.
  bodyBytes: 65_536,
  urlsMax: 50,
  sourceLineChars: 4096,
  videosMax: 500,
  idempotencyKeyLengthMax: 255,
  jobsPageMax: 50,
  resultsQueryChars: 200,
  statementPageMax: 200,
  longPollMs: 60_000,

  // Event streams.
  /** Below the idle time after which common proxies close a connection: 30 to 60 seconds. */
  heartbeatMs: 15_000,

  // HTTP.
  headersTimeoutMs: 10_000,
  /** How long a browser may keep a preflight's answer. */
  preflightSeconds: 7_200,
  publicKeysKeptSeconds: 300,

  // Keys, sign-in, mail and payments.
  keyBucketSize: 60,
  keyRefillPerSecond: 1,
  /** One bucket for all the website's bearers of an account, and the pages themselves. */
  sessionBucketSize: 600,
  sessionRefillPerSecond: 10,
  keyNameLengthMax: 80,
  mailedLinkSeconds: 3600,
  emailChars: 254,
  passwordChars: { min: 10, max: 128 },

  // Webhooks.
  webhooksMax: 10,
  /** Attempts under way: of one webhook over all processes, so that a slow receiver delays only itself, and of a process. */
  deliveriesPerWebhook: 4,
  /** Over the whole exchange: name, connection, request, status. */
  deliveryMs: 15_000,
  replyKeptChars: 1_024,
  deliveriesKeptDays: 30,
  deliveriesPageMax: 50,

  // The database.
  /** An idle connection to the database is probed after this. */
  keepAliveProbeMs: 10_000,
  /** How long the end of a connection waits for the server to agree. */
  farewellMs: 1_000,
  /** Read at once; memory does not grow with what is read. */
  statementCsvPage: 2_000,
  reportRowsAtOnce: 500,
  /** Files of a collection's ZIP: one without ZIP64 names 65,535 at most. */
  zipEntriesMax: 65_000,
  /** Of texts in a ZIP of a collection: 4 GiB less 4 KB for the names and heads of each file. */
  zipBytesMax: 4_000_000_000,

  // Jobs and workers.
  /** How long what the platform said of lists, of names and of dates is read by others, and how much is kept. */
  listCopySeconds: 3_600,
  channelNameSeconds: 3_600,
  /** Videos that were fetched and are being rendered and recorded, at most; then fetching waits. */
  recordedAtOnceMax: 32,
  /** Rows of a job that are recorded in one statement: so many, and so many bytes of them or only one. */
  recordedTogetherMax: 8,
  subscriptionJobsShown: 10,

  // Previews.
  /** How long one is kept, and how long listing may take. */
  previewSeconds: 3_600,
  previewListingSeconds: 60,

  // Upkeep.
  /**
   * How long after a sign-in an account may be deleted on the website, an operator's second factor set up, and, by
   * who has no password, the address changed.
   */
  freshSignInSeconds: 600,
  /** How long the old address may undo that an account left it. */
  addressUndoSeconds: 7 * 24 * 3600,
  /** Expired rows are deleted this often, so many rows at once and so many times in a row. */
  sweepEveryMs: 60_000,
  sweepRows: 1_000,
  sweepRounds: 50,

  // The operator's console and the public status page.
  consolePage: 25,
  consolePageMax: 200,
  checkDetailChars: 4_000,
  statusDays: 90,
  dayRecordedEveryMs: 60_000,
} as const

/**
 * Limits that several files use and no operator needs to change, each with its unit. A limit of one file is a constant
 * there. Limits of calls to the platform are in platform/limits.ts, since tests and loopback origins use others.
 */
import { DATABASE_DEADLINES, KIT_LIMITS } from '../kit/limits.ts'

export const LIMITS = {
  ...KIT_LIMITS,

  // What a caller may send and ask for.
  urlsMax: 50,
  sourceLineChars: 4096,
  videosMax: 500,
  /** Lines and videos of a batch, which is run as jobs one after another. */
  batchLinesMax: 1_000,
  batchVideosMax: 50_000,
  /**
   * Batches of an account that may run at once, and that are kept, at work or at rest: a further one takes the place of
   * the oldest that rests.
   */
  batchesRunningMax: 5,
  batchesKeptMax: 100,
  /** Orders, the newest of an account, among which a list looks for words and states. */
  ordersSearchedMax: 1_000,
  /** Most videos of lists that an order counts as owned, before it is started. */
  ownedCountedMax: 10_000,
  /** How long a worker leaves a batch alone that it steps, or that was stopped: longer than a job's start may take. */
  batchRestSeconds: 60,
  idempotencyKeyLengthMax: 255,
  jobsPageMax: 50,
  resultsQueryChars: 200,
  statementPageMax: 200,
  longPollMs: 60_000,

  // Event streams.
  /**
   * The interval of heartbeats: below the idle time after which common proxies close a connection, 30 to 60 seconds.
   */
  heartbeatMs: 15_000,

  // What is remembered of what was told as committed (store/told.ts), by each process and in each of two files.
  toldEntries: 10_000,
  toldFileBytes: 4_000_000,
  positionKeptEveryMs: 10_000,

  // HTTP.
  headersTimeoutMs: 10_000,
  publicKeysKeptSeconds: 300,

  // Keys, sign-in, mail and payments.
  keyBucketSize: 60,
  keyRefillPerSecond: 1,
  /** The bucket that all the website's bearers of an account share with its pages. */
  sessionBucketSize: 600,
  sessionRefillPerSecond: 10,
  keyNameLengthMax: 80,
  /** Sessions and passkeys of one user: of sessions the ones used last are kept, a further passkey is refused. */
  sessionsMax: 100,
  passkeysMax: 50,
  mailedLinkSeconds: 3600,
  emailChars: 254,
  /** Length that a mail shows of a title, a name or a sentence that holds one. */
  mailTextChars: 300,
  passwordChars: { min: 10, max: 128 },

  // Webhooks.
  webhooksMax: 10,
  /** Attempts of one webhook that may be under way over all processes, so that a slow receiver delays only itself. */
  deliveriesPerWebhook: 4,
  /** The deadline of the whole exchange: name, connection, request, status. */
  deliveryMs: 15_000,
  replyKeptChars: 1_024,
  deliveriesKeptDays: 30,
  deliveriesPageMax: 50,

  // Files.
  /** Rows read at once, so that memory does not grow with the size of the file. */
  statementCsvPage: 2_000,
  reportRowsAtOnce: 500,
  /** Files in a collection's ZIP: without ZIP64 it can name 65,535 at most. */
  zipEntriesMax: 65_000,
  /** Bytes of texts in a collection's ZIP: 4 GiB less 4 KB for the names and headers of each file. */
  zipBytesMax: 4_000_000_000,

  // Texts in an object store.
  textStore: {
    packBytes: 8 * 1024 * 1024,
    packTexts: 2_000,
    /** Bytes between two texts that are read together, and of all that are; and how many such reads a caller has. */
    gapBytes: 64 * 1024,
    rangeBytes: 4 * 1024 * 1024,
    rangesAtOnce: 4,
    retryAfterSeconds: 10,
    sweepEveryMs: 600_000,
    /** How often all packs are listed, and how long texts wait for more that would make a small pack. */
    listedSeconds: 6 * 3_600,
    smallPackSeconds: 24 * 3_600,
    /** How long a pack keeps deleted texts, or is kept where no row leads to it, until the next sweep. */
    spoiltSeconds: 3_600,
  },

  // Projects.
  projectsMax: 200,
  projectVideosMax: 10_000,
  /** Videos that one request may name. */
  projectVideosNamedMax: 500,

  // Selections.
  /** Jobs, batches, collections and rows that may be chosen together, and the texts that these may have. */
  selectionMax: 100,
  selectionTextsMax: 50_000,

  // Jobs and workers.
  /** How long other jobs use what the platform said about a list, and about a channel's name. */
  listCopySeconds: 3_600,
  channelNameSeconds: 3_600,
  /** Videos that a worker may be rendering and recording at once; beyond that, fetching waits. */
  recordedAtOnceMax: 32,
  /** Rows of a job that one statement may record; the recorder also bounds their bytes. */
  recordedTogetherMax: 8,
  subscriptionJobsShown: 10,

  // Agents.
  /** The longest wait of a tool, whatever the patience: clients give up a tool after 60 seconds. */
  agentWaitSeconds: 45,

  // Previews.
  /** How long a preview is kept, and how long its listing may take. */
  previewSeconds: 3_600,
  previewListingSeconds: 60,
  /** How long a preview waits for the titles of named videos, when all lists are read. */
  previewTitlesSeconds: 10,

  // Upkeep.
  /**
   * How long after a sign-in a user may delete their account on the website, an operator set up a second factor, and a
   * user without a password change their address.
   */
  freshSignInSeconds: 600,
  /** How long the old address may undo a change of address. */
  addressUndoSeconds: 7 * 24 * 3600,
  /** The interval at which expired rows are deleted. */
  sweepEveryMs: 60_000,

  // The operator's console and the public status page.
  consolePage: 25,
  consolePageMax: 200,
  checkDetailChars: 4_000,
  statusDays: 90,
  dayRecordedEveryMs: 60_000,

  // Deadlines.
  /** How long an answer waits for something, at most. What runs has them from its `Config`, multiplied. */
  deadlines: {
    ...DATABASE_DEADLINES,
    /** Time after which a commit hangs. With the interval of looks it is below the six seconds that docs promise. */
    commitMs: 4_000,

    // Orders.
    /** Time that counting what an order owns may take; then it is about what the library counts. */
    ownedCountMs: 500,

    /** How long a request deletes texts of a channel; then it leaves the rest to the workers. */
    textsDeletedMs: 20_000,

    // Search.
    /** How long a search waits for an index that is behind; then it answers with what is there. */
    searchBuildMs: 1_000,
    /** How long a search waits for its process to start; it goes on starting. No other time here counts that. */
    searchStartMs: 5_000,
    /** Time that the index and the reading of the quotes may take after that, the waiting included. */
    searchMs: 5_000,
    /** How long a search waits for its turn behind the account's others. */
    searchTurnMs: 15_000,
    /** Time after which a write to an index counts as hanging. */
    searchWriteMs: 120_000,
    /** How long an index file waits for another process that writes to it. */
    searchFileMs: 5_000,
    /** How long a list of mentions waits for the index to have everything before it begins. */
    mentionsBuildMs: 20_000,
    /** Time that a piece of such a list may take, the waiting for a process included. */
    mentionsPieceMs: 5_000,

    // Sign-in, apps and payments.
    /** How long a visitor waits for their turn to have a password hashed. */
    passwordTurnMs: 20_000,
    /** How long a start waits for sign-in to be warm; a provider that does not answer delays it no longer. */
    signInWarmUpMs: 2_000,
    /** Time that the document in which an app describes itself may take to arrive. */
    appDocumentMs: 5_000,
    /** Time after which a request to the payment service ends. */
    paymentProviderMs: 10_000,

    // Agents; none waits longer than agentWaitSeconds.
    /** How long an agent's search waits for an index that is behind; then it is refused. */
    agentSearchBuildMs: 10_000,
    /** Time after which an agent's preview is answered as far as it is; the same call goes on with it. */
    agentPreviewMs: 20_000,
    /** How long an agent waits for the first look at a list, which says whether there is such a list. */
    agentFirstLookMs: 10_000,
  },
} as const

export type Deadlines = { readonly [Name in keyof typeof LIMITS.deadlines]: number }

/** Returns all deadlines, multiplied by `patience` (DATABASE_PATIENCE). */
export function deadlinesOf(patience: number): Deadlines {
  const entries = Object.entries(LIMITS.deadlines).map(([name, ms]) => [name, patience * ms])
  return Object.fromEntries(entries) as Deadlines
}

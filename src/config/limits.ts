/**
 * Limits that no operator needs to change, each with its unit. Those of a call to the platform are in
 * platform/limits.ts, since tests and loopback origins have others.
 */
import os from 'node:os'

export const LIMITS = {
  // What a caller may send and ask for.
  bodyBytes: 65_536,
  /** No body of ours nests deeper than 2; a deeper one is an attack on code that walks through it. */
  jsonDepth: 64,
  urlsMax: 50,
  sourceLineChars: 4096,
  recognisedTextChars: 60_000,
  videosMax: 500,
  idempotencyKeyLengthMax: 255,
  jobsPageMax: 50,
  resultsPageMax: 200,
  resultsQueryChars: 200,
  statementPageMax: 200,
  longPollMs: 60_000,
  /** How often a waiting request looks without a signal. */
  jobWaitLookMs: 5_000,

  // HTTP.
  headerBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 20_000,
  /** How often Node looks for requests that take too long to arrive. */
  arrivalCheckMs: 1_000,
  keepAliveMs: 65_000,
  connectionsMax: 10_000,
  /** Of one address, or of one /64 of IPv6; not of trusted proxies. */
  connectionsPerNetworkMax: 256,
  refusedConnectionsToldMs: 60_000,
  /** Requests of one connection whose answers are not sent yet. */
  pipelinedMax: 32,
  /** What a client has to take within DOWNLOAD_STALL of an answer that waits for it. */
  takenBytesMin: 16 * 1024,
  /** Whole-job files that are being sent to an account at once, by one process. */
  downloadsAtOnceMax: 10,
  downloadRetrySeconds: 5,
  /** How long a browser that came by https keeps to it: a year. */
  httpsOnlySeconds: 31_536_000,
  /** How long a browser may keep a preflight's answer. */
  preflightSeconds: 7_200,
  publicKeysKeptSeconds: 300,
  /** Below this, compressing costs the caller more time than the bytes it saves. */
  compressedBytesMin: 4_096,

  // Keys, sign-in, mail and payments.
  keyBucketSize: 60,
  keyRefillPerSecond: 1,
  /** Over all keys and pages of an account: 20 times a key's, however many keys are made and revoked. */
  accountBucketSize: 1_200,
  accountRefillPerSecond: 20,
  /** A bucket that nobody asked for so long is full again and forgotten. */
  bucketsKeptSeconds: 24 * 3600,
  bucketsSweptEveryMs: 3_600_000,
  /** One bucket for all the website's bearers of an account, and the pages themselves. */
  sessionBucketSize: 600,
  sessionRefillPerSecond: 10,
  sessionBearerSeconds: 900,
  /** Requests of the website without a session, by the network they come from. */
  strangerBucketSize: 120,
  strangerRefillPerSecond: 2,
  keysMax: 100,
  /** Revoked keys an account keeps in its list, the latest ones. */
  revokedKeysMax: 100,
  keyNameLengthMax: 80,
  sessionSeconds: 30 * 24 * 3600,
  sessionRenewalSeconds: 24 * 3600,
  mailedLinkSeconds: 3600,
  mailSendMs: 15_000,
  /** Mails of the whole installation in an hour, whoever asks for them. */
  mailsPerHour: 1_000,
  /** A mail written to a folder is removed after this; its link is void long before. */
  mailFileKeptSeconds: 24 * 3600,
  mailFolderTidiedMs: 3_600_000,
  /** How long a browser that signed in is known: others' wrong guesses do not keep it out. */
  knownDeviceSeconds: 180 * 24 * 3600,
  /** How long a start waits for sign-in to be warm; a provider that does not answer delays it no longer. */
  signInWarmUpMs: 2_000,
  /** How long after a reset its page may revoke the account's keys and passkeys. */
  revokeGrantSeconds: 900,
  emailChars: 254,
  passwordChars: { min: 10, max: 128 },
  /** Passwords hashed at once, each on a thread of its own with 32 MB. */
  passwordsHashedAtOnce: Math.max(1, Math.min(4, os.availableParallelism())),
  /** Passwords that wait for that, at most; beyond it 503. */
  passwordsWaiting: 64,
  passwordThreadIdleMs: 60_000,
  passwordsBusyRetrySeconds: 2,
  /** Expired rows are deleted this often, so many rows at once and so many times in a row. */
  sweepEveryMs: 60_000,
  sweepRows: 1_000,
  sweepRounds: 50,
  /** A request to Stripe ends after this, and is repeated so often. */
  paymentProviderMs: 10_000,
  paymentProviderRetries: 2,
  paymentBusyRetrySeconds: 10,
  /** Events are a few kilobytes; this is the most that is read of one. */
  paymentEventBytes: 512 * 1024,
  claimsListedMax: 200,

  // The database.
  statementMs: 5_000,
  lockMs: 5_000,
  idleInTransactionMs: 5_000,
  connectMs: 5_000,
  /** Above statementMs: a server that answers nothing, not even that, is gone. */
  databaseSilenceMs: 8_000,
  /** An idle connection to the database is probed after this. */
  keepAliveProbeMs: 10_000,
  /** How long the end of a connection waits for the server to agree. */
  farewellMs: 1_000,
  databaseRetryMs: 1_000,
  /** How long an answer of /readyz stands for all who ask. */
  readinessKeptMs: 1_000,
  /** What a caller is told to wait while the database is away. */
  databaseRetryAfterSeconds: 2,
  databaseLossPauseMs: 200,
  signalsReconnectMs: 500,
  /** Read at once; memory does not grow with what is read. */
  verifiedEntriesPage: 5_000,
  verifiedJobsPage: 200,
  statementCsvPage: 2_000,
  reportRowsAtOnce: 500,
  /** Adding up the whole ledger is work: it is done at most this often. */
  ledgerSumEveryMs: 300_000,
  /** A backup's rows are many and small: they are handed on in pieces of about this size. */
  backupPieceBytes: 64 * 1024,
  /** How long a restore waits for whoever still uses the tables. */
  restoreLockSeconds: 5,

  // The embedded database.
  /** From the first question to an answering server, with the recovery after a crash. */
  embeddedStartMs: 120_000,
  /** How long a server that refuses to start is tried again: what is left of an old one is ending. */
  embeddedRetryMs: 5_000,
  /** A draft or a lock moved aside lives for a moment; one this old belongs to nobody. */
  embeddedStartLockDraftMs: 60_000,
  embeddedConnectMs: 5_000,
  /** For every statement; making the database is the longest, on a slow disk. */
  embeddedAnswerMs: 30_000,
  embeddedStopMs: 30_000,
  embeddedLogBytes: 8 * 1024 * 1024,
  embeddedLogLookMs: 60_000,

  // Jobs and workers.
  /** What a stop may take beyond STOP_GRACE; then the process ends as it is, and loses nothing. */
  stopMarginMs: 8_000,
  /** Signals within this are one request to stop, sent to a whole group. */
  askedAgainMs: 1_000,
  /** What ending at once may take for the embedded database. */
  hurriedStopMs: 5_000,
  /** How long what is left in the event loop may take to end by itself. */
  exitMs: 300,
  /** How often a worker asks for tasks when nothing wakes it, and looks for cancelled jobs. */
  taskPollMs: 500,
  cancelPollMs: 500,
  taskHeartbeatMs: 3_000,
  taskHeartbeatMaxSeconds: 10,
  supervisionMs: 1_000,
  /** With taskHeartbeatMs below taskHeartbeatMaxSeconds: no task grows silent in a gap that is not noticed. */
  supervisionGapSeconds: 5,
  doneTasksKeptSeconds: 3_600,
  /** Jobs end themselves at their time limit; the queue's own expiry comes later, as a last resort. */
  taskExpiryMarginSeconds: 600,
  queueConnectionsMax: 3,
  rescueEveryMs: 30_000,
  /** How often a worker adds what each account used to the database; a crash loses as much. */
  usageFlushMs: 5_000,
  /** Part of a process's connections that record videos; the rest is for planning, ends and callers. */
  recordingShare: 0.5,
  /** While others wait, a job that has delivered nothing for so many list pages, or so long, gives up its place. */
  turnPages: 5,
  turnMs: 20_000,
  /** What is in flight when a place was given up may end for so long; then it is left and asked for again. */
  turnGraceMs: 2_000,
  /** Part of a worker's places that are lent on before those who gave them up are out. */
  lentShare: 0.25,
  /** Waiting tasks looked at to see who is to give up a place. */
  crowdLookedAt: 8,
  /** List pages a process reads, and records, at once: one is as much work for it as several videos. */
  pagesReadAtOnceMax: 4,
  pagesPlannedAtOnceMax: 1,
  /** Rows are taken up in batches of this many: a job of any size needs little memory. */
  rowsTakenAtOnce: 64,
  /** Videos that were fetched and are being rendered and recorded, at most; then fetching waits. */
  recordedAtOnceMax: 32,
  /** Dates asked for at once, and at most as many as there are slots for. */
  datesAskedAtOnceMax: 8,
  /** List pages read as one to find a date's place: up to 2,000 videos, a megabyte. */
  joinedPagesMax: 20,
  /** Platform calls of one job that nobody pays for: lists of half a million videos, or a playlist's dates. */
  freeCallsPerJobMax: 10_000,
  /** A notice says beforehand that the day's allowance is nearly used up, from this part of it on. */
  allowanceNearlyUsed: 0.8,
  /** How long what the platform said of lists, of names and of dates is read by others, and how much is kept. */
  listCopySeconds: 3_600,
  listCopiesBytes: 64 * 1024 * 1024,
  channelNameSeconds: 3_600,
  missingNameSeconds: 600,
  publishDateSeconds: 86_400,
  freeCallsKeptDays: 7,
  /** Where a list goes on that an allowance cut short. */
  bookmarksKeptDays: 90,
  bookmarkHeadsMax: 10,
  listsSweptEveryMs: 30_000,
  sweptRowsMax: 5_000,
  sweptCopiesMax: 20,
  /** And of an account's free calls of a day a page joined is at most this part, 1/25. */
  joinedPagePartOfDay: 25,
  /** The doctor's whole examination, over every route and client. */
  doctorMs: 300_000,
} as const

/**
 * Limits that no operator needs to change, each with its unit. Those of a call to the platform are in
 * platform/limits.ts, since tests and loopback origins have others.
 */
import { CONSOLE_LIMITS } from './console-limits.ts'
import { RECORDING_LIMITS } from './recording-limits.ts'
import { PREVIEW_LIMITS } from './preview-settings.ts'
import os from 'node:os'
import { SEARCH_LIMITS } from './search-limits.ts'
import { SUBSCRIPTION_LIMITS } from './subscription-limits.ts'
import { UPKEEP_LIMITS } from './upkeep-limits.ts'

export const LIMITS = {
  ...UPKEEP_LIMITS,
  ...CONSOLE_LIMITS,
  ...SEARCH_LIMITS,
  ...SUBSCRIPTION_LIMITS,
  // What a caller may send and ask for.
  bodyBytes: 65_536,
  /** No body of ours nests deeper than 2; a deeper one is an attack on code that walks through it. */
  jsonDepth: 64,
  urlsMax: 50,
  sourceLineChars: 4096,
  previewedTextChars: 60_000,
  videosMax: 500,
  idempotencyKeyLengthMax: 255,
  jobsPageMax: 50,
  resultsPageMax: 200,
  resultsQueryChars: 200,
  statementPageMax: 200,
  longPollMs: 60_000,
  /** How often a waiting request looks without a signal. */
  jobWaitLookMs: 5_000,

  // Event streams.
  /** How often a process looks at the jobs that somebody follows. */
  watchLookMs: 1_000,
  /** Below the idle time after which common proxies close a connection: 30 to 60 seconds. */
  heartbeatMs: 15_000,
  /** When a client whose stream ended comes again. */
  streamRetryMs: 2_000,
  /** Followers of one process, over all accounts: with the connection some 80 KB each. */
  followersMax: 5_000,
  followersBusyRetrySeconds: 5,
  /** Rows that are read and written at once: what a slow reader holds. */
  followedRowsAtOnce: 50,
  /** Bytes that wait for a slow reader before no more rows are read. */
  followedBytesAhead: 16 * 1024,
  /** Jobs, and keys, asked about in one statement; jobs read whole in one. */
  watchedAtOnce: 1_000,
  movedJobsAtOnce: 50,
  /** Followers that write in one turn of the event loop. */
  wokenAtOnce: 50,

  // Agents.
  /** Clients give a tool up after 60 seconds. */
  mcpWaitSeconds: 45,
  /** A preview is answered as far as it is by then; the same call goes on with it. */
  mcpPreviewMs: 20_000,
  /** Lines of a preview that are told one by one. */
  mcpPreviewedLines: 20,
  mcpHitsMax: 50,
  mcpRowsMax: 100,
  /** Characters of one page of a transcript: clients cut an answer at about 25,000 tokens. */
  mcpPageChars: { default: 20_000, max: 60_000 },
  /** Characters of a transcript read as a resource, which has no pages. */
  mcpResourceChars: 1_000_000,
  /** How long clients may keep the list of tools. */
  mcpListKeptMs: 3_600_000,

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
  /** A bucket that nobody asked for so long is full again and forgotten: none takes more than an hour to fill. */
  bucketsKeptSeconds: 2 * 3600,
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
  /** A session that is used is renewed this often: its last use is told as exactly. */
  sessionRenewalSeconds: 600,
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
  /** A request to Stripe ends after this, and is repeated so often. */
  paymentProviderMs: 10_000,
  paymentProviderRetries: 2,
  paymentBusyRetrySeconds: 10,
  /** Events are a few kilobytes; this is the most that is read of one. */
  paymentEventBytes: 512 * 1024,
  claimsListedMax: 200,

  // Webhooks.
  webhooksMax: 10,
  /** Attempts under way: of one webhook over all processes, so that a slow receiver delays only itself, and of a process. */
  deliveriesPerWebhook: 4,
  deliveriesAtOnceMax: 128,
  /** Over the whole exchange: name, connection, request, status. */
  deliveryMs: 15_000,
  /** A question to a name server, and how often it is asked. */
  nameQueryMs: 3_000,
  nameQueries: 2,
  /** Above deliveryMs: an attempt without an end after it was lost with its process. */
  deliveryLeaseSeconds: 45,
  deliveryPollMs: 1_000,
  /** Owners of disabled webhooks are mailed at once; this finds those whose process died before. */
  noticePollMs: 30_000,
  /** What is read of a reply, and what the log keeps of it. */
  replyBytes: 65_536,
  replyKeptChars: 1_024,
  deliveriesKeptDays: 30,
  deliveriesPageMax: 50,
  deliveryAttemptsShown: 20,
  /** Without any success: then a delivery that fails a second time disables its webhook. */
  webhookFailingSeconds: 5 * 24 * 3600,
  /** How long the secret before the present one signs too. */
  secretOverlapSeconds: 24 * 3600,
  /** Mails to an account about its final jobs: so many at once, one more every minute. */
  jobMails: { size: 60, everySeconds: 60 },
  /** Deliveries that one request makes due again. */
  replayedMax: 5_000,

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
  statementCsvPage: 2_000,
  reportRowsAtOnce: 500,
  /** Files of a collection's ZIP: one without ZIP64 names 65,535 at most. */
  zipEntriesMax: 65_000,
  /** Of texts in a ZIP of a collection: 4 GiB less 4 KB for the names and heads of each file. */
  zipBytesMax: 4_000_000_000,
  /** Transcripts that an export holds in memory at once. */
  exportedAtOnce: 16,
  libraryPageMax: 100,
  libraryVideosPageMax: 200,

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
  /** Statements that send signals: so many at once, then one each time. */
  signalsAtOnce: 4,
  signalsEveryMs: 25,
  openJobsRecountedEveryMs: 60_000,
  /** Accounts whose count is corrected at a time. */
  recountedAtOnce: 100,
  /** How often a worker adds what each account used to the database; a crash loses as much. */
  usageFlushMs: 5_000,
  /** While others wait, a job that has delivered nothing for so many list pages, or so long, gives up its place. */
  turnPages: 5,
  turnMs: 20_000,
  /** What is in flight when a place was given up may end for so long; then it is left and asked for again. */
  turnGraceMs: 2_000,
  /** Part of a worker's slots that are lent on before those who gave them up are out. */
  lentShare: 0.25,
  /** Waiting tasks looked at to see who is to give up a place. */
  crowdLookedAt: 8,
  /** List pages a process reads, and records, at once: one is as much work for it as several videos. */
  pagesReadAtOnceMax: 4,
  pagesPlannedAtOnceMax: 1,
  /** Rows are taken up in batches of this many: a job of any size needs little memory. */
  rowsTakenAtOnce: 64,
  ...RECORDING_LIMITS,
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
  /** What the drift watch calls usual, how often workers add to it, and how often they look for changes. */
  usualDays: 7,
  sharesRecordedEveryMs: 600_000,
  driftsLoggedEveryMs: 10_000,
  ...PREVIEW_LIMITS,
  /** Where a list goes on that an allowance cut short. */
  bookmarksKeptDays: 90,
  bookmarkHeadsMax: 10,
  listsSweptEveryMs: 30_000,
  sweptRowsMax: 5_000,
  sweptCopiesMax: 20,
  /** And of an account's free calls of a day a page joined is at most this part, 1/25. */
  joinedPagePartOfDay: 25,
  /** How often the file of client profiles is looked at for changes, and how large it may be. */
  clientsReadEveryMs: 2_000,
  clientsFileBytes: 256 * 1024,
} as const

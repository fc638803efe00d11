/**
 * Environment -> Config: the only reader of `process.env`. Every setting has a unit, a default and
 * bounds; a wrong value stops the start with one sentence that names the variable.
 * docs/operating.md lists them, written from here.
 */
import os from 'node:os'
import path from 'node:path'
import {
  address,
  choice,
  ConfigError,
  flag,
  secret,
  type Setting,
  text,
  whole,
  words,
} from './settings.ts'

export const ROLES = ['api', 'worker'] as const
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export const SETTINGS = {
  PORT: whole({
    about: 'Port of the API and the website.',
    unit: 'a TCP port; 0 picks a free one',
    default: 8080,
    min: 0,
    max: 65_535,
  }),
  HOST: text({
    about: 'Address to listen on.',
    unit: 'an IP address or host name',
    default: '127.0.0.1',
    pattern: /^[\w.:-]+$/,
  }),
  PUBLIC_URL: address({
    about:
      'Address under which customers reach this server; links start with it. Passkeys need a name, not an IP address.',
    default: null,
    defaultText: 'http://localhost:PORT',
  }),
  DATA_DIR: text({ about: 'Folder of the embedded database.', unit: 'a path', default: './data' }),
  DATABASE_URL: secret({
    about: 'An external PostgreSQL (15 to 18) instead of the embedded one.',
    unit: 'a postgres:// URL',
  }),
  ROLES: words({
    about: 'What this process does: answer callers, run jobs, or both.',
    unit: '',
    default: ['api', 'worker'],
    of: ROLES,
  }),
  LOG_LEVEL: choice({ about: 'What is logged.', unit: '', default: 'info', of: LOG_LEVELS }),
  PLATFORM_ORIGIN: address({
    about:
      'Where every platform request goes instead of the real platform; for tests and the stand-in.',
    default: null,
    defaultText: 'the platform',
  }),
  PLATFORM_CLIENTS: text({
    about: 'File with client profiles that replace the built-in ones.',
    unit: 'a path',
    default: null,
  }),
  PLATFORM_FIELD_MASKS: flag({
    about:
      'Request only the fields we read from the platform; turn off if it stops accepting field masks.',
    default: true,
  }),
  PUBLISH_DATES: choice({
    about:
      'When to request the exact publish date: for every video, or only when date bounds need it.',
    unit: '',
    default: 'always',
    of: ['always', 'bounds'],
  }),
  EGRESS_ROUTES: secret({
    about: 'Egress routes to the platform: `direct` and proxies, with their rates.',
    unit: 'a list of routes, see “Egress routes”',
  }),
  DATABASE_POOL: whole({
    about: 'Database connections that one process opens at most.',
    unit: 'connections',
    default: 12,
    min: 2,
    max: 200,
  }),
  MAX_ACTIVE_JOBS: whole({
    about:
      'Jobs running and waiting over all processes, shared equally by the accounts at work: each gets at least one job and at most half of all; beyond its share the answer is server_busy.',
    unit: 'jobs',
    default: 100,
    min: 1,
    max: 100_000,
  }),
  WORKER_JOBS: whole({
    about:
      'Jobs that one worker process runs at once, briefly a quarter more while some make way for others. One account gets at most half, and less while others wait.',
    unit: 'jobs',
    default: 24,
    min: 1,
    max: 1_000,
  }),
  WORKER_VIDEOS: whole({
    about: 'Videos that one worker process fetches at once, shared fairly by its jobs.',
    unit: 'videos',
    default: 64,
    min: 1,
    max: 1_000,
  }),
  JOB_VIDEOS: whole({
    about: 'Videos of one job that are fetched at once.',
    unit: 'videos',
    default: 16,
    min: 1,
    max: 1_000,
  }),
  JOB_TIME_LIMIT: whole({
    about: 'How long a job may take before it ends as interrupted.',
    unit: 'seconds',
    default: 21_600,
    min: 1,
    max: 604_800,
  }),
  JOB_ATTEMPTS: whole({
    about: 'Attempts a job may lose to crashed workers before it ends as interrupted.',
    unit: 'attempts',
    default: 5,
    min: 1,
    max: 1_000,
  }),
  FREE_CALLS_PER_DAY: whole({
    about:
      'Platform calls per day (UTC) that an account may cause without paying for a transcript.',
    unit: 'calls',
    default: 500,
    min: 0,
    max: 1_000_000,
  }),
  FREE_CALLS_PER_USD: whole({
    about: 'Further free platform calls per day for each USD that the account has ever paid in.',
    unit: 'calls',
    default: 250,
    min: 0,
    max: 1_000_000,
  }),
  HEALTH_PORT: whole({
    about: 'Port for /healthz, /readyz and /metrics in a process without the role api; 0 for none.',
    unit: 'a TCP port',
    default: 0,
    min: 0,
    max: 65_535,
  }),
  METRICS_TOKEN: secret({
    about:
      'Bearer token required by /metrics; without it, only direct requests from this machine are answered.',
    unit: 'a text',
  }),
  DOWNLOAD_STALL: whole({
    about:
      'How long a client may read almost nothing of a response before its connection is closed.',
    unit: 'seconds',
    default: 60,
    min: 1,
    max: 3_600,
  }),
  STOP_GRACE: whole({
    about:
      'How long a stopping process waits for requests and rows in progress before it hands its jobs back.',
    unit: 'seconds',
    default: 10,
    min: 0,
    max: 600,
  }),
  RECEIPT_SIGNING_KEY: secret({
    about: 'Key that signs receipts; without it, one is created and kept in the database.',
    unit: 'an Ed25519 seed: 32 bytes in base64',
  }),
  STRIPE_SECRET_KEY: secret({
    about:
      'Lets customers top up with Stripe Checkout; without it, the website says how else to get credit.',
    unit: "Stripe's secret key",
  }),
  STRIPE_WEBHOOK_SECRET: secret({
    about:
      'Proves that an event at /webhooks/stripe is from Stripe; required with STRIPE_SECRET_KEY.',
    unit: "the endpoint's signing secret",
  }),
  STRIPE_API_ORIGIN: address({
    about: "Address used instead of Stripe's own API; for tests.",
    default: null,
    defaultText: 'https://api.stripe.com',
  }),
  TOP_UP_AMOUNTS: text({
    about: 'Amounts that customers can choose from for a top-up.',
    unit: 'USD, comma-separated, whole cents',
    default: '10,25,50,100',
    pattern: /^[1-9]\d{0,4}(\.\d\d)?(,[1-9]\d{0,4}(\.\d\d)?){0,7}$/,
    form: 'one to eight amounts of USD from 1 to 99999 such as 10,25,50',
  }),
  SIGN_UP: choice({
    about:
      'Who may sign up on the website: anybody, or only people whose address an operator gave an account.',
    unit: '',
    default: 'open',
    of: ['open', 'closed'],
  }),
  WELCOME_CREDIT_USD: text({
    about: 'Credit for an account created by signing up on the website.',
    unit: 'USD',
    default: '0',
    form: 'a plain amount of USD such as 0.5',
    pattern: /^(0|[1-9]\d{0,3})(\.\d{1,6})?$/,
  }),
  TRUSTED_PROXIES: text({
    about:
      'Reverse proxies whose X-Forwarded-For is trusted; visitors are limited by the address it names, and connections from these proxies are not limited.',
    unit: 'a comma-separated list of addresses or ranges',
    default: null,
    pattern: /^[\da-fA-F.:/,\s]+$/,
  }),
  SMTP_URL: secret({
    about:
      'Mail server for confirmation and reset links; without it, emails are written to MAIL_DIR.',
    unit: 'an smtp:// or smtps:// URL',
  }),
  MAIL_DIR: text({
    about: 'Folder for emails when SMTP_URL is not set: one file each, readable only by this user.',
    unit: 'a path',
    default: null,
    defaultText: 'DATA_DIR/mail',
  }),
  MAIL_FROM: text({
    about: 'Sender of emails.',
    unit: 'an email address',
    default: 'Scriptorium <no-reply@localhost>',
  }),
  OIDC_ISSUER: address({
    about: 'Issuer address of an OpenID Connect provider for sign-in.',
    default: null,
    defaultText: 'none',
  }),
  OIDC_NAME: text({
    about: "Label of that provider's sign-in button.",
    unit: 'a name',
    default: 'Single sign-on',
  }),
  OIDC_CLIENT_ID: text({ about: 'Client id at that provider.', unit: 'a text', default: null }),
  OIDC_CLIENT_SECRET: secret({ about: 'Client secret at that provider.', unit: 'a text' }),
} satisfies Record<string, Setting<unknown>>

type Values = { [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> }

export type Config = Omit<Values, 'PUBLIC_URL' | 'MAIL_DIR'> & {
  MAIL_DIR: string
  /** Without a trailing slash. Null until the port is known, if PORT is 0 and nothing was set. */
  PUBLIC_URL: string | null
}

/**
 * Limits that no operator needs to turn, each with its unit. What one question to the platform may
 * cost is in platform/limits.ts, since tests and loopback origins have others.
 */
export const LIMITS = {
  // What a caller may send and ask for.
  bodyBytes: 65_536,
  /** No body of ours nests deeper than 2; beyond this it is an attack on whoever walks through it. */
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
  /** What nobody can use any more is deleted this often, so many rows at once and so often in a row. */
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
  /** How long what is left in the event loop may take to end by itself. */
  exitMs: 300,
  /** How often a worker asks for tasks when nothing wakes it, and looks for cancelled jobs. */
  taskPollMs: 500,
  cancelPollMs: 500,
  taskHeartbeatMs: 3_000,
  taskHeartbeatMaxSeconds: 10,
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

/**
 * Reads the environment. Throws ConfigError with one sentence for the first wrong variable; an
 * empty variable counts as unset. Paths become absolute.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    try {
      return [name, setting.read(env[name] === '' ? undefined : env[name])]
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      throw new ConfigError(`${name} ${error.message}; unset it for ${setting.defaultText}`)
    }
  })
  const values = Object.fromEntries(entries) as Values
  const publicUrl =
    values.PUBLIC_URL ?? (values.PORT === 0 ? null : `http://localhost:${values.PORT}`)
  const dataDir = path.resolve(values.DATA_DIR)
  return {
    ...values,
    PUBLIC_URL: publicUrl,
    DATA_DIR: dataDir,
    MAIL_DIR: path.resolve(values.MAIL_DIR ?? path.join(dataDir, 'mail')),
  }
}

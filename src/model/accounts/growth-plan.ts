/**
 * What bounds everything that an account can make grow: every table is named here once, as in erasure-plan.ts, and what
 * grows outside the database. What is not named, or holds another number than is said here, fails a test.
 */

/**
 * `held` names what holds the bound, with its number: a constant, a field of one (`MAILS.size`) or the default of a
 * setting, by the file that has it. `of` is the table by whose rows the rows are bounded: so many of each.
 */
export type Growth = {
  per: 'account' | 'user' | 'day' | 'money' | 'row' | 'process' | 'none'
  bound: string
  of?: string
  held?: Record<string, Record<string, number>>
}

const [VARIABLES, LIMITS] = ['src/kit/config/variables.ts', 'src/kit/config/limits.ts']
const SERVICE_VARIABLES = 'src/kit/config/service-variables.ts'
const ALLOWANCE = 'src/model/jobs/allowance.ts'
const LISTS = 'src/features/jobs/lists.ts'
const OAUTH = 'src/model/oauth/authorization.ts'
const KEYS = 'src/features/accounts/keys.ts'
const ATTEMPTS = 'src/features/accounts/attempt-limits.ts'

const CALLS = { [VARIABLES]: { FREE_CALLS_PER_DAY: 500, FREE_CALLS_PER_USD: 250 } }
const PRICE = { 'src/model/money/money.ts': { PRICE_MICROS: 8_000 } }
const MAILED = { [ATTEMPTS]: { 'MAILS.size': 5, 'MAILS.everySeconds': 600 } }
/** Rows that no account makes grow. */
const none = (bound: string): Growth => ({ per: 'none', bound })

export const GROWTH_PLAN: Record<string, Growth> = {
  // Jobs: those that deliver are paid for, the others use up the day's allowance.
  job: {
    per: 'day',
    bound:
      'jobs that end without a transcript, one for each call of the allowance; others pay for a transcript',
    held: { ...CALLS, ...PRICE, [ALLOWANCE]: { JOBS_FOR_NOTHING_MIN: 100 } },
  },
  job_source: {
    per: 'row',
    bound: 'lines of a job, whose bytes count as further jobs where it delivers nothing',
    of: 'job',
    held: { [LIMITS]: { urlsMax: 50 }, [ALLOWANCE]: { LINE_BYTES_PER_JOB: 4_096 } },
  },
  ledger_entry: {
    per: 'row',
    bound: 'reserve, charge and release of a job; others are payments',
    of: 'job',
  },
  video_row: {
    per: 'row',
    bound: 'videos that a job takes, as many as its balance pays for; other rows use up calls',
    of: 'job',
    held: { ...CALLS, [LIMITS]: { videosMax: 500 }, [ALLOWANCE]: { FREE_ROWS_PER_CALL: 100 } },
  },
  transcript: { per: 'money', bound: 'one for each paid video', of: 'video_row', held: PRICE },
  transcript_body: {
    per: 'money',
    bound: 'one for each paid video',
    of: 'transcript',
    held: PRICE,
  },
  transcript_form: {
    per: 'money',
    bound: 'at most four for each paid video',
    of: 'transcript',
    held: PRICE,
  },
  history: {
    per: 'row',
    bound: 'one for each video of a set of URLs that was tried',
    of: 'video_row',
  },
  collection: {
    per: 'row',
    bound: 'one for each list, and for the channel of each video',
    of: 'video_row',
  },
  collection_video: { per: 'row', bound: 'one for each list that a row is of', of: 'video_row' },
  project: { per: 'account', bound: 'projects', held: { [LIMITS]: { projectsMax: 200 } } },
  project_video: {
    per: 'row',
    bound: 'videos of a project',
    of: 'project',
    held: { [LIMITS]: { projectVideosMax: 10_000 } },
  },
  list_bookmark: {
    per: 'row',
    bound: 'one for each list of a job that was cut short, kept for 90 days',
    of: 'job_source',
    held: { [LISTS]: { BOOKMARK_SECONDS: 7_776_000 } },
  },
  publish_date: {
    per: 'day',
    bound: 'one for each call, kept for a day',
    held: { ...CALLS, [LISTS]: { PUBLISH_DATE_SECONDS: 86_400 } },
  },
  egress_suspicion: {
    per: 'day',
    bound: 'one for each video whose answer looked like a block',
    of: 'video_row',
  },
  free_calls: {
    per: 'day',
    bound: 'one a day, kept for a week',
    held: { [LISTS]: { FREE_CALLS_KEPT_DAYS: 7 } },
  },
  account_usage: { per: 'day', bound: 'one a day' },

  // What an account sets up.
  webhook: {
    per: 'account',
    bound: 'addresses, and one for mails',
    held: { [LIMITS]: { webhooksMax: 10 } },
  },
  webhook_delivery: {
    per: 'row',
    bound: 'one of each webhook for a job, and tests; kept for 30 days',
    of: 'job',
    held: {
      [LIMITS]: { webhooksMax: 10, deliveriesKeptDays: 30 },
      [ATTEMPTS]: { 'WEBHOOK_TESTS.size': 10, 'WEBHOOK_TESTS.everySeconds': 60 },
    },
  },
  webhook_attempt: {
    per: 'row',
    bound: 'eight for each round of a delivery, and rounds that are asked for',
    of: 'webhook_delivery',
    held: { [ATTEMPTS]: { 'REPLAYS.size': 30, 'REPLAYS.everySeconds': 10 } },
  },
  preview: {
    per: 'account',
    bound: 'an hour’s, kept for an hour',
    held: { [SERVICE_VARIABLES]: { PREVIEWS_PER_HOUR: 30 }, [LIMITS]: { previewSeconds: 3_600 } },
  },
  preview_page: {
    per: 'row',
    bound: 'pages of a preview, or one of each of its lists',
    of: 'preview',
    held: { [SERVICE_VARIABLES]: { PREVIEW_PAGES: 3 }, [LIMITS]: { urlsMax: 50 } },
  },
  subscription: {
    per: 'account',
    bound: 'followed channels and playlists',
    held: { [VARIABLES]: { SUBSCRIPTIONS_PER_ACCOUNT: 1_000 } },
  },
  batch: {
    per: 'account',
    bound: 'those at work, and the latest that rest',
    held: { [LIMITS]: { batchesKeptMax: 100 } },
  },
  subscription_video: {
    per: 'row',
    bound:
      'new videos that wait, and those that were ordered, which are paid for or tried again for some days',
    of: 'subscription',
    held: { 'src/model/follow/subscription.ts': { WAITING_VIDEOS_MAX: 500 } },
  },
  subscription_job: { per: 'row', bound: 'one for each job that it started', of: 'job' },
  subscription_mail: { per: 'row', bound: 'two, since each is told once', of: 'subscription' },
  operator: none('made by a command'),

  // What opens an account.
  account: { per: 'user', bound: 'one for each proven address', of: 'sign_in_user' },
  balance: { per: 'account', bound: 'one' },
  api_key: {
    per: 'account',
    bound:
      'live keys, revoked ones that are listed, bearers of the website for 15 minutes, and tokens of each consent',
    held: {
      [KEYS]: { KEYS_MAX: 100, REVOKED_KEYS_MAX: 100, SESSION_BEARER_SECONDS: 900 },
      [OAUTH]: { accessTokensMax: 100 },
    },
  },
  app_connection: {
    per: 'account',
    bound: 'connected apps; those that are disconnected stay only where they started a job',
    held: { [OAUTH]: { connectionsMax: 100 } },
  },
  oauth_grant: {
    per: 'row',
    bound: 'the latest',
    of: 'app_connection',
    held: { [OAUTH]: { grantsMax: 100 } },
  },
  oauth_code: { per: 'row', bound: 'one', of: 'oauth_grant' },
  oauth_refresh_token: {
    per: 'row',
    bound: 'the latest',
    of: 'oauth_grant',
    held: { [OAUTH]: { refreshTokensMax: 1_000 } },
  },
  device_login: {
    per: 'process',
    bound: 'what a network may ask for, kept for ten minutes',
    held: {
      [ATTEMPTS]: { 'TOKENS.size': 300, 'TOKENS.everySeconds': 0.2 },
      [OAUTH]: { deviceLoginSeconds: 600 },
    },
  },
  sign_in_user: { per: 'account', bound: 'one for each proven address' },
  sign_in_method: {
    per: 'user',
    bound: 'one for the password, one for the provider',
    of: 'sign_in_user',
  },
  sign_in_session: {
    per: 'user',
    bound: 'the last used',
    held: { [LIMITS]: { sessionsMax: 100 } },
  },
  operator_proof: { per: 'row', bound: 'one', of: 'sign_in_session' },
  sign_in_passkey: { per: 'user', bound: 'passkeys', held: { [LIMITS]: { passkeysMax: 50 } } },
  sign_in_verification: {
    per: 'day',
    bound: 'one for each mail to an address, and challenges that expire within minutes',
    held: { ...MAILED, [ATTEMPTS]: { ...MAILED[ATTEMPTS], 'ROWS_BY_NETWORK.everySeconds': 10 } },
  },
  sign_up: { per: 'day', bound: 'one for each mail to an address, kept for an hour', held: MAILED },
  address_change: {
    per: 'day',
    bound: 'one that waits, and those that a mail confirmed, for a week',
    held: MAILED,
  },
  mail: { per: 'day', bound: 'mails to an address, until they are sent', held: MAILED },
  given_once: { per: 'user', bound: 'one for each mailbox, for two years', of: 'sign_in_user' },
  rate_bucket: {
    per: 'account',
    bound: 'one for each limit, forgotten within two hours of being full',
  },

  // Money comes by payments, which cost.
  payment: none('made by events of the payment service'),
  payment_claim: none('made by events of the payment service'),
  payment_event: none('made by events of the payment service'),

  // Tables that say what the platform is, whoever asked, and the service's own.
  video_details: {
    per: 'row',
    bound: 'one for each video that anybody was told of',
    of: 'video_row',
  },
  channel_name: { per: 'day', bound: 'one for each call, kept for an hour', held: CALLS },
  list_copy: {
    per: 'process',
    bound: '64 MB of pages, kept for an hour',
    held: { [LIMITS]: { listCopySeconds: 3_600 } },
  },
  list_page: { per: 'row', bound: 'one for each page', of: 'list_copy' },
  oauth_client: { per: 'row', bound: 'one for each connected app', of: 'app_connection' },
  operator_act: none('made by operators'),
  service_day: none('one a day'),
  incident: none('made by faults of the service'),
  attempt_bucket: none('served the release before'),
  egress_route: none('one for each route of the settings'),
  retired_client: none('made by answers of the platform'),
  verdict_share: none('one for each answer and day, kept for a week'),
  verdict_hour: none('one for each answer and hour'),
  signing_key: none('one for each key of the settings'),
  sign_in_secret: none('one'),
  mailbox_key: none('one'),
  migration: none('the schema'),
  schema_change: none('the schema'),
}

/** What grows outside the database. */
export const GROWTH_ELSEWHERE: Record<string, Growth> = {
  'search indexes': {
    per: 'process',
    bound: 'megabytes of all indexes; an account that owns nothing has none',
    held: { [VARIABLES]: { SEARCH_INDEX_MB: 4_096 } },
  },
  'searches under way': {
    per: 'account',
    bound: 'one, and those that wait',
    held: { 'src/features/search/search.ts': { SEARCHES_WAITING: 8 } },
  },
  'event streams': {
    per: 'account',
    bound: 'open streams, and those of a process',
    held: {
      [VARIABLES]: { EVENT_STREAMS: 50 },
      'src/features/jobs/job-feed.ts': { FOLLOWERS_MAX: 5_000 },
    },
  },
  'requests that wait for a job': {
    per: 'account',
    bound: 'a minute of an account’s requests, on connections that are counted by network',
    held: {
      [LIMITS]: { longPollMs: 60_000 },
      'src/kit/http/connections.ts': { CONNECTIONS_MAX: 10_000, CONNECTIONS_PER_NETWORK_MAX: 256 },
    },
  },
}

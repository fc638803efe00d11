/**
 * Every setting and limit is named here: as a bound that all callers share, with who can use it up, at what price, and
 * what is kept for others (decision 0014), or as a bound of one caller, one message or one row.
 */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { LIMITS } from '../../src/config/config.ts'
import { SETTINGS } from '../../src/config/variables.ts'
import { OAUTH_LIMITS } from '../../src/model/oauth/authorization.ts'
import { PLATFORM_LIMITS } from '../../src/platform/limits.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Names of constants that bound work or memory which goes on at the same time. */
const SHARING =
  /^(?:export )?const ([A-Z0-9_]*(?:AT_ONCE|WAITING|FOLLOWERS|CONNECTIONS|HELD_BYTES|PROCESSES|STRANGERS|COPIES_BYTES)[A-Z0-9_]*)\b/gm

/** Who can use a bound up, and at what price; what is kept for others. */
type Sharing = readonly [usedUpBy: string, kept: string]

/**
 * Prices are with the default settings, and for one process where the bound is of a process; bounds by network assume
 * that the proxy hands on addresses (`TRUSTED_PROXIES`). `npm run attack` prints those that it tries.
 */
const SHARED: Readonly<Record<string, Sharing>> = {
  MAX_ACTIVE_JOBS: [
    '100 accounts at work of about the same standing: $10 against a customer of $0.40, $1,000 against one of $10',
    'all places, for whoever brought or spent more',
  ],
  WORKER_JOBS: [
    'as many accounts that list',
    'the next place, for an account whose last job delivered, or that is new; jobs that only list are parked',
  ],
  ...sharedAlike(
    `WORKER_VIDEOS EGRESS_ROUTES PAGES_READ_AT_ONCE_MAX PAGES_PLANNED_AT_ONCE_MAX recordedAtOnceMax captionThreadsMax`,
    ['nobody: accounts go in turns', 'nine tenths, for what delivers'],
  ),
  DATABASE_POOL: [
    'nobody: keys and networks have rates',
    "half of a worker's, for what does not record",
  ],
  PREVIEWS_AT_ONCE_MAX: [
    'accounts, each by its first previews of the hour',
    'the next turn, for accounts with fewer previews; jobs do not wait',
  ],
  objectStore: [
    'four downloads of older texts at once, while the store is slow',
    'nothing: requests wait, for as long as one may take',
  ],
  LOOKS_AT_ONCE_MAX: ['nobody: each account has a few', 'the other looks'],
  COLLECTIONS_AT_ONCE: ['nobody: what a request left is deleted page by page', 'nothing'],
  BATCHES_AT_ONCE: ['nobody: a step of a batch only starts a job', 'nothing'],
  ...sharedAlike('TRIALS_PER_HOUR TRIALS_PER_DAY', [
    'visitors of three wide networks in an hour',
    'everything with an account',
  ]),
  CONNECTIONS_MAX: ['ten IPv4 /16, or five /32 of IPv6', 'nothing: limit them in the proxy'],
  FOLLOWERS_MAX: [
    '50 accounts the first half, 2,500 the second',
    'the second half, for accounts that follow nothing yet; `wait=` is not counted',
  ],
  HELD_BYTES_MAX: [
    'four accounts with a very long text each ($0.032) that read it slowly',
    'everything but very long texts',
  ],
  WAITING_MAX: [
    '16 networks (a /24, a /48) that guess passwords',
    'a line of their own, for known devices',
  ],
  PASSWORDS_HASHED_AT_ONCE: [
    '16 networks (a /24, a /48) that guess passwords',
    'the first turn, for known devices; then networks go in turns',
  ],
  MAILS_TO_STRANGERS: ['nine IPv4 /16, or five /32 of IPv6', 'mails to addresses with an account'],
  ...sharedAlike('toldEntries toldFileBytes', [
    'accounts that order much, within what they pay',
    'nothing: the oldest entries, which a failover seldom loses, are forgotten',
  ]),
  MAILS_AT_ONCE: ['a mail server that is slow', 'nothing: mails wait in the outbox'],
  DELIVERIES_AT_ONCE_MAX: [
    '32 webhooks that answer slowly, for 15 seconds a turn',
    'the next turn, for webhooks with nothing under way',
  ],
  ...sharedAlike('SEARCH_PROCESSES SEARCH_BUILDS_AT_ONCE', [
    'accounts with texts, each by one search of 5 seconds at most',
    'nothing: searches wait',
  ]),
  MENTION_STREAMS_AT_ONCE_MAX: [
    '32 accounts that each read two lists of mentions slowly ($0.008 each)',
    'searches and paged lists: one piece of all streams is made at a time',
  ],
  SEARCH_INDEX_MB: [
    'accounts with many texts',
    'nothing: the index used least is made again when it is asked for',
  ],
  LIST_COPIES_BYTES: [
    'accounts that list much, within their allowance (decision 0013)',
    'nothing: lists are asked for again',
  ],
}

function sharedAlike(names: string, sharing: Sharing): Record<string, Sharing> {
  return Object.fromEntries([...words(names)].map((name) => [name, sharing]))
}

/** Bounds of one account, key, network, job, video, message or statement, and settings that bound nothing. */
const OF_ONE = words(`
  PORT HEALTH_PORT DATABASE_PATIENCE STOP_GRACE STOP_NOTICE
  JOB_VIDEOS JOB_TIME_LIMIT JOB_ATTEMPTS FREE_CALLS_PER_DAY FREE_CALLS_PER_USD PREVIEWS_PER_HOUR PREVIEW_PAGES
  DOWNLOAD_STALL EVENT_STREAMS SUBSCRIPTIONS_PER_ACCOUNT
  batchLinesMax batchVideosMax batchesRunningMax batchesKeptMax ownedCountedMax ordersSearchedMax
  bodyBytes urlsMax sourceLineChars videosMax idempotencyKeyLengthMax jobsPageMax resultsQueryChars statementPageMax
  keyBucketSize keyRefillPerSecond sessionBucketSize sessionRefillPerSecond keyNameLengthMax emailChars mailTextChars passwordChars
  webhooksMax deliveriesPerWebhook replyKeptChars deliveriesPageMax statementCsvPage reportRowsAtOnce zipEntriesMax
  zipBytesMax projectsMax projectVideosMax projectVideosNamedMax recordedTogetherMax selectionMax selectionTextsMax
  subscriptionJobsShown consolePage consolePageMax
  checkDetailChars repeatsMax connectionsMax descriptionBytes sessionsMax passkeysMax grantsMax
  refreshTokensMax accessTokensMax documentBytes capProposedMicros capMaxMicros
  replyBytesMax captionsBytesMax captionsHereBytesMax captionThreadHeapMb cuesMax retriesMax retryAfterMsMax routesPerQuestionMax
  SIGNALS_AT_ONCE ROWS_TAKEN_AT_ONCE LOOK_DATES_AT_ONCE TITLES_ASKED_AT_ONCE_MAX DATES_ASKED_AT_ONCE_MAX STRANGERS ERASED_JOBS_AT_ONCE
  ERASED_ACCOUNTS_AT_ONCE DELETED_AT_ONCE EXPORTED_JOBS_AT_ONCE EXPORTED_ROWS_AT_ONCE MOVED_JOBS_AT_ONCE FOLLOWED_ROWS_AT_ONCE WOKEN_AT_ONCE
  SEARCH_ROWS_AT_ONCE JOBS_AT_ONCE SPOILT_AT_ONCE COPIES_AT_ONCE ROWS_AT_ONCE TEXT_STORE_AFTER textStore SEARCHES_WAITING MENTION_STREAMS_PER_ACCOUNT_AT_ONCE OLD_TEXTS_JOBS_AT_ONCE REMEMBERED_AT_ONCE FORGOTTEN_AT_ONCE CONNECTIONS_PER_NETWORK_MAX DOWNLOADS_AT_ONCE_MAX
  SMALL_HELD_BYTES HELD_BYTES_PER_ACCOUNT_MAX CONNECTIONS WAITING_VIDEOS_MAX
`)
/** Names of times and of tables of them, which nobody uses up. */
const TIME = /^deadlines$|(?:Ms|Seconds|Days|_MS|_SECONDS|_HOURS|_DAYS)$/

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''))
}

async function constants(): Promise<string[]> {
  const src = path.join(ROOT, 'src')
  const files = (await readdir(src, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const texts = await Promise.all(files.map((file) => readFile(path.join(src, file), 'utf8')))
  return texts.flatMap((text) => [...text.matchAll(SHARING)].map(([, name = '']) => name))
}

const without = (all: ReadonlySet<string>, ...others: ReadonlySet<string>[]): string[] =>
  [...all].filter((name) => !others.some((other) => other.has(name)))

test('each setting and limit is of one caller, or it is said who can use it up', async () => {
  const limits = [LIMITS, OAUTH_LIMITS, PLATFORM_LIMITS].flatMap((all) => Object.keys(all))
  const numbers = Object.entries(SETTINGS).filter(
    ([, { default: usual }]) => typeof usual === 'number',
  )
  const settings = ['EGRESS_ROUTES', ...numbers.map(([name]) => name)] // a route's text has its rate in it
  const all = [...settings, ...limits, ...(await constants())]
  const bounds = new Set(all.filter((name) => !TIME.test(name)))
  const shared = new Set(Object.keys(SHARED))
  assert.deepEqual(without(bounds, shared, OF_ONE), [], 'bounds that are nowhere')
  assert.deepEqual(without(shared, bounds), [], 'entries without a bound')
  assert.deepEqual(without(OF_ONE, bounds), [], 'names that are gone')
  assert.deepEqual(
    [...shared].filter((name) => OF_ONE.has(name)),
    [],
    'bounds of one that all share',
  )
})

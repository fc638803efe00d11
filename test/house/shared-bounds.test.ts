/**
 * Every bound that all callers share stands in decision 0057, with who can use it up, at what price, and what is kept
 * for others. A new setting or limit is either there, or in this file as a bound of one caller, one message or one row.
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
const DECISION = path.join(ROOT, 'docs/decisions/0057-what-all-share.md')
/** Names of constants that bound work or memory which goes on at the same time. */
const SHARING =
  /^(?:export )?const ([A-Z0-9_]*(?:AT_ONCE|WAITING|FOLLOWERS|CONNECTIONS|HELD_BYTES|PROCESSES|STRANGERS|COPIES_BYTES)[A-Z0-9_]*)\b/gm

/** Bounds of one account, key, network, job, video, message or statement, and settings that bound nothing. */
const OF_ONE = words(`
  PORT HEALTH_PORT DATABASE_PATIENCE STOP_GRACE STOP_NOTICE
  JOB_VIDEOS JOB_TIME_LIMIT JOB_ATTEMPTS FREE_CALLS_PER_DAY FREE_CALLS_PER_USD PREVIEWS_PER_HOUR PREVIEW_PAGES
  DOWNLOAD_STALL EVENT_STREAMS SUBSCRIPTIONS_PER_ACCOUNT
  batchLinesMax batchVideosMax batchesRunningMax batchesKeptMax ownedCountedMax
  bodyBytes urlsMax sourceLineChars videosMax idempotencyKeyLengthMax jobsPageMax resultsQueryChars statementPageMax
  keyBucketSize keyRefillPerSecond sessionBucketSize sessionRefillPerSecond keyNameLengthMax emailChars mailTextChars passwordChars
  webhooksMax deliveriesPerWebhook replyKeptChars deliveriesPageMax statementCsvPage reportRowsAtOnce zipEntriesMax
  zipBytesMax projectsMax projectVideosMax projectVideosNamedMax recordedTogetherMax
  subscriptionJobsShown consolePage consolePageMax
  checkDetailChars repeatsMax connectionsMax descriptionBytes sessionsMax passkeysMax grantsMax
  refreshTokensMax accessTokensMax documentBytes capProposedMicros capMaxMicros
  replyBytesMax captionsBytesMax captionsHereBytesMax captionThreadHeapMb cuesMax retriesMax retryAfterMsMax routesPerQuestionMax
  SIGNALS_AT_ONCE ROWS_TAKEN_AT_ONCE LOOK_DATES_AT_ONCE DATES_ASKED_AT_ONCE_MAX STRANGERS ERASED_JOBS_AT_ONCE
  ERASED_ACCOUNTS_AT_ONCE EXPORTED_JOBS_AT_ONCE EXPORTED_ROWS_AT_ONCE MOVED_JOBS_AT_ONCE FOLLOWED_ROWS_AT_ONCE WOKEN_AT_ONCE
  SEARCH_ROWS_AT_ONCE SEARCHES_WAITING MENTION_STREAMS_PER_ACCOUNT_AT_ONCE OLD_TEXTS_JOBS_AT_ONCE REMEMBERED_AT_ONCE FORGOTTEN_AT_ONCE CONNECTIONS_PER_NETWORK_MAX DOWNLOADS_AT_ONCE_MAX
  SMALL_HELD_BYTES HELD_BYTES_PER_ACCOUNT_MAX CONNECTIONS WAITING_VIDEOS_MAX
`)
/** Names of times and of tables of them, which nobody uses up. */
const TIME = /^deadlines$|(?:Ms|Seconds|Days|_MS|_SECONDS|_DAYS)$/

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

test('each setting and limit is of one caller, or the decision says who can use it up', async () => {
  const limits = [LIMITS, OAUTH_LIMITS, PLATFORM_LIMITS].flatMap((all) => Object.keys(all))
  const numbers = Object.entries(SETTINGS).filter(
    ([, { default: usual }]) => typeof usual === 'number',
  )
  const settings = ['EGRESS_ROUTES', ...numbers.map(([name]) => name)] // a route's text has its rate in it
  const all = [...settings, ...limits, ...(await constants())]
  const bounds = new Set(all.filter((name) => !TIME.test(name)))
  const text = await readFile(DECISION, 'utf8')
  const heads = [...text.matchAll(/^- (`[^:]*):/gm)].map(([, head = '']) => head)
  const named = heads.flatMap((head) => [...head.matchAll(/`(\w+)`/g)])
  const shared = new Set(named.map(([, name = '']) => name))
  assert.deepEqual(without(bounds, shared, OF_ONE), [], 'bounds that are nowhere')
  assert.deepEqual(without(shared, bounds), [], 'entries without a bound')
  assert.deepEqual(without(OF_ONE, bounds), [], 'names that are gone')
  assert.deepEqual(
    [...shared].filter((name) => OF_ONE.has(name)),
    [],
    'bounds of one that all share',
  )
})

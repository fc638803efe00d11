/** Periodic tasks of a worker beside its jobs: watching, heartbeats and sweeping. */
import type { Context } from '../context.ts'
import { sweepApps } from '../features/oauth/apps.ts'
import { eraseDeletedAccounts } from '../features/accounts/delete-account.ts'
import { sweepRemembered } from '../features/accounts/given-once.ts'
import { sweepRateLimits, sweepSignIn } from '../features/accounts/access.ts'
import { LIMITS } from '../config/config.ts'
import { silenceWatch } from '../model/jobs/attempt.ts'
import type { Drift } from '../model/platform/drift-line.ts'
import { recordService, recordShares } from '../features/operator/service.ts'
import { sweepLists } from '../features/jobs/lists.ts'
import { takeBackSilent } from '../features/jobs/attempt.ts'
import type { Platform } from '../platform/platform.ts'
import { routeNames } from '../platform/youtube/settings.ts'
import { beat, listHeld } from '../store/job-queue.ts'
import { readLooks } from '../store/watched-jobs.ts'
import { finishDeletions } from '../features/library/delete-texts.ts'
import { packTexts } from '../features/transcripts/pack-texts.ts'
import { sweepTexts } from '../features/transcripts/sweep-texts.ts'
import type { HeldJobs } from './held-jobs.ts'
import type { Loop } from '../kit/loop.ts'
import { ALERTS_LOOKED_AT_EVERY_MS, alertStep } from './mail-alerts.ts'
import { sweepDeliveries } from '../features/webhooks/deliver.ts'
import { type RepeatedStep, startRepeating } from './background-work.ts'
import { canaryTasks } from './run-canary.ts'

const CANCEL_POLL_MS = 500
const HEARTBEAT_MS = 3_000
const SILENCE_LOOKED_AT_EVERY_MS = 1_000
/** Number of looks in a row at a heartbeat that stands still: ten seconds, in which three heartbeats are due. */
const SILENT_LOOKS_MAX = 10
/** How often a worker adds what each account used to the database; a crash loses as much. */
export const USAGE_FLUSH_MS = 5_000
const SHARES_RECORDED_EVERY_MS = 600_000
const DRIFTS_LOGGED_EVERY_MS = 10_000
const LISTS_SWEPT_EVERY_MS = 30_000
const ERASURE_EVERY_MS = 60_000
const HOUR_MS = 3_600_000

/** Starts the tasks; `publicUrl` is the beginning of links in mails. */
export function startPeriodicTasks(
  ctx: Context,
  {
    jobs,
    ...parts
  }: { jobs: HeldJobs; platform: Platform; publicUrl: string; signal: AbortSignal },
): Loop[] {
  const { publicUrl, signal } = parts
  const tasks = [
    ...jobTasks(ctx, jobs),
    ...sweepingTasks(ctx),
    ...packingTasks(ctx),
    ...platformTasks(ctx),
    ...(ctx.config.ALERT_MAILS ? [alertTask(ctx, publicUrl)] : []),
    ...canaryTasks(ctx, parts),
  ]
  return tasks.map((task) => startRepeating(ctx, task, signal))
}

function jobTasks({ db, log }: Context, jobs: HeldJobs): RepeatedStep[] {
  const silentOf = silenceWatch(SILENT_LOOKS_MAX)
  return [
    {
      what: 'watching jobs',
      everyMs: CANCEL_POLL_MS,
      isUnconfirmed: true,
      step: () => jobs.watch((jobIds) => readLooks(db, jobIds)),
    },
    {
      what: 'sending heartbeats',
      everyMs: HEARTBEAT_MS,
      isUnconfirmed: true,
      step: () =>
        beat(
          db,
          jobs.all.map(({ attempt }) => attempt),
        ),
    },
    {
      what: 'looking for silent workers',
      everyMs: SILENCE_LOOKED_AT_EVERY_MS,
      async step() {
        const taken = await takeBackSilent(db, silentOf(await listHeld(db)))
        if (taken > 0) log.warn({ jobs: taken }, 'jobs were taken back from a worker that is gone')
      },
    },
  ]
}

function packingTasks({ config, db, pool, textStore, log, stopping }: Context): RepeatedStep[] {
  if (textStore === null) return []
  const ctx = { db, pool, textStore, minSeconds: config.TEXT_STORE_AFTER, signal: stopping.signal }
  async function step(): Promise<void> {
    const packed = await packTexts({ ...ctx, isAll: false })
    if (packed.texts + packed.removed > 0) log.info({ packed }, 'texts moved to the object store')
  }
  return [{ what: 'packing texts', everyMs: LIMITS.textStore.sweepEveryMs, step }]
}

function sweepingTasks({ config, db, usage, log }: Context): RepeatedStep[] {
  return [
    {
      what: 'erasing deleted accounts',
      everyMs: ERASURE_EVERY_MS,
      async step() {
        const accounts = await eraseDeletedAccounts(db)
        if (accounts > 0) log.info({ accounts }, 'deleted accounts were erased')
      },
    },
    {
      what: 'deleting old texts',
      everyMs: LIMITS.sweepEveryMs,
      async step() {
        const jobs = config.RETENTION_DAYS > 0 ? await sweepTexts(db, config.RETENTION_DAYS) : 0
        if (jobs > 0) log.info({ jobs }, 'the texts of old jobs were deleted')
      },
    },
    {
      what: 'finishing deletions of texts',
      everyMs: LIMITS.sweepEveryMs,
      async step() {
        const collections = await finishDeletions(db)
        if (collections > 0) log.info({ collections }, 'texts of collections were deleted')
      },
    },
    { what: 'keeping the use of accounts', everyMs: USAGE_FLUSH_MS, step: () => usage.flush(db) },
    { what: 'sweeping lists', everyMs: LISTS_SWEPT_EVERY_MS, step: () => sweepLists(db) },
    { what: 'sweeping rate limits', everyMs: HOUR_MS, step: () => sweepRateLimits(db) },
    { what: 'sweeping sign-in', everyMs: LIMITS.sweepEveryMs, step: () => sweepSignIn(db) },
    {
      what: 'remembering mailboxes',
      everyMs: LIMITS.sweepEveryMs,
      step: () => sweepRemembered(db),
    },
    { what: 'sweeping apps', everyMs: LIMITS.sweepEveryMs, step: () => sweepApps(db) },
    { what: 'sweeping deliveries', everyMs: LIMITS.sweepEveryMs, step: () => sweepDeliveries(db) },
  ]
}

/**
 * Returns what is kept of the platform: how it is today, and the averages of the drift watch, which are read at the
 * start and stored now and then. Each drift is one line of the log when it begins and one when it ends.
 */
function platformTasks({ config, db, watch, log }: Context): RepeatedStep[] {
  const routes = routeNames(config)
  let named = new Set<string>()
  return [
    {
      what: 'keeping the shares of verdicts',
      everyMs: SHARES_RECORDED_EVERY_MS,
      step: () => recordShares(db, watch),
    },
    {
      what: 'looking for drifts',
      everyMs: DRIFTS_LOGGED_EVERY_MS,
      async step() {
        const drifts = new Map(watch.drifts().map((drift) => [driftSubject(drift), drift]))
        for (const [subject, drift] of drifts)
          if (!named.has(subject)) log.warn({ drift, lines: watch.lines() }, 'the platform changed')
        for (const subject of named)
          if (!drifts.has(subject)) log.info({ subject }, 'the platform is as before')
        named = new Set(drifts.keys())
      },
    },
    {
      what: 'recording the day',
      everyMs: LIMITS.dayRecordedEveryMs,
      step: () => recordService(db, { routes, isPlatformChanged: watch.drifts().length > 0 }),
    },
  ]
}

function alertTask(ctx: Context, publicUrl: string): RepeatedStep {
  const step = alertStep(ctx, publicUrl)
  return { what: 'looking for alerts', everyMs: ALERTS_LOOKED_AT_EVERY_MS, step }
}

function driftSubject({ question, verdict, client, route }: Drift): string {
  return [question, verdict, client ?? route ?? 'all'].join(' ')
}

/**
 * The canary: every CANARY_HOURS one of all workers asks the platform for a few well-known things, behind whatever
 * customers wait for, and the operators are told where the verdict changes.
 */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Outbox } from '../features/mail/outbox.ts'
import {
  CANARY_RUN_MS,
  claimCanaryRun,
  giveUpCanaryRun,
  recordCanaryRun,
} from '../features/operator/tell-operators.ts'
import { whyNoRoute } from '../features/operator/service.ts'
import { OPERATOR } from '../kit/fair-queue.ts'
import { type CanaryResult, judgeCanary } from '../model/operator/canary.ts'
import type { PlatformAccess, PlatformCalls } from '../platform/platform.ts'
import { type PlatformCase, readCasesFile } from '../platform/youtube/platform-cases.ts'
import { type CaseFinding, runCases } from '../platform/youtube/run-cases.ts'
import { routeNames } from '../platform/youtube/settings.ts'
import type { Db } from '../store/database.ts'
import type { RepeatedStep } from './background-work.ts'

const HOUR_MS = 3_600_000
/** The longest interval at which a worker looks whether a run is due. */
const CANARY_POLL_MS = 60_000
/** Cases that failed are asked once more where they are this few: one that failed by chance is no verdict. */
const ASKED_AGAIN_MAX = 3

type CanaryContext = { db: Db; outbox: Outbox; config: Config; log: Logger }
type CanaryParts = { platform: PlatformAccess; publicUrl: string; signal: AbortSignal }

/** Returns the step that makes the run that is due; none where CANARY_HOURS is 0. */
export function canaryTasks(ctx: CanaryContext, parts: CanaryParts): RepeatedStep[] {
  const { CANARY_HOURS: hours } = ctx.config
  if (hours === 0) return []
  const everyMs = Math.min(CANARY_POLL_MS, hours * HOUR_MS)
  return [{ what: 'asking the canary', everyMs, step: () => runCanary(ctx, parts) }]
}

/** Makes the run that is due, unless another worker has it. A run that is cut off is left to the next worker. */
export async function runCanary(
  ctx: CanaryContext,
  { platform, publicUrl, signal }: CanaryParts,
): Promise<void> {
  const { db, outbox, config, log } = ctx
  const run = await claimCanaryRun(db, config.CANARY_HOURS)
  if (run === null) return
  try {
    const result = await askCanary(ctx, platform, signal)
    signal.throwIfAborted()
    await recordCanaryRun({ db, outbox, publicUrl }, run, result)
    const isHealthy = result.verdict === 'healthy'
    log[isHealthy ? 'info' : 'warn']({ canary: result }, 'the canary asked the platform')
  } catch (error) {
    await giveUpCanaryRun(db, run).catch(() => undefined) // the claim ends by itself
    if (!signal.aborted) throw error
  }
}

async function askCanary(
  { db, config }: CanaryContext,
  platform: PlatformAccess,
  signal: AbortSignal,
): Promise<CanaryResult> {
  const all = await readCasesFile(null)
  const cases = all.filter(({ canary = false }) => canary)
  const casesMax = cases.length
  const noRoute = await whyNoRoute(db, routeNames(config))
  if (noRoute !== null) return judgeCanary([], { casesMax, whyNot: noRoute })
  const calls = platform.onBehalfOf({ ...OPERATOR, isSpare: true })
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(CANARY_RUN_MS)])
  const isStandIn = config.PLATFORM_ORIGIN !== null
  const findings = await askTwice(cases, { calls, isStandIn, signal: inTime })
  const whyNot = inTime.aborted
    ? `Customers go first, and the routes’ pace left no room within ${CANARY_RUN_MS / 60_000} minutes.`
    : 'The others were not, since the platform obstructed too many in a row.'
  return judgeCanary(findings, { casesMax, whyNot })
}

type Asking = { calls: PlatformCalls; isStandIn: boolean; signal: AbortSignal }

/** Returns a finding for each case that was asked; of those that were asked again, the second. */
async function askTwice(cases: readonly PlatformCase[], asking: Asking): Promise<CaseFinding[]> {
  const findings = await runCases({ cases, ...asking })
  const failed = new Set(findings.flatMap(({ name, isAllowed }) => (isAllowed ? [] : [name])))
  if (failed.size === 0 || failed.size > ASKED_AGAIN_MAX) return findings
  const again = await runCases({ cases: cases.filter(({ name }) => failed.has(name)), ...asking })
  const second = new Map(again.map((finding) => [finding.name, finding]))
  return findings.map((finding) => second.get(finding.name) ?? finding)
}

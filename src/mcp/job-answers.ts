/**
 * What agents are told of jobs: a summary, a preview, and the money that is left; and how long a tool waits for a job.
 */
import { type Static, Type } from 'typebox'
import type { ApiContext } from '../api/api-context.ts'
import { closedObject } from '../api/contract.ts'
import { askPreview } from '../api/jobs/order-job.ts'
import { type CapLeft, findLeftOfCap } from '../features/jobs/spending-cap.ts'
import { titleOf, titlesOfJobs } from '../features/jobs/job-names.ts'
import { type PreviewView, waitForPreview } from '../features/previews/previews.ts'
import { LIMITS } from '../config/config.ts'
import { Problem } from '../kit/problem.ts'
import { isFinal } from '../model/jobs/job.ts'
import { affordable, formatUsd } from '../model/money/money.ts'
import type { Order } from '../model/jobs/order.ts'
import { costsOf, type Finding } from '../model/previews/preview.ts'
import type { Db } from '../store/database.ts'
import type { BriefJob, JobRecord } from '../store/jobs.ts'
import { countField, maybeText, NAMED, textField, textList } from './answers.ts'
import { AFTER_JOB } from './next-steps.ts'
import { type AgentCall, withoutNulls } from './tool.ts'

// A job as agents see it: what they decide by, in a tenth of the words of the API's Job.

const URLS_SHOWN = 3

/** Returns summaries of jobs of one account. */
export async function jobSummaries(db: Db, jobs: readonly BriefJob[]) {
  const titles = await titlesOfJobs(db, jobs)
  return jobs.map((job, at) => jobSummary(job, titles[at] ?? ''))
}

export async function summaryOf(db: Db, job: JobRecord) {
  return jobSummary({ ...job, lines: job.urls.length }, await titleOf(db, job))
}

function jobSummary(job: BriefJob, title: string) {
  const counts = Object.entries(job.counts).filter(([, count]) => count > 0)
  return {
    jobId: job.id,
    title,
    ...(job.note === null ? {} : { note: job.note }),
    state: job.state,
    isFinal: isFinal(job.state),
    createdAt: job.createdAt.toISOString(),
    urls: job.urls.slice(0, URLS_SHOWN),
    urlCount: job.lines,
    maxVideos: job.maxVideos,
    processed: job.processed,
    delivered: job.counts.success,
    counts: Object.fromEntries(counts),
    ...(job.chargedMicros === null
      ? { reservedUsd: formatUsd(job.reservedMicros) }
      : { chargedUsd: formatUsd(job.chargedMicros) }),
    ...(job.error === null ? {} : { error: job.error }),
  }
}

/** Returns what to do next, in one sentence. */
export function nextStep(job: JobRecord): string {
  return isFinal(job.state) ? AFTER_JOB.final : AFTER_JOB.open
}

// A preview for agents: requested and waited for in one call, and told in fewer words than the API's.

const FoundLine = closedObject({
  line: textField,
  kind: textField,
  ...NAMED,
  videos: Type.Optional(countField),
  newestAt: maybeText,
  oldestAt: maybeText,
  error: maybeText,
  isComplete: Type.Boolean(),
  delivered: countField,
  owned: countField,
  tried: maybeText,
  wouldTake: countField,
})
export const PreviewFields = {
  previewId: textField,
  state: textField,
  wouldTake: countField,
  unchanged: countField,
  costAtMostUsd: textField,
  costExpectedUsd: textField,
  costAgainUsd: maybeText,
  sourceCount: countField,
  sources: Type.Array(FoundLine),
  notices: Type.Optional(textList),
}

/** Number of lines of a preview that are told one by one. */
const MCP_PREVIEWED_LINES = 20

/** Returns the preview, as far as it is found out within the time that an agent is made to wait. */
export async function previewFor(
  ctx: ApiContext,
  order: Order,
  { accountId, departure }: AgentCall,
): Promise<PreviewView> {
  const previewId = await askPreview(ctx, { accountId, order })
  const until = {
    waitMs: agentWaitMs(ctx.config.deadlines.agentPreviewMs),
    departure: AbortSignal.any([departure, ctx.stopping.signal]),
  }
  const preview = await waitForPreview(ctx.db, { accountId, previewId }, until)
  if (preview === null) throw new Problem('server_busy')
  return preview
}

export function previewSummary(preview: PreviewView) {
  const { sources } = preview.findings
  const { maxVideos: slots, skipsOwned } = preview
  const costs = costsOf(preview.findings, { slots, skipsOwned })
  const { wouldTake, unchanged, mostMicros, expectedMicros, againMicros } = costs
  const notices = [...preview.notices, ...preview.findings.notices]
  return {
    previewId: preview.id,
    state: preview.state,
    wouldTake,
    unchanged,
    costAtMostUsd: formatUsd(mostMicros),
    costExpectedUsd: formatUsd(expectedMicros),
    ...(againMicros === 0n ? {} : { costAgainUsd: formatUsd(againMicros) }),
    sourceCount: sources.length,
    sources: sources.slice(0, MCP_PREVIEWED_LINES).map(briefFinding),
    ...(notices.length > 0 ? { notices } : {}),
  }
}

/** Returns what an agent decides by, without what is not known. */
function briefFinding(finding: Finding) {
  const { line, kind, title, channelName, videos, isComplete, newestAt, oldestAt } = finding
  const { delivered, owned = 0, wouldTake, error, tried: last = null } = finding
  const tried =
    last === null ? null : `${last.label}, tried ${last.at.slice(0, 'YYYY-MM-DD'.length)}`
  const known = { line, kind, title, channelName, videos, newestAt, oldestAt, error, tried }
  return {
    ...withoutNulls(known),
    isComplete,
    delivered,
    owned,
    wouldTake,
  }
}

// What a caller can still spend: by the account's balance and, for an app or a limited key, by its own monthly cap.

/** What is left to spend; `cap` is null where only the balance limits the caller. */
export type MoneyLeft = { availableMicros: bigint; cap: CapLeft | null }

/** Returns what is left. Asks the database only for an app or a limited key. */
export async function moneyLeft(
  db: Db,
  availableMicros: bigint,
  call: AgentCall,
): Promise<MoneyLeft> {
  return { availableMicros, cap: await findLeftOfCap(db, call) }
}

/** Returns the most videos that the money pays for. */
export function affordableOf({ availableMicros, cap }: MoneyLeft): number {
  const isCapped = cap !== null && cap.leftMicros < availableMicros
  return affordable(isCapped ? cap.leftMicros : availableMicros)
}

export function presentCap({ cap }: MoneyLeft): { monthlyCapLeftUsd?: string } {
  return cap === null ? {} : { monthlyCapLeftUsd: formatUsd(cap.leftMicros) }
}

export function presentMoney(left: MoneyLeft) {
  return { balanceUsd: formatUsd(left.availableMicros), ...presentCap(left) }
}

// Tools that wait: no longer than clients wait for a tool.

export const WaitSeconds = Type.Integer({ minimum: 0, maximum: LIMITS.agentWaitSeconds })

/** Returns a deadline in ms as an agent may wait for it. */
export function agentWaitMs(deadlineMs: number): number {
  return Math.min(deadlineMs, LIMITS.agentWaitSeconds * 1000)
}

/** Returns the job when it is final, or as it is after the wait. */
export function jobAfterWait(
  { feed }: ApiContext,
  job: JobRecord,
  { seconds, call }: { seconds: Static<typeof WaitSeconds> | undefined; call: AgentCall },
): Promise<JobRecord> {
  return feed.untilFinal(job, { waitMs: (seconds ?? 0) * 1000, departure: () => call.departure })
}

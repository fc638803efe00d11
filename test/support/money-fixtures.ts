/**
 * Money fixtures: jobs and their money moved by the real verbs, without a platform or HTTP, for tests of money that
 * need many jobs, odd moments or broken connections.
 */
import { NO_DETAILS } from '../../src/model/library/video-details.ts'
import type { Db } from '../../src/store/database.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { createAccount } from '../../src/features/accounts/account.ts'
import { addCredit } from '../../src/features/money/balance.ts'
import type { Attempt } from '../../src/model/jobs/attempt.ts'
import { finishJob } from '../../src/features/jobs/attempt.ts'
import { recordRows } from '../../src/features/jobs/record-rows.ts'
import type { FinalState, JobEnding } from '../../src/model/jobs/job.ts'
import type { AllowanceTerms } from '../../src/model/jobs/allowance.ts'
import { readOrder } from '../../src/model/jobs/read-order.ts'
import type { Starter } from '../../src/model/jobs/starter.ts'
import { planPage } from '../../src/features/jobs/plan-rows.ts'
import type { Recording } from '../../src/store/record.ts'
import { startJob, type StartedJob } from '../../src/features/jobs/start-job.ts'
import { claimAndBegin } from './claims.ts'
import { storeTranscript } from '../../src/model/files/transcript-forms.ts'

export const LOST_MAX = 3
export const BUDGET = { lostMax: LOST_MAX, timeLimitMs: 3_600_000 }

const TRANSCRIPT = await storeTranscript(
  {
    languageCode: 'en',
    trackKind: 'manual',
    segments: [{ startMs: 0, endMs: 900, text: 'money talks' }],
    source: null,
  },
  ['text'],
)

/** Returns a line that reads as a video; equal numbers are equal lines. */
export function videoLine(number: number): string {
  return `v${String(number).padStart(10, '0')}`
}

let accounts = 0

/** Opens a new account with this much credit, in micros. */
export function openAccount(db: Db, micros: bigint): Promise<string> {
  return transact(db, async (tx) => {
    accounts += 1
    const accountId = await createAccount(tx, {
      email: `money-${process.pid}-${accounts}@example.org`,
    })
    if (micros > 0n)
      await addCredit(tx, { accountId, micros, reference: `grant:${accountId}`, reason: null })
    return accountId
  })
}

export type Order = {
  accountId: string
  line: string
  maxVideos: number
  key?: string | null
  startedBy?: Starter | null
  maxActiveJobs?: number
  /** What the account may cause without paying; anything without it. */
  terms?: AllowanceTerms
}

/** Orders a job as POST /jobs does, from the verb on. */
export function orderJob(
  db: Db,
  { accountId, line, maxVideos, maxActiveJobs = 1_000_000, terms, ...by }: Order,
): Promise<StartedJob> {
  const { key = null, startedBy = null } = by
  return startJob(
    { db, maxActiveJobs },
    {
      accountId,
      connectionId: null,
      ownKey: null,
      order: readOrder({ urls: [line], maxVideos, formats: ['text'] }),
      idempotency: key === null ? null : { key, bodyHash: `${line} ${maxVideos}` },
      startedBy,
      ...(terms === undefined ? {} : { terms }),
    },
  )
}

/** Has a worker take the job, even from another one that holds it. */
export function beginJob(
  db: Db,
  job: { jobId: string; accountId: string },
): ReturnType<typeof claimAndBegin> {
  return claimAndBegin(db, job, BUDGET)
}

/** Plans `count` videos after the `before` that are planned already. */
export function planVideos(
  db: Db,
  attempt: Attempt,
  { before, count }: { before: number; count: number },
): Promise<boolean> {
  const rows = Array.from({ length: count }, (_, index) => ({
    kind: 'planned' as const,
    index: before + index + 1,
    source: 1,
    videoId: videoIdOf(before + index + 1),
    title: null,
    url: 'https://videos.example/',
    channelName: null,
    publishedAt: null,
  }))
  const taken = before + count
  const next = {
    nextIndex: taken + 1,
    slotsTaken: taken,
    skippedListed: 0,
    discovered: taken,
    waiting: [],
    unplaced: [],
  }
  return planPage(db, attempt, { rows, plan: next, sources: [], isPlanned: false })
}

export type RowOutcome = { index: number; isDelivered: boolean }

/** Records a row: delivered, or that there are no captions. */
export async function recordVideo(db: Db, attempt: Attempt, video: RowOutcome): Promise<boolean> {
  return (await recordVideos(db, attempt, [video])).size === 1
}

/** Records rows together; returns the recorded ones by index. */
export function recordVideos(
  db: Db,
  attempt: Attempt,
  videos: readonly RowOutcome[],
): Promise<ReadonlyMap<number, unknown>> {
  return recordRows(db, attempt, videos.map(recordingOf), null)
}

/** Returns what is recorded for a row. */
export function recordingOf({ index, isDelivered }: RowOutcome): Recording {
  return {
    index,
    content: {
      videoId: videoIdOf(index),
      title: null,
      url: 'https://videos.example/',
      channelName: null,
      publishedAt: null,
      status: isDelivered ? 'success' : 'no_captions',
      label: 'made by a test',
      errorMessage: null,
      languageCode: isDelivered ? 'en' : null,
      trackKind: isDelivered ? 'manual' : null,
    },
    transcript: isDelivered ? TRANSCRIPT : null,
    history: null,
    details: NO_DETAILS,
  }
}

export async function endJob(
  db: Db,
  attempt: Attempt,
  event: JobEnding,
): Promise<FinalState | null> {
  return (await finishJob(db, attempt, { event, error: null }))?.state ?? null
}

/** Runs a job from order to end: `delivered` of its videos have a transcript, `refused` have none. */
export async function wholeJob(
  db: Db,
  { delivered, refused = 0, ...asked }: Order & { delivered: number; refused?: number },
): Promise<{ jobId: string; attempt: Attempt }> {
  const { job } = await orderJob(db, asked)
  const begun = await beginJob(db, { jobId: job.id, accountId: job.accountId })
  if (begun === null) throw new Error('a new job begins')
  const { attempt } = begun
  await planVideos(db, attempt, { before: 0, count: delivered + refused })
  for (let index = 1; index <= delivered + refused; index += 1) {
    await recordVideo(db, attempt, { index, isDelivered: index <= delivered })
  }
  await endJob(db, attempt, 'finish')
  return { jobId: job.id, attempt }
}

function videoIdOf(index: number): string {
  return `vid${String(index).padStart(8, '0')}`
}

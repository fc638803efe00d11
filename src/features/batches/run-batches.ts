/** Runs batches: claimed when they are due, each of them orders its next job once the one before is final. */
import { keptLines } from '../../model/jobs/order.ts'
import { LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import { Problem } from '../../kit/problem.ts'
import type { AllowanceTerms } from '../../model/jobs/allowance.ts'
import { afterJob, type BatchEnd, type BatchPlace, nextOrder } from '../../model/jobs/batch.ts'
import { wordsOfLimit } from '../../model/jobs/batch-lines.ts'
import { JOB_NAME_CHARS_MAX } from '../../model/jobs/job-name.ts'
import { isFinal } from '../../model/jobs/job.ts'
import { mailOfBatch } from '../../model/webhooks/mails.ts'
import { findAccount, findLiveKey } from '../../store/accounts.ts'
import {
  type BatchRecord,
  claimBatches,
  type ClaimedBatch,
  findBatch,
  findBatchJob,
  recordStep,
} from '../../store/batches.ts'
import type { OwnKey } from '../../store/authentication.ts'
import type { Db } from '../../store/database.ts'
import { hasJobMail } from '../../store/webhooks.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { describeJob } from '../jobs/job-names.ts'
import { startJob } from '../jobs/start-job.ts'
import type { Outbox } from '../mail/outbox.ts'
import { readBatch, viewBatch } from './batches.ts'

const STEP_LEASE_SECONDS = LIMITS.batchRestSeconds
/** How often a batch is looked at whose job runs, though its end wakes it. */
const RUNNING_SECONDS = 60
/** How often a batch tries again whose lines another job of the account takes. */
const IN_PROGRESS_SECONDS = 5
const RETRY_SECONDS_MAX = 3_600

type BatchDeps = {
  db: Db
  maxActiveJobs: number
  terms: AllowanceTerms
  outbox: Outbox
  /** The beginning of links in mails. */
  publicUrl: string
}

/** Claims up to `max` batches that are due. */
export function claimDueBatches(db: Db, max: number): Promise<ClaimedBatch[]> {
  return claimBatches(db, { max, leaseSeconds: STEP_LEASE_SECONDS })
}

/**
 * Takes a batch one step on. Every step can be repeated: the row says which job there is to be, and a slot's job is
 * started once.
 */
export async function stepBatch(deps: BatchDeps, batch: ClaimedBatch): Promise<void> {
  const { db } = deps
  const job = await findBatchJob(db, batch)
  const isOpen = job !== null && !isFinal(job.state)
  if (batch.state !== 'running') return endStopped(db, batch, isOpen ? job.id : null)
  if (isOpen) return wait(db, batch, { notice: null, seconds: RUNNING_SECONDS })
  if (job === null) return orderNext(deps, batch)
  const { place, end } = afterJob({ ...batch, lines: keptLines(batch) }, batch, job)
  if (end !== null) return endBatch(deps, batch, { place, end })
  const onward = { state: 'running', notice: null, againSeconds: STEP_LEASE_SECONDS } as const
  const isRecorded = await recordStep(db, batch, { place, ...onward })
  if (isRecorded) await orderNext(deps, { ...batch, ...place })
}

/** Ends a batch, and mails its owner where they asked for mails about jobs. */
async function endBatch(
  { db, outbox, publicUrl }: BatchDeps,
  batch: BatchRecord,
  { place, end }: { place: BatchPlace; end: BatchEnd },
): Promise<void> {
  const { accountId, id: batchId } = batch
  await transact(db, async (tx) => {
    const { state } = end
    const notice = end.isAtLimit === true ? await wordsAtLimit(tx, batch) : end.notice
    const isRecorded = await recordStep(tx, batch, { place, state, notice, againSeconds: null })
    if (!isRecorded || !(await hasJobMail(tx, accountId))) return
    const account = await findAccount(tx, accountId)
    const view = await readBatch(tx, { accountId, batchId })
    if (account === null || view === null) return
    const delivered = view.jobs.reduce((sum, { counts }) => sum + counts.success, 0)
    const mail = { to: account.email, batch: { id: batchId, state, notice }, delivered, publicUrl }
    await outbox.post(tx, mailOfBatch({ ...mail, title: view.title }))
  })
}

/** Returns what a batch left that took as many videos as it may; null for nothing. */
async function wordsAtLimit(db: Db, batch: BatchRecord): Promise<string | null> {
  const { outcomes } = await viewBatch(db, { ...batch, state: 'finished' })
  return wordsOfLimit(batch.maxVideos, outcomes)
}

/** Orders the job of the batch's slot, or says why it waits or stops. */
async function orderNext(deps: BatchDeps, batch: BatchRecord): Promise<void> {
  const { db } = deps
  try {
    const jobId = await startNext(deps, batch)
    await wait(db, batch, { notice: null, seconds: RUNNING_SECONDS })
    const now = await findBatch(db, { accountId: batch.accountId, batchId: batch.id })
    // Its owner stopped it while the job was being started, and could not cancel it yet.
    if (now?.state === 'stopped') await cancelJob(db, { accountId: batch.accountId, jobId })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const waiting = waitAfter(error)
    if (waiting !== null) return wait(db, batch, waiting)
    await endBatch(deps, batch, { place: batch, end: { state: 'stopped', notice: error.message } })
  }
}

async function startNext(
  { db, maxActiveJobs, terms }: BatchDeps,
  batch: BatchRecord,
): Promise<string> {
  const { accountId, connectionId, id, slot, name } = batch
  const { job } = await startJob(
    { db, maxActiveJobs },
    {
      accountId,
      connectionId,
      ownKey: await ownKeyOf(db, batch),
      order: nextOrder({ ...batch, lines: keptLines(batch) }, batch),
      idempotency: null,
      startedBy: { kind: 'batch', id, slot },
      terms,
    },
  )
  if (name !== null)
    await describeJob(db, { accountId, jobId: job.id }, { name: jobNameOf(name, slot) })
  return job.id
}

/** Returns what a job is called after its batch; the name is cut where the number would make it too long. */
function jobNameOf(batchName: string, slot: number): string {
  const number = ` (${slot + 1})`
  return [...batchName].slice(0, JOB_NAME_CHARS_MAX - number.length).join('') + number
}

/** Returns the key whose cap the jobs count against; throws where it was revoked since. */
async function ownKeyOf(db: Db, { accountId, keyId }: BatchRecord): Promise<OwnKey | null> {
  if (keyId === null) return null
  const key = await findLiveKey(db, { accountId, keyId })
  if (key !== null) return key
  throw new Problem('unauthorized', { message: 'The key that ordered it was revoked.' })
}

type Wait = { notice: string | null; seconds: number }

/** Returns how a batch waits whose next job was refused; null where only the owner can change that. */
function waitAfter({ code, headers, message }: Problem): Wait | null {
  if (code === 'job_in_progress')
    return {
      notice: 'It is waiting for another job with the same lines.',
      seconds: IN_PROGRESS_SECONDS,
    }
  if (code !== 'server_busy' && code !== 'rate_limited') return null
  const asked = Number(headers['Retry-After'] ?? IN_PROGRESS_SECONDS)
  const notice = code === 'server_busy' ? 'It is waiting: the server is busy.' : message
  return { notice, seconds: Math.min(RETRY_SECONDS_MAX, asked) }
}

async function wait(db: Db, batch: BatchRecord, { notice, seconds }: Wait): Promise<void> {
  const place: BatchPlace = batch
  await recordStep(db, batch, { place, state: 'running', notice, againSeconds: seconds })
}

/** Ends the job of a batch that its owner stopped. It may be being started: so it is looked for once more later. */
async function endStopped(db: Db, batch: ClaimedBatch, openJobId: string | null): Promise<void> {
  if (openJobId !== null) await cancelJob(db, { accountId: batch.accountId, jobId: openJobId })
  const stoppedMs = batch.now.getTime() - (batch.finishedAt ?? batch.now).getTime()
  const isOver = openJobId === null && stoppedMs > STEP_LEASE_SECONDS * 1000
  const againSeconds = isOver ? null : STEP_LEASE_SECONDS
  const { state, notice } = batch
  await recordStep(db, batch, { place: batch, state, notice, againSeconds })
}

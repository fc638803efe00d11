/**
 * Starts a job: reserve, job, sources and task in one transaction, or nothing of them. The order of
 * refusals is the contract's: known key, duplicate job, balance, capacity.
 */
import { randomBytes } from 'node:crypto'
import { available, reserve } from '../billing/ledger.ts'
import { affordable, cost, formatUsd, PRICE_MICROS } from '../billing/money.ts'
import { Problem } from '../problem.ts'
import { findDuplicates, lockAdmission, recentJobSeconds } from '../store/admission.ts'
import { type Db, transact, type Tx } from '../postgres/database.ts'
import { findJobByKey, insertJob, type JobRecord } from '../store/jobs.ts'
import { appendEntries, type LockedBalance, lockBalance } from '../store/ledger.ts'
import type { Queue } from '../postgres/queue.ts'
import { signal } from '../postgres/signals.ts'
import { type JobRequest, noticesOfLimit } from './job-request.ts'
import { JOB_ID_BYTES, newJobId } from './job-id.ts'
import { isAdmitted } from './admission.ts'

export type StartInput = {
  accountId: string
  request: JobRequest
  idempotency: Idempotency | null
}

/** `bodyHash`: hashBody() of the body as sent. */
export type Idempotency = { key: string; bodyHash: string }

export type StartedJob = { job: JobRecord; isReplay: boolean }

export type StartDeps = { db: Db; queue: Queue; maxActiveJobs: number }

const RETRY_AFTER_SECONDS = { min: 1, default: 30, max: 600 }

/** Throws the Problem that refuses it; then nothing is started, charged or used up. */
export async function startJob(deps: StartDeps, input: StartInput): Promise<StartedJob> {
  const started = await transact(deps.db, async (tx) => {
    const balance = await lockBalance(tx, input.accountId)
    // Again, under the lock: another request may have made the same job since it was first looked up.
    const known =
      input.idempotency === null ? null : await findReplay(tx, input.accountId, input.idempotency)
    if (known !== null) return { job: known, isReplay: true }

    const deliveredLanguages = await refuseDuplicate(tx, input)
    const maxVideos = admittedByBalance(balance, input.request)
    if (!(await hasCapacity(tx, input.accountId, deps.maxActiveJobs))) return null
    const job = await create(tx, deps.queue, { input, balance, maxVideos, deliveredLanguages })
    return { job, isReplay: false }
  })
  if (started === null) throw await busy(deps.db)
  return started
}

/** The job that this key made, or null; throws `idempotency_conflict` where the body differs. */
export async function findReplay(
  db: Db,
  accountId: string,
  { key, bodyHash }: Idempotency,
): Promise<JobRecord | null> {
  const found = await findJobByKey(db, { accountId, key })
  if (found === null) return null
  if (found.bodyHash !== bodyHash) throw new Problem('idempotency_conflict')
  return found.job
}

async function refuseDuplicate(tx: Tx, { accountId, request }: StartInput): Promise<string[]> {
  const duplicates = await findDuplicates(tx, { accountId, urlSetHash: request.urlSetHash })
  if (duplicates.isSuspended) throw new Problem('unauthorized')
  if (duplicates.openJobId !== null)
    throw new Problem('job_in_progress', { jobId: duplicates.openJobId })
  return duplicates.deliveredLanguages
}

/** How many videos the job may take up; only the balance lowers what was asked for. */
function admittedByBalance(balance: LockedBalance, request: JobRequest): number {
  const maxVideos = Math.min(request.maxVideos, affordable(available(balance)))
  if (maxVideos > 0) return maxVideos
  const held =
    balance.heldMicros === 0n
      ? ''
      : `; ${formatUsd(balance.heldMicros)} USD are reserved by running jobs`
  throw new Problem('insufficient_balance', {
    message:
      `One transcript costs ${formatUsd(PRICE_MICROS)} USD and ` +
      `${formatUsd(available(balance))} USD are available${held}. Add credit on the account page.`,
  })
}

async function hasCapacity(tx: Tx, accountId: string, max: number): Promise<boolean> {
  return isAdmitted(await lockAdmission(tx, accountId), max)
}

async function busy(db: Db): Promise<Problem> {
  const { min, max, default: unknown } = RETRY_AFTER_SECONDS
  const seconds = Math.ceil((await recentJobSeconds(db)) ?? unknown)
  return new Problem('server_busy', {
    headers: { 'Retry-After': String(Math.min(max, Math.max(min, seconds))) },
  })
}

async function create(
  tx: Tx,
  queue: Queue,
  given: {
    input: StartInput
    balance: LockedBalance
    maxVideos: number
    deliveredLanguages: string[]
  },
): Promise<JobRecord> {
  const { input, balance, maxVideos } = given
  const { request, accountId } = input
  const entry = reserve(balance, maxVideos)
  if (entry === null) throw new Error('the balance was read under its lock')

  const id = newJobId(balance.now, randomBytes(JOB_ID_BYTES))
  const job = await insertJob(tx, {
    id,
    accountId,
    ...request,
    ...request.bounds,
    maxVideos,
    requestedMaxVideos: request.maxVideos,
    notices: [...request.notices, ...noticesOf({ ...given, balance })],
    reservedMicros: entry.heldMicros,
    createdAt: balance.now,
    idempotency: input.idempotency,
  })
  const posting = { reference: `reserve:${id}`, jobId: id, reason: null }
  await appendEntries(tx, balance, [{ entry, posting }])
  await queue.enqueue(tx, { jobId: id, accountId })
  await signal(tx, 'scriptorium_task', '')
  return job
}

function noticesOf({
  input,
  balance,
  maxVideos,
  deliveredLanguages,
}: {
  input: StartInput
  balance: LockedBalance
  maxVideos: number
  deliveredLanguages: string[]
}): string[] {
  const notices: string[] = []
  const asked = input.request.maxVideos
  if (maxVideos < asked) {
    const missing = cost(asked) - available(balance)
    notices.push(
      `The balance covers ${maxVideos} of the ${asked} videos requested; ` +
        `adding ${formatUsd(missing)} USD would cover all of them.`,
    )
  }
  notices.push(...noticesOfLimit(input.request.urls, maxVideos))
  const others = deliveredLanguages.filter((language) => language !== input.request.language)
  if (others.length > 0) {
    notices.push(
      `Videos that an earlier job with these URLs delivered (language ${others.join(', ')}) come back as ` +
        '`unchanged`, whatever the language. To get them in another language, send a different set of ' +
        'URLs, for example the URLs of the videos.',
    )
  }
  return notices
}

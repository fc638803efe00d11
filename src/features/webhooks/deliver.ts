/** Begins attempts of deliveries that are due: a bounded number for each webhook, over all processes. */
import type pg from 'pg'
import { LIMITS } from '../../config/config.ts'
import { sweepInBatches } from '../../kit/loop.ts'
import { transact } from '../../kit/postgres/database.ts'
import { nextTraceparent } from '../../kit/trace-context.ts'
import { titleOf } from '../jobs/job-names.ts'
import { mailOfDisabled, mailOfJob } from '../../model/webhooks/mails.ts'
import {
  type AttemptOutcome,
  outcomeOfStatus,
  payloadOf,
  RETRY_SECONDS,
  retryAfter,
  signedHeaders,
} from '../../model/webhooks/webhook.ts'
import type { Db, Tx } from '../../store/database.ts'
import type { JobRecord } from '../../store/jobs.ts'
import { sweepTable } from '../../store/erasure.ts'
import { takeAttempt } from '../../store/rate-buckets.ts'
import {
  type AttemptResult,
  claimDeliveries,
  type ClaimedDelivery,
  clampDue,
  findDue,
  giveBack,
  recordAttempt,
} from '../../store/webhook-deliveries.ts'
import {
  disableWebhook,
  findWebhook,
  lockActive,
  markFailure,
  markSuccess,
} from '../../store/webhooks.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { SecretBox } from '../mail/secret-box.ts'
import type { Sender } from './sender.ts'

/** Time after which an attempt without an end counts as lost with its process; longer than deliveryMs. */
export const DELIVERY_LEASE_SECONDS = 45

/** Claims up to `max` deliveries. It looks without a lock first, since mostly none is due. */
export async function claimDue(db: Db, max: number): Promise<ClaimedDelivery[]> {
  const perWebhook = LIMITS.deliveriesPerWebhook
  const due = await findDue(db, { perWebhook, max })
  if (due.length === 0) return []
  return transact(db, async (tx) => {
    const webhookIds = await lockActive(tx, due)
    if (webhookIds.length === 0) return []
    const leaseSeconds = DELIVERY_LEASE_SECONDS
    return claimDeliveries(tx, { webhookIds, perWebhook, max, leaseSeconds })
  })
}

/** Deletes deliveries that are older than the log, and shortens waits that a step of the clock made longer. */
export async function sweepDeliveries(db: Db): Promise<void> {
  await clampDue(db, { retrySeconds: RETRY_SECONDS, leaseSeconds: DELIVERY_LEASE_SECONDS })
  const minSeconds = LIMITS.deliveriesKeptDays * 24 * 3600
  await sweepInBatches((rowsMax) => sweepTable(db, 'webhook_delivery', { minSeconds, rowsMax }))
}

/** Time without any success after which a delivery that fails a second time disables its webhook. */
export const WEBHOOK_FAILING_SECONDS = 5 * 24 * 3600
/** Mails to an account about its final jobs: so many at once, one more every minute. */
const JOB_MAILS = { size: 60, everySeconds: 60 } as const
const OF_BATCH = 'The end of its batch is mailed.'

export type DeliveryParts = {
  db: Db
  pool: pg.Pool
  sender: Sender
  box: SecretBox
  outbox: Outbox
  publicUrl: string
  /** Presents a job as the API shows it; null for an example, for a test. */
  present(job: JobRecord | null): object
  onAttempt(outcome: AttemptOutcome): void
}

const USER_AGENT = 'Scriptorium-Webhooks/1'

/**
 * Makes one attempt. Where `signal` aborts, the delivery is given back, and the attempt does not count. What is sent
 * but not written down is sent again.
 */
export async function deliver(
  parts: DeliveryParts,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<void> {
  if (claimed.url === null) return deliverMail(parts, claimed)
  const secrets = await openSecrets(parts, claimed)
  if (secrets === null) return
  try {
    await deliverHttp(parts, { ...claimed, url: claimed.url, secrets }, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    await giveBack(parts.db, claimed)
  }
}

async function deliverHttp(
  parts: DeliveryParts,
  claimed: ClaimedDelivery & { url: string },
  signal: AbortSignal,
): Promise<void> {
  const { sender, present } = parts
  const { job, subscription, type, url } = claimed
  const timestamp = job?.finishedAt ?? claimed.madeAt
  const body = payloadOf({ type, timestamp, data: subscription ?? present(job) })
  // The database's clock signs: receivers refuse what is minutes old or of the future, and a machine's own clock may be
  // wrong.
  const startedAt = claimed.claimedAt
  const signed = signedHeaders({ id: claimed.deliveryId, at: startedAt, body }, claimed.secrets)
  const trace = job?.traceparent ?? null
  const headers = {
    ...signed,
    ...(trace === null ? {} : { traceparent: nextTraceparent(trace) }),
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
  }

  const begunMs = performance.now()
  const sent = await sender.send({ url, headers, body }, signal)
  const isAnswered = sent.kind === 'answered'
  const result: AttemptResult = {
    startedAt,
    durationMs: Math.round(performance.now() - begunMs),
    url,
    outcome: isAnswered ? outcomeOfStatus(sent.status) : sent.outcome,
    status: isAnswered ? sent.status : null,
    error: isAnswered ? null : sent.error,
    reply: isAnswered ? sent.reply : null,
  }
  await recordResult(parts, claimed, result)
  parts.onAttempt(result.outcome)
}

/**
 * Records the result; the webhook is locked before its delivery, as everywhere. A test says nothing about the webhook's
 * health, and a first failure after quiet days does not disable it: the next attempt does. The owner of a disabled
 * webhook gets a mail.
 */
async function recordResult(
  parts: DeliveryParts,
  claimed: ClaimedDelivery,
  result: AttemptResult,
): Promise<void> {
  const { webhookId, ownerId: accountId, type, numberOfRound } = claimed
  const { outcome } = result
  const retry = outcome === 'gone' ? null : retryAfter(type, numberOfRound)
  await transact(parts.db, async (tx) => {
    if ((await findWebhook(tx, { webhookId, accountId }, 'locked')) === null) return
    if (!(await recordAttempt(tx, claimed, result, retry))) return
    if (outcome === 'delivered') await markSuccess(tx, webhookId)
    if (outcome === 'delivered' || type === 'webhook.test') return
    const failingSeconds = await markFailure(tx, webhookId)
    const isHopeless = numberOfRound > 1 && failingSeconds >= WEBHOOK_FAILING_SECONDS
    if (outcome !== 'gone' && !isHopeless) return
    await disable(tx, parts, { webhookId, because: outcome === 'gone' ? 'gone' : 'failing' })
  })
}

/** Disables the webhook and mails its owner in the same transaction. */
async function disable(
  tx: Tx,
  { outbox, publicUrl }: DeliveryParts,
  { webhookId, because }: { webhookId: string; because: 'gone' | 'failing' | 'secret_lost' },
): Promise<void> {
  const disabled = await disableWebhook(tx, webhookId, because)
  if (disabled !== null) await outbox.post(tx, mailOfDisabled({ ...disabled, publicUrl }))
}

/**
 * Returns the secrets; null where the present one cannot be opened: then the webhook waits until its owner makes
 * another.
 */
async function openSecrets(
  parts: DeliveryParts,
  claimed: ClaimedDelivery,
): Promise<string[] | null> {
  const { db, box } = parts
  const { webhookId, ownerId: accountId } = claimed
  const [newest, ...older] = claimed.secrets.map((sealed) => box.open(sealed, webhookId))
  if (newest !== undefined && newest !== null)
    return [newest, ...older.filter((one) => one !== null)]
  await transact(db, async (tx) => {
    if ((await findWebhook(tx, { webhookId, accountId }, 'locked')) === null) return
    await giveBack(tx, claimed)
    await disable(tx, parts, { webhookId, because: 'secret_lost' })
  })
  return null
}

async function deliverMail(parts: DeliveryParts, claimed: ClaimedDelivery): Promise<void> {
  const { db, pool, outbox, publicUrl } = parts
  const { ownerId, email, job } = claimed
  if (job === null) return
  const bucket = { bucket: `mail:jobs:${ownerId}`, ...JOB_MAILS }
  const isPart = job.batchId !== null
  const isFree = !isPart && (await takeAttempt(pool, bucket)) === 0
  const result: AttemptResult = {
    startedAt: claimed.claimedAt,
    durationMs: 0,
    url: `mailto:${email}`,
    outcome: isFree ? 'delivered' : 'refused',
    status: null,
    error: isFree ? null : isPart ? OF_BATCH : 'Too many mails about jobs within the hour.',
    reply: null,
  }
  const mail = mailOfJob({ to: email, job, title: await titleOf(db, job), publicUrl })
  await transact(db, async (tx) => {
    const isOurs = await recordAttempt(tx, claimed, result, null)
    if (isOurs && isFree) await outbox.post(tx, mail)
  })
}

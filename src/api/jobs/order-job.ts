/**
 * Starts the job or the preview that a body asks for, whichever interface it came by, and reads the headers of POST
 * /jobs.
 */
import { Type } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { noticesOfAllowance, noticesOfRoutes } from '../../features/jobs/notices.ts'
import { type StartedJob, startJob } from '../../features/jobs/start-job.ts'
import { findReusable, startPreview } from '../../features/previews/previews.ts'
import { inTurns } from '../../kit/concurrency.ts'
import { LIMITS } from '../../config/config.ts'
import { onceClosed } from '../../kit/once-closed.ts'
import { Problem } from '../../kit/problem.ts'
import { allowanceTerms } from '../../model/jobs/allowance.ts'
import { type Idempotency, sentIdempotency } from '../../model/jobs/idempotency.ts'
import type { Order } from '../../model/jobs/order.ts'
import { type OrderChoices, readingOrder } from '../../model/jobs/read-order.ts'
import { OWNED_CHOICES } from '../../model/jobs/owned-text.ts'
import { TRACK_KINDS } from '../../model/transcripts/transcript.ts'
import type { OwnKey } from '../../store/authentication.ts'
import type { ApiContext } from '../api-context.ts'
import { wordOf } from '../contract.ts'
import { type JobBody } from './schema.ts'

/** An order that was read, and who asks for it. */
type OrderAsked = {
  accountId: string
  /** The app that orders, against whose own limit the job counts; null where none does. */
  connectionId: string | null
  /** The owner's key that orders, against whose own limit the job counts; null where none does. */
  ownKey: OwnKey | null
  order: Order
  idempotency: Idempotency | null
  /** The caller's trace; null where the request names none. */
  traceparent: string | null
  /** The preview whose listed pages the job may read; null for none. */
  previewId: string | null
}

/** A job with what the account owns of its videos by other orders; null where that is not known of all of them. */
type OrderedJob = StartedJob & { ownedVideos: number | null }

/** The parameter of routes that order jobs or batches, or preview. */
export const TrackParameter = {
  track: Type.Optional(
    wordOf(TRACK_KINDS, {
      description:
        'Which track to take where the language has both: `asr` the automatic one, `manual` the ' +
        "creator's own, as without it. A video that has only the other one brings that, and its " +
        '`label` says so. With `owned=skip` a text of the other kind is no reason to leave a video out.',
    }),
  ),
}

/** The parameters of routes that order jobs or preview. */
export const OrderParameters = {
  ...TrackParameter,
  owned: Type.Optional(
    wordOf(OWNED_CHOICES, {
      default: 'again',
      description:
        'What to do with videos that the account already owns from other orders, in the ' +
        'requested language: `skip` returns them as `unchanged`, free; `again` buys them ' +
        'again, and a notice says so. The header `X-Owned-Videos` of POST /jobs counts them ' +
        'where that is known for all lines.',
    }),
  ),
}

/**
 * Reads a body whose schema was checked, with what its request says beside it. Throws the Problem that refuses it.
 */
export function readJobOrder(body: JobBody, choices?: OrderChoices): Promise<Order> {
  return inTurns(readingOrder(body, choices))
}

/** Starts the job. Throws the Problem that refuses it. */
export async function orderJob(
  { db, config }: ApiContext,
  { order: read, previewId, ...asked }: OrderAsked,
): Promise<OrderedJob> {
  const terms = allowanceTerms(config)
  const named = { accountId: asked.accountId, previewId, urlSetHash: read.urlSetHash }
  const [reusable, ofRoutes] = await Promise.all([findReusable(db, named), noticesOfRoutes(db)])
  const { isPreviewed } = reusable
  const order = { ...read, notices: [...read.notices, ...reusable.notices, ...ofRoutes] }
  const deps = { db, maxActiveJobs: config.MAX_ACTIVE_JOBS }
  const tells = { previewId, ownedCountMs: config.deadlines.ownedCountMs }
  const started = await startJob(deps, {
    ...asked,
    startedBy: null,
    order,
    isPreviewed,
    terms,
    tells,
  })
  const { owned: count } = started
  return { ...started, ownedVideos: count?.isWhole === true ? count.videos : null }
}

/** Starts a preview and returns its id. Throws the Problem that refuses it. */
export async function askPreview(
  { db, pool, config, metrics }: ApiContext,
  { accountId, order: read }: { accountId: string; order: Order },
): Promise<string> {
  const terms = allowanceTerms(config)
  const ofAllowance = await noticesOfAllowance(db, { accountId, order: read, terms })
  const order = { ...read, notices: [...read.notices, ...ofAllowance] }
  const deps = { db, pool, perHour: config.PREVIEWS_PER_HOUR }
  try {
    const { preview, isNew } = await startPreview(deps, { accountId, order })
    metrics.previewsAsked.inc({ answer: isNew ? 'started' : 'known' })
    return preview.id
  } catch (error) {
    const isLimited = error instanceof Problem && error.code === 'rate_limited'
    if (isLimited) metrics.previewsAsked.inc({ answer: 'limited' })
    throw error
  }
}

const SECONDS = /^(?:\d{1,9}|"\d{1,9}")$/

/** Returns the request's key and the hash of its body; null without a key. Throws where the key is malformed. */
export function idempotencyOf(request: FastifyRequest): Idempotency | null {
  const sent = request.raw.headersDistinct['idempotency-key']
  if (sent === undefined) return null
  const [key = ''] = sent
  if (sent.length > 1 || key.length < 1 || key.length > LIMITS.idempotencyKeyLengthMax) {
    throw new Problem('invalid_request', {
      message: `Idempotency-Key must be sent once and have 1 to ${LIMITS.idempotencyKeyLengthMax} characters.`,
    })
  }
  return sentIdempotency(key, request.body)
}

/**
 * Returns how long the caller would wait for the job's end, in ms; 0 where they do not say. A preference is no demand
 * (RFC 7240): one that is not understood is passed over, and one that is too long is cut.
 */
export function preferredWaitMs({ headers }: FastifyRequest): number {
  for (const preference of [headers.prefer ?? ''].flat().join(',').split(',')) {
    const [name = '', value = '', ...rest] = (preference.split(';', 1)[0] ?? '')
      .split('=')
      .map((part) => part.trim())
    if (name.toLowerCase() !== 'wait' || rest.length > 0 || !SECONDS.test(value)) continue
    return Math.min(Number(value.replaceAll('"', '')) * 1000, LIMITS.longPollMs)
  }
  return 0
}

/** Returns a signal that aborts when the client disconnects before it has its answer. */
export function departureOf(reply: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  onceClosed(reply.raw, () => {
    if (!reply.raw.writableFinished) leaving.abort()
  })
  return leaving.signal
}

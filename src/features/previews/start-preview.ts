/** Starts a preview, or finds the one that answers the same request already. */
import { createHash, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { limitPreviews } from '../accounts/attempt-limits.ts'
import { readBalance } from '../money/read-balance.ts'
import { formatUsd } from '../../model/money/money.ts'
import { LIMITS } from '../../kit/config/config.ts'
import { type JobRequest, noticesOfLimit } from '../../model/jobs/job-request.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db, Tx } from '../../store/database.ts'
import type { Queue } from '../../store/queue.ts'
import { signal } from '../../store/signals.ts'
import {
  findPreviewOf,
  insertPreview,
  type PreviewRecord,
  type PreviewRequest,
  reopenPreview,
} from '../../store/previews.ts'

/** While a job with the same URLs is at work, a preview is counted anew this often at most. */
const PREVIEW_RECOUNT_SECONDS = 10

export type PreviewDeps = { db: Db; pool: pg.Pool; queue: Queue; perHour: number }

export type PreviewInput = { accountId: string; request: JobRequest }

export type StartedPreview = { preview: PreviewRecord; isNew: boolean }

const listingSeconds = LIMITS.previewListingSeconds

/**
 * The same request within the hour is the same preview: it costs nothing, and is only counted anew where a
 * job with its URLs has moved since. Throws `rate_limited` where the account has started too many.
 */
export async function startPreview(
  deps: PreviewDeps,
  { accountId, request }: PreviewInput,
): Promise<StartedPreview> {
  const { db, pool, queue, perHour } = deps
  const asked = await withSlots(db, accountId, request)
  const requestHash = hashOf(asked)
  const known = await findPreviewOf(db, { accountId, requestHash })
  if (known !== null) return { preview: await recount(deps, known), isNew: false }

  await limitPreviews(pool, { accountId, perHour })
  const id = `prv_${randomUUID().replaceAll('-', '')}`
  const made = await transact(db, async (tx) => {
    const life = { listingSeconds, keptSeconds: LIMITS.previewSeconds }
    const preview = await insertPreview(tx, { ...asked, id, requestHash }, life)
    if (preview !== null) await enqueue(tx, queue, preview)
    return preview
  })
  if (made !== null) return { preview: made, isNew: true }
  return startPreview(deps, { accountId, request }) // another request made it meanwhile
}

async function recount({ db, queue }: PreviewDeps, known: PreviewRecord): Promise<PreviewRecord> {
  if (known.state === 'listing') return known
  const reopened = await transact(db, async (tx) => {
    const openSeconds = PREVIEW_RECOUNT_SECONDS
    const preview = await reopenPreview(tx, known.id, { listingSeconds, openSeconds })
    if (preview !== null) await enqueue(tx, queue, preview)
    return preview
  })
  return reopened ?? known
}

async function enqueue(tx: Tx, queue: Queue, { id, accountId }: PreviewRecord): Promise<void> {
  await queue.previews.enqueue(tx, { jobId: id, accountId })
  signal(tx, 'scriptorium_preview', '')
}

/** With as many slots as the balance covers; with all of them where it covers none, to know before topping up. */
async function withSlots(db: Db, accountId: string, request: JobRequest): Promise<PreviewRequest> {
  const { availableMicros, affordableTranscripts } = await readBalance(db, accountId)
  const asked = request.maxVideos
  const maxVideos = affordableTranscripts > 0 ? Math.min(asked, affordableTranscripts) : asked
  const notices = [...request.notices]
  if (affordableTranscripts < asked) {
    const covered =
      affordableTranscripts === 0 ? 'no transcript' : `${maxVideos} of the ${asked} videos`
    notices.push(`The available balance of ${formatUsd(availableMicros)} USD covers ${covered}.`)
  }
  notices.push(...noticesOfLimit(request.urls, maxVideos))
  const { urls, urlSetHash, language, formats, publishedAfter, publishedBefore, bounds } = request
  const said = { urls, urlSetHash, language, formats, publishedAfter, publishedBefore, ...bounds }
  return { ...said, accountId, maxVideos, requestedMaxVideos: asked, notices }
}

function hashOf({ urls, language, formats, ...asked }: PreviewRequest): string {
  const { maxVideos, requestedMaxVideos, publishedAfter, publishedBefore } = asked
  const bounds = [publishedAfter, publishedBefore]
  const parts = [urls, language, formats, maxVideos, requestedMaxVideos, bounds]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** The table `preview`: previews of the last hour, and what was found out for each. */
import { sql } from 'kysely'
import type { Findings, PreviewState } from '../model/previews/preview.ts'
import type { Db, Tx } from './database.ts'
import type { Format } from '../model/transcripts/formats.ts'

/** What a preview was asked for, as a job's record holds it. */
export type PreviewRequest = {
  accountId: string
  urlSetHash: string
  urls: string[]
  language: string
  formats: Format[]
  /** After the balance cap: the slots of a job that is started now. */
  maxVideos: number
  requestedMaxVideos: number
  publishedAfter: string | null
  publishedBefore: string | null
  afterAt: Date | null
  beforeAt: Date | null
  notices: string[]
}

export type PreviewRecord = PreviewRequest & {
  id: string
  state: PreviewState
  attempt: number
  findings: Findings | null
  createdAt: Date
  expiresAt: Date
  /** Its time was over when it was read. */
  isOverdue: boolean
}

/** A worker that has not said for so long that it still lists a preview, or reads a trial, is gone. */
export const HELD_SECONDS = 20

const COLUMNS = sql`id, account_id as "accountId", url_set_hash as "urlSetHash", urls, language, formats,
  max_videos as "maxVideos", requested_max_videos as "requestedMaxVideos", published_after as "publishedAfter",
  published_before as "publishedBefore", after_at as "afterAt", before_at as "beforeAt", notices, state, attempt,
  findings, created_at as "createdAt", expires_at as "expiresAt", ends_at <= now() as "isOverdue"`

export type NewPreview = PreviewRequest & { id: string; requestHash: string }
export type PreviewLife = { listingSeconds: number; keptSeconds: number }

/** Inserts it, in place of one that is over; null where a preview of the same request is still kept. */
export async function insertPreview(
  tx: Tx,
  preview: NewPreview,
  { listingSeconds, keptSeconds }: PreviewLife,
): Promise<PreviewRecord | null> {
  const { rows } = await sql<PreviewRecord>`
    insert into preview as p (id, account_id, request_hash, url_set_hash, urls, language, formats, max_videos,
      requested_max_videos, published_after, published_before, after_at, before_at, notices, ends_at, expires_at)
    values (${preview.id}, ${preview.accountId}, ${preview.requestHash}, ${preview.urlSetHash}, ${preview.urls},
      ${preview.language}, ${preview.formats}, ${preview.maxVideos}, ${preview.requestedMaxVideos},
      ${preview.publishedAfter}, ${preview.publishedBefore}, ${preview.afterAt}, ${preview.beforeAt},
      ${preview.notices}, now() + make_interval(secs => ${listingSeconds}::double precision),
      now() + make_interval(secs => ${keptSeconds}::double precision))
    on conflict (account_id, request_hash) do update set id = excluded.id, urls = excluded.urls,
      notices = excluded.notices, state = 'listing', held_until = null, findings = null, counted_at = null,
      created_at = excluded.created_at, ends_at = excluded.ends_at, expires_at = excluded.expires_at
    where p.expires_at <= now()
    returning ${COLUMNS}
  `.execute(tx)
  return rows[0] ?? null
}

/** The account's preview of the same request that is still kept. */
export async function findPreviewOf(
  db: Db,
  { accountId, requestHash }: { accountId: string; requestHash: string },
): Promise<PreviewRecord | null> {
  const { rows } = await sql<PreviewRecord>`
    select ${COLUMNS} from preview
    where account_id = ${accountId} and request_hash = ${requestHash} and expires_at > now()
  `.execute(db)
  return rows[0] ?? null
}

/** The account's preview, or null: a foreign one, one that is over and a missing one are the same. */
export async function findPreview(
  db: Db,
  { accountId, previewId }: { accountId: string; previewId: string },
): Promise<PreviewRecord | null> {
  const { rows } = await sql<PreviewRecord>`
    select ${COLUMNS} from preview where id = ${previewId} and account_id = ${accountId} and expires_at > now()
  `.execute(db)
  return rows[0] ?? null
}

/**
 * Lets it be counted anew where a job with the same URLs began or ended since, or is at work and it was
 * counted some seconds ago. Null where it stands as it is.
 */
export async function reopenPreview(
  tx: Tx,
  previewId: string,
  { listingSeconds, openSeconds }: { listingSeconds: number; openSeconds: number },
): Promise<PreviewRecord | null> {
  const { rows } = await sql<PreviewRecord>`
    update preview p set state = 'listing', held_until = null, counted_at = null,
      ends_at = now() + make_interval(secs => ${listingSeconds}::double precision)
    where id = ${previewId} and state = 'ready' and exists (
      select from job j where j.account_id = p.account_id and j.url_set_hash = p.url_set_hash
        and (j.created_at > p.counted_at or j.finished_at > p.counted_at or (j.finished_at is null
          and p.counted_at < now() - make_interval(secs => ${openSeconds}::double precision))))
    returning ${COLUMNS}
  `.execute(tx)
  return rows[0] ?? null
}

export type ClaimedPreview = { preview: PreviewRecord; leftMs: number }

/**
 * Claims the next preview for a worker, of none of these accounts: one that nobody lists, or whose worker is gone. Whoever
 * listed it before writes no more. `leftMs`: of its time. Null where none waits.
 */
export async function claimPreview(
  db: Db,
  exceptAccounts: readonly string[],
): Promise<ClaimedPreview | null> {
  const { rows } = await sql<PreviewRecord & { leftMs: number }>`
    update preview set attempt = attempt + 1, held_until = now() + make_interval(secs => ${HELD_SECONDS}) where id = (
      select id from preview where state = 'listing' and account_id <> all(${exceptAccounts}::text[])
        and (held_until is null or held_until < now())
      order by ends_at limit 1 for update skip locked)
    returning ${COLUMNS}, (extract(epoch from ends_at - now()) * 1000)::double precision as "leftMs"
  `.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { leftMs, ...preview } = row
  return { preview, leftMs }
}

/** Says that a worker still lists it. */
export async function holdPreview(
  db: Db,
  { id, attempt }: Pick<PreviewRecord, 'id' | 'attempt'>,
): Promise<void> {
  await sql`
    update preview set held_until = now() + make_interval(secs => ${HELD_SECONDS})
    where id = ${id} and attempt = ${attempt}
  `.execute(db)
}

/** Hands a preview back, so that another worker lists it. */
export async function releasePreview(
  db: Db,
  { id, attempt }: Pick<PreviewRecord, 'id' | 'attempt'>,
): Promise<void> {
  await sql`
    update preview set held_until = null where id = ${id} and attempt = ${attempt}
  `.execute(db)
}

/** What was found out so far, or in the end. False where another attempt took over: nothing is written. */
export async function keepFindings(
  db: Db,
  { id, attempt }: Pick<PreviewRecord, 'id' | 'attempt'>,
  { findings, isReady }: { findings: Findings; isReady: boolean },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update preview set findings = ${JSON.stringify(findings)}::jsonb,
      state = case when ${isReady} then 'ready' else state end, counted_at = case when ${isReady} then now() end
    where id = ${id} and attempt = ${attempt} and state = 'listing'
    returning id
  `.execute(db)
  return rows.length > 0
}

export async function sweepPreviews(db: Db, rowsMax: number): Promise<void> {
  await sql`
    delete from preview where id in (
      select id from preview where expires_at <= now() order by expires_at limit ${rowsMax})
  `.execute(db)
}

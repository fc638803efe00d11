/**
 * The table `preview`: accounts' previews of the last hour and visitors' of the last day, with their findings; and
 * `preview_page`: list pages that an account's previews read within the hour.
 */
import { type RawBuilder, sql } from 'kysely'
import { asJson } from '../kit/postgres/statement.ts'
import { type KeptLines, type Order } from '../model/jobs/order.ts'
import type { Findings, PreviewState } from '../model/previews/preview.ts'
import { VISITORS } from '../model/previews/trial.ts'
import { type Db, hashedKey, query, toColumns, type Tx } from './database.ts'
import { type KeptOrder, ORDER_COLUMNS, ORDER_NAMES, orderRow } from './orders.ts'

export type PreviewRecord = KeptPreview & { findings: Findings | null }

/** A preview but for its findings. */
export type KeptPreview = KeptOrder &
  KeptLines & {
    id: string
    /** Null of a visitor. */
    accountId: string | null
    requestedMaxVideos: number
    state: PreviewState
    attempt: number
    createdAt: Date
    expiresAt: Date
    /** For how long the preview has been ready; null while it is being listed. */
    readySeconds: number | null
    /** Whether the time for listing it was over when it was read. */
    isOverdue: boolean
  }

const NAMES = sql.raw(ORDER_NAMES)

/** After this time without a word from its worker, a preview counts as abandoned. */
const HELD_SECONDS = 20

const COLUMNS = sql`id, account_id as "accountId", ${sql.raw(ORDER_COLUMNS)}, sources,
  requested_max_videos as "requestedMaxVideos", state, attempt, findings,
  created_at as "createdAt", expires_at as "expiresAt", ends_at <= now() as "isOverdue",
  extract(epoch from now() - counted_at)::double precision as "readySeconds"`

/** A preview; `order` has the slots that a job started now would have. */
export type AskedPreview = {
  accountId: string | null
  order: Order
  requestedMaxVideos: number
  requestHash: string
}
type NewPreview = AskedPreview & { id: string }
export type PreviewLife = { listingSeconds: number; keptSeconds: number }

/**
 * Inserts a preview, replacing an expired one. Returns null where the account's preview of the same request is still
 * kept. Visitors' previews are never replaced, since they are counted.
 */
export async function insertPreview(
  tx: Tx,
  preview: NewPreview,
  { listingSeconds, keptSeconds }: PreviewLife,
): Promise<PreviewRecord | null> {
  const { order, ...row } = preview
  const values = asJson({ ...orderRow(order), ...toColumns(row) })
  return query<PreviewRecord>`
    insert into preview as p (id, account_id, request_hash, requested_max_videos, ${NAMES}, sources, ends_at, expires_at)
    select id, account_id, request_hash, requested_max_videos, ${NAMES}, sources,
      now() + make_interval(secs => ${listingSeconds}::double precision),
      now() + make_interval(secs => ${keptSeconds}::double precision)
    from json_populate_record(null::preview, ${values}::json)
    on conflict (account_id, request_hash) do update set id = excluded.id, urls = excluded.urls,
      sources = excluded.sources, notices = excluded.notices, state = 'listing', held_until = null, findings = null, counted_at = null,
      created_at = excluded.created_at, ends_at = excluded.ends_at, expires_at = excluded.expires_at
    where p.expires_at <= now()
    returning ${COLUMNS}
  `.firstRow(tx)
}

/** Returns the owner's newest preview of the same request that is still kept, or null. */
export async function findPreviewOf(
  db: Db,
  { accountId, requestHash }: { accountId: string | null; requestHash: string },
): Promise<PreviewRecord | null> {
  return query<PreviewRecord>`
    select ${COLUMNS} from preview
    where ${isOwnedBy(accountId)} and request_hash = ${requestHash} and expires_at > now()
    order by created_at desc limit 1
  `.firstRow(db)
}

/** A preview and its owner; a null `accountId` stands for visitors. */
export type OwnedPreview = { accountId: string | null; previewId: string }

/** Returns the owner's preview, or null: a foreign, an expired and a missing one are the same. */
export async function findPreview(
  db: Db,
  { accountId, previewId }: OwnedPreview,
): Promise<PreviewRecord | null> {
  return query<PreviewRecord>`
    select ${COLUMNS} from preview where id = ${previewId} and ${isOwnedBy(accountId)} and expires_at > now()
  `.firstRow(db)
}

function isOwnedBy(accountId: string | null): RawBuilder<boolean> {
  return accountId === null ? sql`account_id is null` : sql`account_id = ${accountId}`
}

/** SQL for the jobs that ended since preview `p` was counted, and for those that are open. */
const ENDED = sql`select from job j where j.account_id = p.account_id and j.finished_at > p.counted_at`
const OPEN = sql`select from job j where j.account_id = p.account_id
  and j.state in ('queued', 'running', 'cancelling')`

/** SQL for jobs of preview `p`'s account that lost texts since it was counted. */
const LOST = sql`select from job j where j.account_id = p.account_id
  and greatest(j.deleted_texts_at, j.texts_deleted_at) > p.counted_at`

/**
 * Returns whether no job has brought or lost a text since the account's preview was counted: it owns what was counted
 * then.
 */
export async function isCountNew(db: Db, previewId: string): Promise<boolean> {
  return query<{ id: string }>`
    select p.id from preview p where p.id = ${previewId}
      and not exists (${ENDED} and j.success > 0) and not exists (${OPEN} and j.success > 0) and not exists (${LOST})
  `.anyRow(db)
}

/**
 * Sends a ready preview back to be counted again, where a job with the same URLs began or ended since, or another one
 * that delivered, or texts were deleted, or such a job is open and the preview was counted more than `openSeconds`
 * ago. Returns null where the preview still holds.
 */
export async function reopenPreview(
  tx: Tx,
  previewId: string,
  { listingSeconds, openSeconds }: { listingSeconds: number; openSeconds: number },
): Promise<PreviewRecord | null> {
  return query<PreviewRecord>`
    update preview p set state = 'listing', held_until = null, counted_at = null,
      ends_at = now() + make_interval(secs => ${listingSeconds}::double precision)
    where id = ${previewId} and state = 'ready' and (exists (${ENDED} and j.success > 0) or exists (${LOST})
      or exists (${OPEN} and j.success > 0 and p.counted_at < now() - make_interval(secs => ${openSeconds}::double precision))
      or exists (
        select from job j where j.account_id = p.account_id and j.url_set_hash = p.url_set_hash
          and (j.created_at > p.counted_at or j.finished_at > p.counted_at or (j.finished_at is null
            and p.counted_at < now() - make_interval(secs => ${openSeconds}::double precision)))))
    returning ${COLUMNS}
  `.firstRow(tx)
}

export type ClaimedPreview = { preview: PreviewRecord; leftMs: number }

/**
 * Claims the next preview for a worker: one that no worker lists, or whose worker is gone. Previews of `exceptAccounts`
 * are left out; accounts with the fewest previews of the last hour go first, and visitors' come after all accounts' and
 * count as those of the account VISITORS. The worker that listed it before can write no more. `leftMs` is what is left
 * of its listing time. Returns null where none waits.
 */
export async function claimPreview(
  db: Db,
  exceptAccounts: readonly string[],
): Promise<ClaimedPreview | null> {
  const row = await query<PreviewRecord & { leftMs: number }>`
    update preview set attempt = attempt + 1, held_until = now() + make_interval(secs => ${HELD_SECONDS}) where id = (
      select id from preview p where state = 'listing' and coalesce(account_id, ${VISITORS}) <> all(${exceptAccounts}::text[])
        and (held_until is null or held_until < now())
      order by account_id is null, (select count(*) from preview o where o.account_id = p.account_id), ends_at
      limit 1 for update skip locked)
    returning ${COLUMNS}, (extract(epoch from ends_at - now()) * 1000)::double precision as "leftMs"
  `.firstRow(db)
  if (row === null) return null
  const { leftMs, ...preview } = row
  return { preview, leftMs }
}

/** A preview that a worker lists; a later attempt fences it off. */
type PreviewAttempt = { id: string; attempt: number }

/** Extends the worker's hold on a preview that it still lists. */
export async function holdPreview(db: Db, { id, attempt }: PreviewAttempt): Promise<void> {
  await sql`
    update preview set held_until = now() + make_interval(secs => ${HELD_SECONDS})
    where id = ${id} and attempt = ${attempt}
  `.execute(db)
}

/** Hands a preview back, so that another worker lists it. */
export async function releasePreview(db: Db, { id, attempt }: PreviewAttempt): Promise<void> {
  await sql`
    update preview set held_until = null where id = ${id} and attempt = ${attempt}
  `.execute(db)
}

/**
 * Writes the findings so far, or the final ones (`isReady`). Returns false, and writes nothing, where another attempt
 * took over.
 */
export async function keepFindings(
  db: Db,
  { id, attempt }: PreviewAttempt,
  { findings, isReady }: { findings: Findings; isReady: boolean },
): Promise<boolean> {
  return query<{ id: string }>`
    update preview set findings = ${JSON.stringify(findings)}::jsonb,
      state = case when ${isReady} then 'ready' else state end, counted_at = case when ${isReady} then now() end
    where id = ${id} and attempt = ${attempt} and state = 'listing'
    returning id
  `.anyRow(db)
}

// Visitors' rows of `preview` are the count that limits visitors.

/** The key of an advisory lock: any number that every process shares. */
const VISITORS_LOCK = 7_311_941

/** Makes all other processes that admit a visitor wait until this transaction ends. */
export async function lockVisitors(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${VISITORS_LOCK}::bigint)`.execute(tx)
}

/** Seconds until another visitor's preview may be started; 0 where one may at once. */
export async function readVisitorsWait(
  db: Db,
  { perHour, perDay }: { perHour: number; perDay: number },
): Promise<number> {
  return query<{ seconds: number }>`
    select ceil(greatest(0,
      case when count(*) >= ${perDay}::int then extract(epoch from min(created_at) + interval '1 day' - now()) end,
      case when count(*) filter (where created_at > now() - interval '1 hour') >= ${perHour}::int then extract(epoch from
        min(created_at) filter (where created_at > now() - interval '1 hour') + interval '1 hour' - now()) end
    ))::float8 as seconds
    from preview where account_id is null and created_at > now() - interval '1 day'
  `.value(db)
}

// The pages that an account's previews listed.

/** A page of a list; `listKey` is the list as its line names it, and a null `cursor` is the first page. */
export type PreviewPlace = { accountId: string; listKey: string; cursor: string | null }

/** Returns null where no preview listed that page within `maxSeconds`. */
export async function findPreviewPage(
  db: Db,
  { accountId, listKey, cursor }: PreviewPlace,
  maxSeconds: number,
): Promise<Buffer | null> {
  return query<{ body: Buffer }>`
    select body from preview_page
    where account_id = ${accountId} and list_key = ${listKey} and place = ${hashedKey(cursor)}
      and asked_at > now() - make_interval(secs => ${maxSeconds}::double precision)
  `.firstValue(db)
}

/** Adds or replaces a page. */
export async function insertPreviewPage(
  db: Db,
  { accountId, listKey, cursor }: PreviewPlace,
  body: Buffer,
): Promise<void> {
  await sql`
    insert into preview_page (account_id, list_key, place, body)
    values (${accountId}, ${listKey}, ${hashedKey(cursor)}, ${body})
    on conflict (account_id, list_key, place) do update set asked_at = now(), body = excluded.body
  `.execute(db)
}

/** The table `subscription`: what accounts follow, and when the next look at each is due. */
import { sql } from 'kysely'
import { run, statement } from '../kit/postgres/statement.ts'
import { type Db, lockedIf, query, type Tx } from './database.ts'
import type { PageOfAccount, UrlSetKey } from './jobs.ts'
import type { LookSchedule, LookStart } from '../model/follow/look.ts'
import type { SubscriptionState } from '../model/follow/subscription.ts'
import type { Wish } from '../model/jobs/order.ts'
import type { Source } from '../model/platform/source.ts'

/** The terms that an owner may change even while the subscription rests. */
type SubscriptionTerms = {
  capMicros: bigint
  /** Null means that looks are as frequent as the list publishes. */
  everyHours: number | null
}

type SubscriptionStanding = { state: SubscriptionState; notice: string | null }

/** A subscription as its owner knows it. */
export type SubscriptionRow = SubscriptionTerms &
  SubscriptionStanding & {
    /** Whether videos that the account owns by other orders are left out. */
    skipsOwned: boolean
    id: string
    accountId: string
    line: string
    title: string | null
    createdAt: Date
    lastLookedAt: Date | null
    isNeverFound: boolean // the platform has only ever said that there is no such list
    nextLookAt: Date | null
  }

/** The order of each new video of a subscription; of its backlog, of those published from `afterAt` on. */
type FollowedOrder = Wish & {
  accountId: string
  line: string
  /** The line as it was read; null in rows of the release before. */
  source: Source | null
  urlSetHash: string
  afterAt: Date | null
  /** The day of which `afterAt` is the first moment; null where an instant was asked for. */
  afterDay: string | null
}

/** A look that begins; its number fences off older looks. */
export type ClaimedLook = LookStart &
  FollowedOrder & {
    /** The database's time. */
    now: Date
    availableMicros: bigint
    capMicros: bigint
    /** Charges of the month's final jobs. */
    chargedMicros: bigint
    /** Whether the subscription has followed videos, which wait or are in jobs. */
    hasVideos: boolean
  }

export type NewSubscription = FollowedOrder & SubscriptionTerms & { id: string; backlog: number }

type Owned = { accountId: string; subscriptionId: string }
type Cap = { capMicros: bigint; state: SubscriptionState }

const COLUMNS = sql`id, account_id as "accountId", line, title, state, created_at as "createdAt",
  last_looked_at as "lastLookedAt", last_looked_at is null and missing > 0 as "isNeverFound",
  case when leased_until is null then next_look_at else now() end as "nextLookAt",
  cap_micros as "capMicros", every_hours as "everyHours", skips_owned as "skipsOwned", notice`

export async function insertSubscription(tx: Tx, made: NewSubscription): Promise<SubscriptionRow> {
  return query<SubscriptionRow>`
    insert into subscription (id, account_id, line, source, url_set_hash, language, formats, backlog, published_after, published_after_day, cap_micros,
      every_hours, skips_owned)
    values (${made.id}, ${made.accountId}, ${made.line}, ${JSON.stringify(made.source)}::jsonb, ${made.urlSetHash}, ${made.language}, ${made.formats},
      ${made.backlog}, ${made.afterAt}, ${made.afterDay}, ${made.capMicros.toString()}::bigint, ${made.everyHours}::int, ${made.skipsOwned})
    returning ${COLUMNS}
  `.onlyRow(tx)
}

export async function countSubscriptions(db: Db, accountId: string): Promise<number> {
  return query<{ count: number }>`
    select count(*)::int as count from subscription where account_id = ${accountId}
  `.value(db)
}

/** The id of the account's subscription with this URL set, or null. */
export async function findFollowed(
  db: Db,
  { accountId, urlSetHash }: UrlSetKey,
): Promise<string | null> {
  return query<{ id: string }>`
    select id from subscription where account_id = ${accountId} and url_set_hash = ${urlSetHash}
  `.firstValue(db)
}

/** Returns a page of the account's subscriptions, newest first. */
export async function listSubscriptions(
  db: Db,
  { accountId, offset, limit }: PageOfAccount,
): Promise<SubscriptionRow[]> {
  return query<SubscriptionRow>`
    select ${COLUMNS} from subscription where account_id = ${accountId}
    order by created_at desc, id desc limit ${limit} offset ${offset}
  `.rows(db)
}

/** Returns null where the account has no such subscription. */
export async function findSubscription(
  db: Db,
  { accountId, subscriptionId }: Owned,
  lock?: 'locked',
): Promise<SubscriptionRow | null> {
  return query<SubscriptionRow>`
    select ${COLUMNS} from subscription where id = ${subscriptionId} and account_id = ${accountId} ${lockedIf(lock)}
  `.firstRow(db)
}

/** Locks a subscription for this look; returns null where a later look took over or its owner changed it. */
export async function lockLook(tx: Tx, { id, look }: { id: string; look: number }) {
  return query<{ capMicros: bigint; slot: number }>`
    select cap_micros as "capMicros", slot from subscription where id = ${id} and look = ${look} for no key update
  `.firstRow(tx)
}

/** Locks the cap of a subscription whose job ends; returns null where it is deleted. */
export async function lockCap(tx: Tx, subscriptionId: string): Promise<Cap | null> {
  return query<Cap>`
    select cap_micros as "capMicros", state from subscription where id = ${subscriptionId} for no key update
  `.firstRow(tx)
}

/** Makes the next look due at once, under the caller's lock; one under way is fenced off. */
export async function hastenLook(tx: Tx, subscriptionId: string): Promise<void> {
  await sql`
    update subscription set look = look + 1, leased_until = null, next_look_at = now()
    where id = ${subscriptionId} and next_look_at is not null
  `.execute(tx)
}

/** Writes the owner's change under their lock. A look under way is fenced off; without a pause, one is due now. */
export async function changeSubscriptionRow(
  tx: Tx,
  subscriptionId: string,
  change: SubscriptionTerms & SubscriptionStanding & { isResumed: boolean },
): Promise<void> {
  const { capMicros, everyHours, state, notice, isResumed } = change
  await sql`
    update subscription set cap_micros = ${capMicros.toString()}::bigint, every_hours = ${everyHours}::int, state = ${state}, look = look + 1,
      leased_until = null, next_look_at = case when ${state} <> 'paused' then now() end, notice = ${notice},
      failures = 0, missing = 0, backlog = case when ${isResumed} then 0 else backlog end,
      known = case when ${isResumed} then null else known end,
      since = case when ${isResumed} then now() else since end
    where id = ${subscriptionId}
  `.execute(tx)
}

/** Changes the terms of a resting subscription, and nothing else. */
export async function changeSubscriptionTerms(
  tx: Tx,
  subscriptionId: string,
  { capMicros, everyHours }: SubscriptionTerms,
): Promise<void> {
  await sql`
    update subscription set cap_micros = ${capMicros.toString()}::bigint, every_hours = ${everyHours}::int
    where id = ${subscriptionId}
  `.execute(tx)
}

/** Deletes a subscription with its videos; its jobs stay. Returns false where the account has none with this id. */
export async function deleteSubscriptionRow(
  tx: Tx,
  { accountId, subscriptionId }: Owned,
): Promise<boolean> {
  return query`delete from subscription where id = ${subscriptionId} and account_id = ${accountId}`.anyRow(
    tx,
  )
}

type LookLimits = {
  max: number
  /** How many looks of one account may be under way, over all processes. */
  perAccount: number
  /** How many of the due looks, the longest waiting first, are divided among their accounts. */
  window: number
  leaseSeconds: number
}

/**
 * $1: the most looks of an account under way, $2: the due looks that are divided, $3: looks to begin, $4: lease in
 * seconds.
 */
const CLAIM_LOOKS = statement<ClaimedLook>(
  'claim-looks',
  `
  with busy as (
    select account_id, count(*) as looks from subscription where leased_until > now() group by account_id
  ), due as (
    select s.id, s.next_look_at, s.account_id, coalesce(b.looks, 0) as looks
    from subscription s left join busy b on b.account_id = s.account_id
    where s.next_look_at <= now() and coalesce(b.looks, 0) < $1::int
      and not exists (select from account a where a.id = s.account_id and a.suspended_at is not null)
    order by s.next_look_at limit $2::int
  ), placed as (
    select id, next_look_at, looks + row_number() over (partition by account_id order by next_look_at) as place from due
  ), chosen as (
    select s.id from subscription s join placed p on p.id = s.id
    where p.place <= $1::int and s.next_look_at <= now()
    order by p.place, p.next_look_at limit $3::int for no key update of s skip locked
  ), claimed as (
    update subscription s set look = s.look + 1,
      leased_until = now() + make_interval(secs => $4::double precision),
      next_look_at = now() + make_interval(secs => $4::double precision)
    from chosen c where s.id = c.id returning s.*
  )
  select c.id, c.look, c.state, c.since, c.backlog, c.known, c.found_at as "foundAt", c.every_hours as "everyHours", c.failures, c.missing,
    c.account_id as "accountId", c.line, c.source, c.url_set_hash as "urlSetHash", c.language, c.formats, c.skips_owned as "skipsOwned",
    c.published_after as "afterAt", c.published_after_day as "afterDay", now() as now, b.posted_micros - b.held_micros as "availableMicros",
    exists (select from subscription_video v where v.subscription_id = c.id) as "hasVideos", c.cap_micros as "capMicros",
    (select coalesce(sum(j.charged_micros), 0)::bigint from subscription_job m join job j on j.id = m.job_id
      where m.subscription_id = c.id and m.month = to_char(now() at time zone 'utc', 'YYYY-MM')) as "chargedMicros"
  from claimed c join balance b on b.account_id = c.account_id`,
)

/**
 * Begins looks that are due. Accounts that are suspended or have `perAccount` looks under way are skipped, so that none
 * delays others much. A look that is not ended within its lease was lost with its process, and is due again.
 */
export function claimLooks(
  db: Db,
  { max, perAccount, window, leaseSeconds }: LookLimits,
): Promise<ClaimedLook[]> {
  return run(db, CLAIM_LOOKS, [perAccount, window, max, leaseSeconds])
}

type Look = { id: string; look: number }

/** Ends a look that started `slots` jobs; a null `known` keeps what is known. Returns false where it was fenced off. */
export async function endLook(
  db: Db,
  { id, look }: Look,
  next: LookSchedule & { slots: number },
): Promise<boolean> {
  return query`
    update subscription set state = ${next.state}, known = coalesce(${next.known}::text[], known), found_at = ${next.foundAt}::timestamptz[],
      title = coalesce(${next.title}, title), failures = ${next.failures}::int, missing = ${next.missing}::int,
      notice = ${next.notice}, last_looked_at = case when ${next.hasLooked}::boolean then now() else last_looked_at end,
      next_look_at = ${next.nextLookAt}::timestamptz, leased_until = null, slot = slot + ${next.slots}::int
    where id = ${id} and look = ${look}::int returning id
  `.anyRow(db)
}

/** Postpones a claimed look that was not made: it is due again after `seconds`. */
export async function postponeLook(db: Db, { id, look }: Look, seconds: number): Promise<void> {
  await sql`
    update subscription set leased_until = null, next_look_at = now() + make_interval(secs => ${seconds}::double precision)
    where id = ${id} and look = ${look}::int
  `.execute(db)
}

/** Counts subscriptions by state; looks of suspended accounts do not count as due. */
export async function observeSubscriptions(db: Db) {
  const rows = await query<{ state: string; count: number; oldest: number | null }>`
    select state, count(*)::int as count, max(extract(epoch from now() - next_look_at))
      filter (where not exists (select from account a where a.id = subscription.account_id and a.suspended_at is not null))::double precision as oldest
    from subscription group by state
  `.rows(db)
  return {
    states: rows.map(({ state, count }) => ({ state, count })),
    /** For how long the look that waits longest has been due; 0 where none is. */
    oldestDueSeconds: Math.max(0, ...rows.map(({ oldest }) => oldest ?? 0)),
  }
}

/** A subscription as operators see it; `failures` counts failed looks in a row. */
export type OwnedSubscription = SubscriptionRow & { email: string; failures: number }

/** Returns subscriptions by when their looks are due, resting ones last; null means all accounts, and any state. */
export async function listAllSubscriptions(
  db: Db,
  ask: { accountId: string | null; state: SubscriptionState | null; offset: number; limit: number },
): Promise<OwnedSubscription[]> {
  return query<OwnedSubscription>`
    select ${COLUMNS}, failures, (select email from account where account.id = account_id) as email from subscription
    where (${ask.accountId}::text is null or account_id = ${ask.accountId}) and (${ask.state}::text is null or state = ${ask.state})
    order by subscription.next_look_at nulls last, id limit ${ask.limit} offset ${ask.offset}
  `.rows(db)
}

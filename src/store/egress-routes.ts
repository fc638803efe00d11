/** Egress routes' rate, rest and identity: one row each, shared by all processes, on the database's clock. */
import { type RawBuilder, sql } from 'kysely'
import {
  ACCOUNTS_MIN,
  EVIDENCE_LIFE_MS,
  type RestScope,
  SUBJECTS_MIN,
  type Suspicion,
} from '../model/platform/evidence.ts'
import {
  ANSWERS_TO_CEILING,
  type BlockReport,
  IDENTITY_LIFE_MS,
  LEASE_MS,
  type Lease,
  PERMITS_MAX,
  type Rest,
  restAfterBlock,
  type RouteBudget,
  type RouteTerms,
} from '../model/platform/route-budget.ts'
import { prepared } from '../kit/postgres/database.ts'
import type { Db } from './database.ts'

/**
 * The platform's route budget over `egress_route`; a row begins with its first use. `clock`: of tests, instead of
 * the database's, which all processes share.
 */
export function egressBudget(
  db: Db,
  random: () => number = Math.random,
  clock: (() => Date) | null = null,
): RouteBudget {
  const store = (): Store => ({ db, ...timesOf(clock) })
  return {
    async take(terms, told) {
      for (;;) {
        const lease =
          (await takePermits(store(), terms, told)) ?? (await readRest(store(), terms.name))
        if (lease !== null) return lease
        await insertRoute(store(), terms)
      }
    },
    reportBlock: (terms, block) => judgeBlock(store(), terms, { ...block, jitter: random() }),
    saveIdentity: (name, identity) => keepVisitor(store(), name, identity),
  }
}

/** `now`: the time, also of those who waited for the row; `asked`: the time when the statement began. */
type Times = { now: RawBuilder<unknown>; asked: RawBuilder<unknown>; permitsName: string }
type Store = Times & { db: Db }

function timesOf(clock: (() => Date) | null): Times {
  if (clock === null)
    return {
      now: sql`clock_timestamp()`,
      asked: sql`statement_timestamp()`,
      permitsName: 'take-permits',
    }
  const now = sql`${clock().toISOString()}::timestamptz`
  return { now, asked: now, permitsName: 'take-permits-at' }
}

/** Leases of one route that processes may hold side by side, one each. */
const LEASES_AHEAD_MAX = 32

/** It began before the database's clock was set back. A minute: statements wait for the row, and their time stands. */
const isRestOfFuture = ({ asked }: Times): RawBuilder<unknown> =>
  sql`(rested_at > ${asked} + interval '1 minute')`

type LeaseRow = {
  permits: number
  startsInMs: number
  intervalMs: number
  epoch: number
  visitorData: string | null
}

/** Null where the route rests or has no row. One statement, so two processes cannot take the same. */
async function takePermits(
  store: Store,
  terms: RouteTerms,
  { answered, hasDelivered }: { answered: number; hasDelivered: boolean },
): Promise<Lease | null> {
  const { db, now, asked } = store
  const { ceiling } = terms.ratePerMinute
  const step = (ceiling * answered) / ANSWERS_TO_CEILING
  const permits = sql`least(${PERMITS_MAX}, greatest(1, floor(rate_per_minute / 60000 * ${LEASE_MS})))::int`
  const isOld = sql`minted_at < ${asked} - make_interval(secs => ${IDENTITY_LIFE_MS / 1000})`
  const leaseLasts = sql`make_interval(secs => ${permits} * 60 / rate_per_minute)`
  // Further ahead than leases can be: written before the database's clock was set back.
  const startsAt = sql`case
        when free_at > ${asked} + ${LEASES_AHEAD_MAX}::int * greatest(${leaseLasts}, interval '2 seconds')
        then ${asked} else greatest(free_at, ${asked}) end`
  const { rows } = await sql<LeaseRow>`${prepared(store.permitsName)}
    update egress_route set
      rate_per_minute = least(${ceiling}::float8, rate_per_minute + ${step}::float8),
      streak = least(streak + ${answered}::int, 1000000),
      blocks = case when streak + ${answered}::int >= ${terms.healedAfter}::int then 0 else blocks end,
      visitor_data = case when ${isOld} then null else visitor_data end,
      minted_at = case when ${isOld} then null else minted_at end,
      delivered_at = case when ${hasDelivered}::boolean then ${asked} else delivered_at end,
      lease_permits = ${permits},
      lease_starts_at = ${startsAt},
      free_at = ${startsAt} + ${leaseLasts}
    where name = ${terms.name}
      and (rest_until is null or rest_until <= ${asked} or ${isRestOfFuture(store)})
    returning lease_permits as permits, epoch, visitor_data as "visitorData",
      extract(epoch from lease_starts_at - ${now})::float8 * 1000 as "startsInMs",
      extract(epoch from free_at - lease_starts_at)::float8 * 1000 / lease_permits as "intervalMs"
  `.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { permits: count, startsInMs, intervalMs, epoch, visitorData } = row
  const identity = { epoch, visitorData }
  return {
    kind: 'leased',
    permits: count,
    startsInMs: Math.max(0, startsInMs),
    intervalMs,
    identity,
  }
}

/** Null where the route has no row, or does not rest any more: the permits can be taken then. */
async function readRest(store: Store, name: string): Promise<Lease | null> {
  const { db, now } = store
  const { rows } = await sql<{ forMs: number; epoch: number; visitorData: string | null }>`
    select epoch, visitor_data as "visitorData",
      extract(epoch from rest_until - ${now})::float8 * 1000 as "forMs"
    from egress_route
    where name = ${name} and rest_until > ${now} and ${isRestOfFuture(store)} is not true
  `.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { forMs, epoch, visitorData } = row
  return { kind: 'resting', forMs, identity: { epoch, visitorData } }
}

async function insertRoute({ db, now }: Store, { name, ratePerMinute }: RouteTerms): Promise<void> {
  await sql`
    insert into egress_route (name, rate_per_minute, free_at, lease_starts_at, lease_permits)
    values (${name}, ${ratePerMinute.start}, ${now}, ${now}, 0)
    on conflict (name) do nothing
  `.execute(db)
}

type Block = BlockReport & { jitter: number }
type Verdict = { isOver: boolean; restingMs: number | null; scope: RestScope; forMs: number }

/** Rests are told apart up to so many blocks in a row; by then they are as long as they get. */
const RESTS_TOLD_APART = 24

/**
 * Judges a block with what else is suspected on the route, as `restScope` does, in one round trip. Of many
 * reports of one epoch the first that rests the route changes it; the others learn how long it rests.
 */
async function judgeBlock(store: Store, terms: RouteTerms, block: Block): Promise<Rest> {
  const { db } = store
  const { suspicion } = block
  const { rows } = await sql<Verdict>`
    with ${suspectedOn(store, terms, block)}, ${judged(terms, block)}, ${rested(store, terms)},
    ${forgotten(terms, suspicion)} ${suspicion === null ? sql`` : remembered(store, terms, suspicion)}
    select "isOver", "restingMs", scope, "forMs" from judged
  `.execute(db)
  const [verdict] = rows
  if (verdict === undefined) return { scope: 'nobody', forMs: 0 }
  if (verdict.isOver) return { scope: 'everybody', forMs: Math.max(0, verdict.restingMs ?? 0) }
  return { scope: verdict.scope, forMs: verdict.forMs }
}

/** The route's row, locked, and the suspicions that are in force, the reported one included. */
function suspectedOn(
  { now }: Times,
  { name }: RouteTerms,
  { epoch, suspicion, hasDelivered }: Block,
): RawBuilder<unknown> {
  const { subject, accountId, isContradicted } = suspicion ?? NO_SUSPICION
  const isSame = sql`(subject = ${subject} and account_id = ${accountId})`
  return sql`route as (
      select name, blocks, delivered_at, epoch <> ${epoch} as "isOver",
        (extract(epoch from rest_until - ${now}) * 1000)::float8 as "restingMs"
      from egress_route where name = ${name} for update
    ), in_force as (
      select s.subject, s.account_id, s.is_contradicted from egress_suspicion s join route r on s.route = r.name
      where not ${hasDelivered}::boolean
        and s.seen_at > coalesce(r.delivered_at, '-infinity') and s.seen_at < ${now} + interval '1 minute'
        and s.seen_at > ${now} - make_interval(secs => ${EVIDENCE_LIFE_MS / 1000})
    ), suspected as (
      select subject, account_id, is_contradicted from in_force where not ${isSame}
      union all
      select ${subject}, ${accountId},
        ${isContradicted}::boolean or exists (select from in_force where is_contradicted and ${isSame})
    )`
}

const NO_SUSPICION: Suspicion = { subject: '', accountId: '', isContradicted: false }

/** Rests grow with the blocks in a row. */
function judged(
  terms: RouteTerms,
  { suspicion, retryAfterMs, jitter }: Block,
): RawBuilder<unknown> {
  const rests = Array.from({ length: terms.blocksForgiven + RESTS_TOLD_APART }, (_, at) =>
    restAfterBlock(terms, { blocks: at + 1, retryAfterMs, jitter }),
  )
  return sql`counted as (
      select count(distinct subject) as subjects, count(distinct account_id) as accounts,
        count(distinct subject) filter (where is_contradicted) as contradicted,
        count(distinct subject) filter (where account_id = ${suspicion?.accountId ?? null}) as own
      from suspected
    ), scoped as (
      select case
        when ${suspicion === null}::boolean then 'everybody'
        when subjects >= ${SUBJECTS_MIN} and (accounts >= ${ACCOUNTS_MIN} or contradicted >= ${SUBJECTS_MIN})
          then 'everybody'
        when own >= ${SUBJECTS_MIN} then 'account' else 'nobody' end as scope
      from counted
    ), judged as (
      select r.*, s.scope, case s.scope
        when 'everybody' then (${rests}::float8[])[least(${rests.length}, r.blocks + 1)] else 0 end as "forMs"
      from route r, scoped s
    )`
}

function rested({ now }: Times, { ratePerMinute }: RouteTerms): RawBuilder<unknown> {
  return sql`rested as (
      update egress_route e set
        epoch = e.epoch + 1, blocks = e.blocks + 1, streak = 0, visitor_data = null, minted_at = null,
        rate_per_minute = greatest(${ratePerMinute.floor}::float8, e.rate_per_minute / 2),
        rested_at = ${now},
        rest_until = ${now} + make_interval(secs => j."forMs" / 1000)
      from judged j where e.name = j.name and not j."isOver" and j.scope = 'everybody'
    )`
}

/** What is void, and with a rest for everybody all of it; the reported one is kept elsewhere. */
function forgotten({ name }: RouteTerms, suspicion: Suspicion | null): RawBuilder<unknown> {
  const { subject, accountId } = suspicion ?? NO_SUSPICION
  return sql`forgotten as (
      delete from egress_suspicion s using judged j
      where s.route = ${name} and ((not j."isOver" and j.scope = 'everybody')
        or ((j."isOver" or s.subject <> ${subject} or s.account_id <> ${accountId})
          and not exists (select from in_force f where f.subject = s.subject and f.account_id = s.account_id)))
    )`
}

/** Unless the route rests for everybody now, which begins anew after it. */
function remembered(
  { now }: Times,
  { name }: RouteTerms,
  { subject, accountId }: Suspicion,
): RawBuilder<unknown> {
  return sql`, remembered as (
      insert into egress_suspicion (route, subject, account_id, is_contradicted, seen_at)
      select ${name}, s.subject, s.account_id, s.is_contradicted, ${now} from suspected s, judged j
      where s.subject = ${subject} and s.account_id = ${accountId} and j.scope <> 'everybody' and not j."isOver"
      on conflict (route, subject, account_id)
      do update set is_contradicted = excluded.is_contradicted, seen_at = excluded.seen_at
    )`
}

/** The first session identity of an epoch stays; null where the epoch is over. */
async function keepVisitor(
  { db, now }: Store,
  name: string,
  { epoch, visitorData }: { epoch: number; visitorData: string },
): Promise<string | null> {
  const { rows } = await sql<{ visitorData: string }>`
    update egress_route set
      visitor_data = coalesce(visitor_data, ${visitorData}),
      minted_at = coalesce(minted_at, ${now})
    where name = ${name} and epoch = ${epoch}
    returning visitor_data as "visitorData"
  `.execute(db)
  return rows[0]?.visitorData ?? null
}

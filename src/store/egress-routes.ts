/** Egress routes' rate, rest and identity: one row each, shared by all processes, on the database's clock. */
import {
  ACCOUNTS_MIN,
  ANSWERS_TO_CEILING,
  CAPTIONS_GROWTH,
  CAPTIONS_KEPT,
  CAPTIONS_TOLD_MIN,
  type BlockReport,
  EVIDENCE_LIFE_MS,
  IDENTITY_LIFE_MS,
  type Lease,
  LEASE_MS,
  type MadeIdentity,
  PERMITS_MAX,
  type Rest,
  restAfterBlock,
  type RestScope,
  type RouteBudget,
  type RouteTerms,
  SUBJECTS_MIN,
  type Suspicion,
  type Told,
  type Visitors,
} from '../model/platform/route-budget.ts'
import { run, statement } from '../kit/postgres/statement.ts'
import type { Db } from './database.ts'
import { came, countCaptions, roomAt, SWEEP_CAPTIONS } from './egress-captions.ts'

/**
 * The platform's route budget over `egress_route`; a route's row is made on its first use. Tests pass `clock`;
 * otherwise the time is the database's, which all processes share.
 */
export function egressBudget(
  db: Db,
  random: () => number = Math.random,
  clock: (() => Date) | null = null,
): RouteBudget {
  const store = (): Store => ({ db, at: clock?.() ?? null })
  return {
    async take(terms, told) {
      let untold = told
      for (;;) {
        const lease =
          (await takePermits(store(), terms, untold)) ?? (await readRest(store(), terms.name))
        if (lease !== null) return lease
        await insertRoute(store(), terms)
        untold = { ...told, captions: 0 } // counted, though the route had no permits
      }
    },
    reportBlock: (terms, block) => judgeBlock(store(), terms, { ...block, jitter: random() }),
    saveIdentity: (name, made) => keepVisitor(store(), name, made),
  }
}

/**
 * `at` is the time, or null for the database's. In the statements, `asked` is when the statement began; `now` is later
 * where the statement waited for the row.
 */
type Store = { db: Db; at: Date | null }

/** How many leases of one route may be given out ahead of time, one to a process. */
const LEASES_AHEAD_MAX = 32

/** The route's session identities in force, as `{ client: visitor id }`. */
const VISITORS = `(
    select coalesce(jsonb_object_agg(i.client, i.visitor_data), '{}') from egress_identity i
    where i.route = egress_route.name and i.epoch = egress_route.epoch
      and i.minted_at > t.asked - make_interval(secs => ${IDENTITY_LIFE_MS / 1000})
  )`
const PERMITS = `least(${PERMITS_MAX}, greatest(1, floor(rate_per_minute / 60000 * ${LEASE_MS})))::int`
const LEASE_LASTS = `make_interval(secs => ${PERMITS} * 60 / rate_per_minute)`
/**
 * When the next lease starts. A time further ahead than leases can reach was written before the database's clock was
 * set back.
 */
const STARTS_AT = `case when free_at > t.asked + ${LEASES_AHEAD_MAX} * greatest(${LEASE_LASTS}, interval '2 seconds')
      then t.asked else greatest(free_at, t.asked) end`

type LeaseRow = {
  permits: number
  startsInMs: number
  intervalMs: number
  roomInMs: number | null
  epoch: number
  visitors: Visitors
}

/**
 * $1: the route, $2: the time, $3: the highest rate, $4: what is added to the rate, $5: answers since the last lease,
 * $6: whether one delivered, $7: answers in a row after which blocks are forgotten, $8: captions that came, $9:
 * captions a day as set by hand. A rest that began more than a minute in the future was written before the database's
 * clock was set back; a rest within that minute is real, since statements wait for the row.
 */
const TAKE_PERMITS = statement<LeaseRow>(
  'take-permits',
  `
  with t as materialized (select coalesce($2::timestamptz, statement_timestamp()) as asked),
  counted as (${countCaptions('$8::int')}), swept as (${SWEEP_CAPTIONS})
  update egress_route set
    captions_per_day = captions_per_day + ${CAPTIONS_GROWTH} * $8::int, captions_set = $9::int,
    rate_per_minute = least($3::float8, rate_per_minute + $4::float8),
    streak = least(streak + $5::int, 1000000),
    blocks = case when streak + $5::int >= $7::int then 0 else blocks end,
    delivered_at = case when $6::boolean then t.asked else delivered_at end,
    lease_permits = ${PERMITS},
    lease_starts_at = ${STARTS_AT},
    free_at = ${STARTS_AT} + ${LEASE_LASTS}
  from t
  where name = $1 and (rest_until is null or rest_until <= t.asked or rested_at > t.asked + interval '1 minute')
  returning lease_permits as permits, epoch, ${VISITORS} as visitors,
    extract(epoch from lease_starts_at - coalesce($2::timestamptz, clock_timestamp()))::float8 * 1000 as "startsInMs",
    extract(epoch from free_at - lease_starts_at)::float8 * 1000 / lease_permits as "intervalMs",
    extract(epoch from ${roomAt('$8::int')} - t.asked)::float8 * 1000 as "roomInMs"`,
)

/**
 * Returns null where the route rests or has no row. It is one statement, so two processes cannot take the same permits.
 */
async function takePermits(
  { db, at }: Store,
  { name, ratePerMinute: { ceiling }, healedAfter, captionsPerDay = null }: RouteTerms,
  { answered, hasDelivered, captions = 0 }: Told,
): Promise<Lease | null> {
  const step = (ceiling * answered) / ANSWERS_TO_CEILING
  const came = [answered, hasDelivered, healedAfter, captions]
  const [row] = await run(db, TAKE_PERMITS, [name, at, ceiling, step, ...came, captionsPerDay])
  if (row === undefined) return null
  const { permits, startsInMs, intervalMs, roomInMs, ...identity } = row
  return {
    kind: 'leased',
    permits,
    startsInMs: Math.max(0, startsInMs),
    intervalMs,
    roomInMs: Math.max(0, roomInMs ?? 0),
    identity,
  }
}

const READ_REST = statement<{ forMs: number; epoch: number; visitors: Visitors }>(
  'read-rest',
  `select epoch, ${VISITORS} as visitors, extract(epoch from rest_until - t.now)::float8 * 1000 as "forMs"
  from egress_route, (select coalesce($2::timestamptz, clock_timestamp()) as now,
    coalesce($2::timestamptz, statement_timestamp()) as asked offset 0) t
  where name = $1 and rest_until > t.now and (rested_at > t.asked + interval '1 minute') is not true`,
)

/** Returns null where the route has no row or no longer rests: the caller then tries again to take permits. */
async function readRest({ db, at }: Store, name: string): Promise<Lease | null> {
  const [row] = await run(db, READ_REST, [name, at])
  if (row === undefined) return null
  const { forMs, ...identity } = row
  return { kind: 'resting', forMs, identity }
}

const INSERT_ROUTE = statement<object>(
  'insert-route',
  `insert into egress_route (name, rate_per_minute, free_at, lease_starts_at, lease_permits)
  select $1, $3, now, now, 0 from (select coalesce($2::timestamptz, clock_timestamp()) as now) t
  on conflict (name) do nothing`,
)

async function insertRoute({ db, at }: Store, { name, ratePerMinute }: RouteTerms): Promise<void> {
  await run(db, INSERT_ROUTE, [name, at, ratePerMinute.start])
}

type Block = BlockReport & { jitter: number }
type Verdict = { isOver: boolean; restingMs: number | null; scope: RestScope; forMs: number }

/** Rests grow over this many blocks in a row beyond those forgiven; by then they have reached their longest. */
const RESTS_TOLD_APART = 24

/**
 * $1: the route, $2: the time, $3: the block's epoch, $4: whether a video or an account may be its cause, $5: the
 * suspected video, $6: the account, $7: whether it was a check for robots and another route or visitor was given the
 * video, $8: whether the route delivered meanwhile, $9: the rest after each number of blocks in a row, in ms, $10: the
 * lowest rate, $11: captions that came, $12: whether the block tells of the captions that a day bears. A rest for
 * everybody deletes all suspicions of the route, since it begins anew; otherwise only those that no longer count are
 * deleted.
 */
const JUDGE_BLOCK = statement<Verdict>(
  'judge-block',
  `
  with route as (
    select name, blocks, delivered_at, epoch <> $3 as "isOver",
      (extract(epoch from rest_until - coalesce($2::timestamptz, clock_timestamp())) * 1000)::float8 as "restingMs"
    from egress_route where name = $1 for update
  ), in_force as (
    select s.subject, s.account_id, s.is_contradicted
    from route r join egress_suspicion s on s.route = r.name,
      (select coalesce($2::timestamptz, clock_timestamp()) as now) t
    where not $8::boolean
      and s.seen_at > coalesce(r.delivered_at, '-infinity') and s.seen_at < t.now + interval '1 minute'
      and s.seen_at > t.now - make_interval(secs => ${EVIDENCE_LIFE_MS / 1000})
  ), suspected as (
    select subject, account_id, is_contradicted from in_force where not (subject = $5 and account_id = $6)
    union all
    select $5, $6, $7::boolean
      or exists (select from in_force where is_contradicted and subject = $5 and account_id = $6)
  ), counted as (
    select count(distinct subject) as subjects, count(distinct account_id) as accounts,
      count(distinct subject) filter (where is_contradicted) as contradicted,
      count(distinct subject) filter (where $4::boolean and account_id = $6) as own
    from suspected
  ), scoped as (
    select case
      when not $4::boolean then 'everybody'
      when subjects >= ${SUBJECTS_MIN} and (accounts >= ${ACCOUNTS_MIN} or contradicted >= ${SUBJECTS_MIN})
        then 'everybody'
      when own >= ${SUBJECTS_MIN} then 'account' else 'nobody' end as scope
    from counted
  ), t as materialized (
    select coalesce($2::timestamptz, statement_timestamp()) as asked
  ), added as (${countCaptions('$11::int')}
  ), judged as (
    select r.*, s.scope, coalesce($2::timestamptz, clock_timestamp()) as now,
      (select ${came('r')} + $11::int from t) as came, case s.scope when 'everybody'
      then ($9::float8[])[least(cardinality($9::float8[]), r.blocks + 1)] else 0 end as "forMs"
    from route r, scoped s
  ), rested as (
    update egress_route e set
      epoch = e.epoch + 1, blocks = e.blocks + 1, streak = 0, visitor_data = null, minted_at = null,
      captions_per_day = case when $12::boolean and j.came >= ${CAPTIONS_TOLD_MIN}
        then least(e.captions_per_day, floor(j.came * ${CAPTIONS_KEPT})) else e.captions_per_day end,
      rate_per_minute = greatest($10::float8, e.rate_per_minute / 2),
      rested_at = j.now, rest_until = j.now + make_interval(secs => j."forMs" / 1000)
    from judged j where e.name = j.name and not j."isOver" and j.scope = 'everybody'
  ), forgotten as (
    delete from egress_suspicion s using judged j
    where s.route = $1 and ((not j."isOver" and j.scope = 'everybody')
      or ((j."isOver" or s.subject <> $5 or s.account_id <> $6)
        and not exists (select from in_force f where f.subject = s.subject and f.account_id = s.account_id)))
  ), remembered as (
    insert into egress_suspicion (route, subject, account_id, is_contradicted, seen_at)
    select $1, s.subject, s.account_id, s.is_contradicted, j.now from suspected s, judged j
    where $4::boolean and s.subject = $5 and s.account_id = $6 and j.scope <> 'everybody' and not j."isOver"
    on conflict (route, subject, account_id)
    do update set is_contradicted = excluded.is_contradicted, seen_at = excluded.seen_at
  )
  select "isOver", "restingMs", scope, "forMs" from judged`,
)

/**
 * Judges a block together with the other suspicions of the route, as `restScope` does, in one round trip. The first
 * report of an epoch that rests the route ends the epoch; later reports of that epoch learn how long the rest still
 * lasts.
 */
async function judgeBlock({ db, at }: Store, terms: RouteTerms, block: Block): Promise<Rest> {
  const { retryAfterMs, jitter, suspicion } = block
  const { subject, accountId, isContradicted } = suspicion ?? NO_SUSPICION
  const restsMs = Array.from({ length: terms.blocksForgiven + RESTS_TOLD_APART }, (_, before) =>
    restAfterBlock(terms, { blocks: before + 1, retryAfterMs, jitter }),
  )
  const [verdict] = await run(db, JUDGE_BLOCK, [
    terms.name,
    at,
    block.epoch,
    suspicion !== null,
    subject,
    accountId,
    isContradicted,
    block.hasDelivered,
    restsMs,
    terms.ratePerMinute.floor,
    block.captions ?? 0,
    block.isRefusal === true && terms.learnsCaptions === true,
  ])
  if (verdict === undefined) return { scope: 'nobody', forMs: 0 }
  if (verdict.isOver) return { scope: 'everybody', forMs: Math.max(0, verdict.restingMs ?? 0) }
  return { scope: verdict.scope, forMs: verdict.forMs }
}

const NO_SUSPICION: Suspicion = { subject: '', accountId: '', isContradicted: false }

/** Whether the client's identity that is kept is over, so that the new one takes its place. */
const IS_OVER = `(i.epoch <> excluded.epoch
      or i.minted_at <= excluded.minted_at - make_interval(secs => ${IDENTITY_LIFE_MS / 1000}))`

/** $1: the route, $2: the time, $3: the epoch, $4: the client, $5: its visitor id. */
const KEEP_VISITOR = statement<{ visitorData: string }>(
  'keep-visitor',
  `insert into egress_identity as i (route, client, epoch, visitor_data, minted_at)
  select r.name, $4, r.epoch, $5, coalesce($2::timestamptz, clock_timestamp())
  from (select name, epoch from egress_route where name = $1 and epoch = $3 for share) r
  on conflict (route, client) do update set
    epoch = excluded.epoch,
    visitor_data = case when ${IS_OVER} then excluded.visitor_data else i.visitor_data end,
    minted_at = case when ${IS_OVER} then excluded.minted_at else i.minted_at end
  returning i.visitor_data as "visitorData"`,
)

/** Keeps a client's first session identity of an epoch and returns it; null where the epoch is over. */
async function keepVisitor(
  { db, at }: Store,
  name: string,
  { epoch, client, visitorData }: MadeIdentity,
): Promise<string | null> {
  const [row] = await run(db, KEEP_VISITOR, [name, at, epoch, client, visitorData])
  return row?.visitorData ?? null
}

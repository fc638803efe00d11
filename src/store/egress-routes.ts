/** Egress routes' rate, rest and identity: one row each, shared by all processes, on the database's clock. */
import { sql } from 'kysely'
import {
  ANSWERS_TO_CEILING,
  IDENTITY_LIFE_MS,
  LEASE_MS,
  type Lease,
  PERMITS_MAX,
  restAfterBlock,
  type RouteBudget,
  type RouteTerms,
} from '../platform/egress/route-budget.ts'
import type { Db } from '../postgres/database.ts'

/** The platform's route budget over `egress_route`; a row begins with its first use. */
export function egressBudget(db: Db, random: () => number = Math.random): RouteBudget {
  return {
    async take(terms, { answered }) {
      for (;;) {
        const lease = (await takePermits(db, terms, answered)) ?? (await readRest(db, terms.name))
        if (lease !== null) return lease
        await insertRoute(db, terms)
      }
    },
    reportBlock: (terms, block) => restRoute(db, terms, { ...block, jitter: random() }),
    saveIdentity: (name, identity) => keepVisitor(db, name, identity),
  }
}

/** Leases of one route that processes may hold side by side, one each. */
const LEASES_AHEAD_MAX = 32

/** It began before the database's clock was set back. A minute: statements wait for the row, and their time stands. */
const IS_REST_OF_FUTURE = sql`(rested_at > statement_timestamp() + interval '1 minute')`

type LeaseRow = {
  permits: number
  startsInMs: number
  intervalMs: number
  epoch: number
  visitorData: string | null
}

/** Null where the route rests or has no row. One statement, so two processes cannot take the same. */
async function takePermits(db: Db, terms: RouteTerms, answered: number): Promise<Lease | null> {
  const { ceiling } = terms.ratePerMinute
  const step = (ceiling * answered) / ANSWERS_TO_CEILING
  const permits = sql`least(${PERMITS_MAX}, greatest(1, floor(rate_per_minute / 60000 * ${LEASE_MS})))::int`
  const isOld = sql`minted_at < statement_timestamp() - make_interval(secs => ${IDENTITY_LIFE_MS / 1000})`
  const leaseLasts = sql`make_interval(secs => ${permits} * 60 / rate_per_minute)`
  // Further ahead than leases can be: written before the database's clock was set back.
  const startsAt = sql`case
        when free_at > statement_timestamp() + ${LEASES_AHEAD_MAX}::int * greatest(${leaseLasts}, interval '2 seconds')
        then statement_timestamp() else greatest(free_at, statement_timestamp()) end`
  const { rows } = await sql<LeaseRow>`
    update egress_route set
      rate_per_minute = least(${ceiling}::float8, rate_per_minute + ${step}::float8),
      streak = least(streak + ${answered}::int, 1000000),
      blocks = case when streak + ${answered}::int >= ${terms.healedAfter}::int then 0 else blocks end,
      visitor_data = case when ${isOld} then null else visitor_data end,
      minted_at = case when ${isOld} then null else minted_at end,
      lease_permits = ${permits},
      lease_starts_at = ${startsAt},
      free_at = ${startsAt} + ${leaseLasts}
    where name = ${terms.name}
      and (rest_until is null or rest_until <= statement_timestamp() or ${IS_REST_OF_FUTURE})
    returning lease_permits as permits, epoch, visitor_data as "visitorData",
      extract(epoch from lease_starts_at - clock_timestamp())::float8 * 1000 as "startsInMs",
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
async function readRest(db: Db, name: string): Promise<Lease | null> {
  const { rows } = await sql<{ forMs: number; epoch: number; visitorData: string | null }>`
    select epoch, visitor_data as "visitorData",
      extract(epoch from rest_until - clock_timestamp())::float8 * 1000 as "forMs"
    from egress_route
    where name = ${name} and rest_until > clock_timestamp() and ${IS_REST_OF_FUTURE} is not true
  `.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { forMs, epoch, visitorData } = row
  return { kind: 'resting', forMs, identity: { epoch, visitorData } }
}

async function insertRoute(db: Db, { name, ratePerMinute }: RouteTerms): Promise<void> {
  await sql`
    insert into egress_route (name, rate_per_minute, free_at, lease_starts_at, lease_permits)
    values (${name}, ${ratePerMinute.start}, clock_timestamp(), clock_timestamp(), 0)
    on conflict (name) do nothing
  `.execute(db)
}

type Block = { epoch: number; retryAfterMs: number | null; jitter: number }

/**
 * The rest grows with the blocks in a row, so they are read under the row's lock first. Of many
 * reports of one epoch the first changes the row; the others learn how long it rests.
 */
async function restRoute(db: Db, terms: RouteTerms, block: Block): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ epoch: number; blocks: number; restingMs: number | null }>`
      select epoch, blocks,
        (extract(epoch from rest_until - clock_timestamp()) * 1000)::float8 as "restingMs"
      from egress_route where name = ${terms.name} for update
    `.execute(tx)
    const [route] = rows
    if (route === undefined) return 0
    if (route.epoch !== block.epoch) return Math.max(0, route.restingMs ?? 0)

    const { retryAfterMs, jitter } = block
    const restMs = restAfterBlock(terms, { blocks: route.blocks + 1, retryAfterMs, jitter })
    await sql`
      update egress_route set
        epoch = epoch + 1, blocks = blocks + 1, streak = 0, visitor_data = null, minted_at = null,
        rate_per_minute = greatest(${terms.ratePerMinute.floor}::float8, rate_per_minute / 2),
        rested_at = clock_timestamp(),
        rest_until = clock_timestamp() + make_interval(secs => ${restMs / 1000})
      where name = ${terms.name}
    `.execute(tx)
    return restMs
  })
}

/** The first session identity of an epoch stays; null where the epoch is over. */
async function keepVisitor(
  db: Db,
  name: string,
  { epoch, visitorData }: { epoch: number; visitorData: string },
): Promise<string | null> {
  const { rows } = await sql<{ visitorData: string }>`
    update egress_route set
      visitor_data = coalesce(visitor_data, ${visitorData}),
      minted_at = coalesce(minted_at, clock_timestamp())
    where name = ${name} and epoch = ${epoch}
    returning visitor_data as "visitorData"
  `.execute(db)
  return rows[0]?.visitorData ?? null
}

/** The state of the egress routes, read for an operator; egress-routes.ts writes it. */
import { sql } from 'kysely'
import type { Db } from './database.ts'

export type RouteState = {
  name: string
  ratePerMinute: number
  /** Null while the route may be used. */
  restsUntil: Date | null
  /** Blocks in a row, which lengthen the next rest. */
  blocks: number
  deliveredAt: Date | null
}

/** Returns the state of up to 500 routes by name, of all that were ever used, also by processes that are gone. */
export async function listRouteStates(db: Db): Promise<RouteState[]> {
  const { rows } = await sql<RouteState>`
    select name, rate_per_minute as "ratePerMinute", case when rest_until > now() then rest_until end as "restsUntil",
      blocks, delivered_at as "deliveredAt"
    from egress_route order by name limit 500
  `.execute(db)
  return rows
}

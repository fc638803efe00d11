/** How the egress routes stand, for an operator: read only, egress-routes.ts writes them. */
import { sql } from 'kysely'
import type { Db } from './database.ts'

export type RouteState = {
  name: string
  ratePerMinute: number
  /** Null: it may be used. */
  restsUntil: Date | null
  /** In a row; they make the next rest longer. */
  blocks: number
  deliveredAt: Date | null
}

/** Of every route that was ever used, also by processes that are gone. */
export async function listRouteStates(db: Db): Promise<RouteState[]> {
  const { rows } = await sql<RouteState>`
    select name, rate_per_minute as "ratePerMinute", case when rest_until > now() then rest_until end as "restsUntil",
      blocks, delivered_at as "deliveredAt"
    from egress_route order by name limit 500
  `.execute(db)
  return rows
}

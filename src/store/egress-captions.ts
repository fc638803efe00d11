/**
 * Captions that came on each egress route, by the hour, in the table `egress_captions`: parts of statements that count
 * them and tell when a route has room for more. `t.asked` is the time; where they write, $1 is the route.
 */

/** The hour of the statement's time. */
const THIS_HOUR = `date_trunc('hour', t.asked, 'UTC')`
/** Hours that count: a count of the future was written before the database's clock was set back. */
const IN_DAY = `c.hour > t.asked - interval '1 day' and c.hour <= t.asked`

/** Adds a count to the present hour of a known route; without one nothing is written. */
export function countCaptions(count: string): string {
  return `
    insert into egress_captions as c (route, hour, captions)
    select e.name, ${THIS_HOUR}, ${count} from egress_route e, t where e.name = $1 and ${count} > 0
    on conflict (route, hour) do update set captions = c.captions + excluded.captions`
}

/** Deletes the route's hours that no longer count. */
export const SWEEP_CAPTIONS = `
    delete from egress_captions c using t where c.route = $1 and not (${IN_DAY})`

/** SQL for the captions that a row of egress_route, or of another name, had within a day. */
export function came(route = 'egress_route'): string {
  return `(
      select coalesce(sum(c.captions), 0)::int from egress_captions c where c.route = ${route}.name and ${IN_DAY}
    )`
}

/**
 * SQL for when a row of egress_route has room again: when the newest hours that reach its bound together begin to be a
 * day old; null where it has room, or no bound. `more` is what came and is not counted yet.
 */
export function roomAt(more: string): string {
  return `(
      select max(h.hour) + interval '1 day' from (
        select u.hour, sum(u.captions) over (order by u.hour desc) as since from (
          select c.hour, c.captions from egress_captions c where c.route = egress_route.name and ${IN_DAY}
          union all select ${THIS_HOUR}, ${more}
        ) u
      ) h where h.since >= coalesce(egress_route.captions_set, floor(egress_route.captions_per_day))
    )`
}

/** What keys with a monthly cap spent, from the tables `api_key` and `job`. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** By key: what each of the account's capped keys spent since the month began, in UTC. */
export async function listKeySpendings(db: Db, accountId: string): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ id: string; spentMicros: bigint }>`
    select k.id, ${spentByKey(sql`k.id`)} as "spentMicros" from api_key k
    where k.account_id = ${accountId} and k.kind = 'key' and k.monthly_cap_micros is not null
  `.execute(db)
  return new Map(rows.map(({ id, spentMicros }) => [id, spentMicros]))
}

/** A part: what the jobs of a key reserve or were charged since the month began, in UTC. */
function spentByKey(keyId: RawBuilder<unknown>): RawBuilder<bigint> {
  return sql`(select coalesce(sum(coalesce(j.charged_micros, j.reserved_micros)), 0)::bigint from job j
    where j.key_id = ${keyId} and j.created_at >= date_trunc('month', now(), 'UTC'))`
}

/**
 * What a capped key may spend this month and has; null where it was revoked since it was looked at. Under
 * the balance's lock, which whoever starts a job holds, nobody else adds to it.
 */
export async function readKeySpending(
  db: Db,
  keyId: string,
): Promise<{ capMicros: bigint; spentMicros: bigint } | null> {
  const { rows } = await sql<{ capMicros: bigint; spentMicros: bigint }>`
    select coalesce(k.monthly_cap_micros, 0) as "capMicros", ${spentByKey(sql`k.id`)} as "spentMicros"
    from api_key k where k.id = ${keyId} and k.revoked_at is null and k.monthly_cap_micros is not null
  `.execute(db)
  return rows[0] ?? null
}

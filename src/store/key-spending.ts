/** What keys with a monthly cap spent, from the tables `api_key` and `job`. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** Returns, by key id, what each of the account's capped keys spent in this calendar month (UTC), in micros. */
export async function listKeySpendings(db: Db, accountId: string): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ id: string; spentMicros: bigint }>`
    select k.id, ${spentByKey(sql`k.id`)} as "spentMicros" from api_key k
    where k.account_id = ${accountId} and k.kind = 'key' and k.monthly_cap_micros is not null
  `.execute(db)
  return new Map(rows.map(({ id, spentMicros }) => [id, spentMicros]))
}

/** SQL for what a key's jobs reserved or were charged in this calendar month (UTC). */
function spentByKey(keyId: RawBuilder<unknown>): RawBuilder<bigint> {
  return sql`(select coalesce(sum(coalesce(j.charged_micros, j.reserved_micros)), 0)::bigint from job j
    where j.key_id = ${keyId} and j.created_at >= date_trunc('month', now(), 'UTC'))`
}

/**
 * Returns what a capped key may spend this month and has spent; null where it was revoked, or has no cap any more.
 * Under the balance's lock, which every job start holds, no other transaction adds to the spending.
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

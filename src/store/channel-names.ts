/** The table `channel_name`: which channel stands behind the path of a page, as the platform said lately. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** What the platform said about a path; a null `channelId` means that there is no such channel. */
export type NamedChannel = { channelId: string | null }

/**
 * Returns null where the platform was not asked lately. A missing channel is forgotten sooner, since it may be created.
 */
export async function findChannelName(
  db: Db,
  path: string,
  { foundSeconds, missingSeconds }: { foundSeconds: number; missingSeconds: number },
): Promise<NamedChannel | null> {
  const { rows } = await sql<NamedChannel>`
    select channel_id as "channelId" from channel_name
    where path_hash = ${hashOf(path)} and asked_at > now() - make_interval(
      secs => case when channel_id is null then ${missingSeconds}::int else ${foundSeconds}::int end)
  `.execute(db)
  return rows[0] ?? null
}

export async function keepChannelName(
  db: Db,
  path: string,
  { channelId }: NamedChannel,
): Promise<void> {
  await db
    .insertInto('channel_name')
    .values({ path_hash: hashOf(path), channel_id: channelId })
    .onConflict((known) =>
      known.column('path_hash').doUpdateSet((eb) => ({
        channel_id: eb.ref('excluded.channel_id'),
        asked_at: eb.ref('excluded.asked_at'),
      })),
    )
    .execute()
}

export async function sweepChannelNames(
  db: Db,
  { maxSeconds, rowsMax }: { maxSeconds: number; rowsMax: number },
): Promise<void> {
  await sql`
    delete from channel_name where path_hash in (
      select path_hash from channel_name where asked_at <= now() - make_interval(secs => ${maxSeconds})
      order by asked_at limit ${rowsMax})
  `.execute(db)
}

/** Returns a key of fixed length, since customers' paths may be of any length. */
function hashOf(path: string): Buffer {
  return createHash('sha256').update(path).digest()
}

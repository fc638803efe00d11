/** The table `retired_client`: versions of the platform's apps that it no longer accepts, and since when. */
import type { Db } from './database.ts'

export type ClientVersion = { name: string; version: string }

/** Notes that a version is retired; repeating it keeps the first time. */
export async function keepRetired(db: Db, client: ClientVersion): Promise<void> {
  await db
    .insertInto('retired_client')
    .values(client)
    .onConflict((known) => known.columns(['name', 'version']).doNothing())
    .execute()
}

/** Removes a version that the platform answers again. */
export async function forgetRetired(db: Db, { name, version }: ClientVersion): Promise<void> {
  await db
    .deleteFrom('retired_client')
    .where('name', '=', name)
    .where('version', '=', version)
    .execute()
}

export async function listRetired(db: Db): Promise<(ClientVersion & { retiredAt: Date })[]> {
  return db
    .selectFrom('retired_client')
    .select(['name', 'version', 'retired_at as retiredAt'])
    .orderBy('retired_at')
    .execute()
}

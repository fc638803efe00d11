/**
 * Receipts: what a job delivered, and the table `signing_key`, the keys with which all processes of a deployment sign.
 */
import type { NotNull } from 'kysely'
import type { Db } from './database.ts'

// What a job delivered, as its receipt lists it: rows and the hashes of their texts.

export type DeliveredText = { index: number; videoId: string; textSha256: string }

/** Returns a job's delivered texts in order of index; there are at most as many as the job has slots. */
export async function listDeliveredTexts(db: Db, jobId: string): Promise<DeliveredText[]> {
  return db
    .selectFrom('video_row as r')
    .innerJoin('transcript as t', (join) =>
      join.onRef('t.job_id', '=', 'r.job_id').onRef('t.index', '=', 'r.index'),
    )
    .select(['r.index', 'r.video_id as videoId', 't.text_hash as textSha256'])
    .where('r.job_id', '=', jobId)
    .where('r.status', '=', 'success')
    .orderBy('r.index')
    .$narrowType<{ videoId: NotNull }>()
    .execute()
}

/** Returns what a receipt of the job must hash to, once its rows are erased; null before that. */
export async function readReceiptHash(
  db: Db,
  { accountId, jobId }: { accountId: string; jobId: string },
): Promise<string | null> {
  const job = await db
    .selectFrom('job')
    .select('receipt_sha256 as sha256')
    .where('id', '=', jobId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return job?.sha256 ?? null
}

// The table `signing_key`: the keys with which all processes of a deployment sign receipts.

export type PublicKeyRow = {
  id: string
  /** The raw Ed25519 key, 32 bytes. */
  publicKey: Buffer
  createdAt: Date
  /** Null while the key may still sign. */
  retiredAt: Date | null
}

export type KeyPairRow = { id: string; publicKey: Buffer; privateKey: Buffer }

/** The pair that this database signs with, or null before the first one was made. */
export async function findCurrentPair(db: Db): Promise<KeyPairRow | null> {
  const pair = await db
    .selectFrom('signing_key')
    .select(['id', 'public_key as publicKey', 'private_key as privateKey'])
    .where('private_key', 'is not', null)
    .where('retired_at', 'is', null)
    .$narrowType<{ privateKey: NotNull }>()
    .executeTakeFirst()
  return pair ?? null
}

/** Keeps a new pair, unless another process was first: then the other pair is the current one. */
export async function insertPair(db: Db, pair: KeyPairRow): Promise<void> {
  await db
    .insertInto('signing_key')
    .values({ id: pair.id, public_key: pair.publicKey, private_key: pair.privateKey })
    .onConflict((known) => known.doNothing())
    .execute()
}

/** Retires the current pair: it signs no more, and its public key stays. */
export async function retirePair(db: Db): Promise<void> {
  await db
    .updateTable('signing_key')
    .set((eb) => ({ retired_at: eb.fn<Date>('now') }))
    .where('private_key', 'is not', null)
    .where('retired_at', 'is', null)
    .execute()
}

/** Publishes the public half of a key that is held in a setting; may be repeated. */
export async function publishKey(db: Db, key: { id: string; publicKey: Buffer }): Promise<void> {
  await db
    .insertInto('signing_key')
    .values({ id: key.id, public_key: key.publicKey })
    .onConflict((known) => known.doNothing())
    .execute()
}

/** Every public key that ever signed, newest first. */
export async function listPublicKeys(db: Db): Promise<PublicKeyRow[]> {
  return db
    .selectFrom('signing_key')
    .select(['id', 'public_key as publicKey', 'created_at as createdAt', 'retired_at as retiredAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/**
 * Receipts: what a job delivered, and the table `signing_key`, the keys with which all processes of a deployment sign.
 */
import { sql } from 'kysely'
import { type Db, query } from './database.ts'
import type { JobKey } from './jobs.ts'

type DeliveredText = { index: number; videoId: string; textSha256: string }

/** Returns a job's delivered texts in order of index; there are at most as many as the job has slots. */
export async function listDeliveredTexts(db: Db, jobId: string): Promise<DeliveredText[]> {
  return query<DeliveredText>`
    select r.index, r.video_id as "videoId", t.text_hash as "textSha256"
    from video_row r join transcript t on t.job_id = r.job_id and t.index = r.index
    where r.job_id = ${jobId} and r.status = 'success' order by r.index
  `.rows(db)
}

/** Returns what a receipt of the job must hash to, once its rows are erased; null before that. */
export async function readReceiptHash(
  db: Db,
  { accountId, jobId }: JobKey,
): Promise<string | null> {
  return query<{ sha256: string | null }>`
    select receipt_sha256 as sha256 from job where id = ${jobId} and account_id = ${accountId}
  `.firstValue(db)
}

type PublicKeyRow = {
  id: string
  /** The raw Ed25519 key, 32 bytes. */
  publicKey: Buffer
  createdAt: Date
  /** Null while the key may still sign. */
  retiredAt: Date | null
}

type KeyPairRow = { id: string; publicKey: Buffer; privateKey: Buffer }

/** The pair that this database signs with, or null before the first one was made. */
export async function findCurrentPair(db: Db): Promise<KeyPairRow | null> {
  return query<KeyPairRow>`
    select id, public_key as "publicKey", private_key as "privateKey"
    from signing_key where private_key is not null and retired_at is null
  `.firstRow(db)
}

/** Keeps a new pair, unless another process was first: then the other pair is the current one. */
export async function insertPair(db: Db, { id, publicKey, privateKey }: KeyPairRow): Promise<void> {
  await sql`
    insert into signing_key (id, public_key, private_key) values (${id}, ${publicKey}, ${privateKey})
    on conflict do nothing
  `.execute(db)
}

/** Retires the current pair: it signs no more, and its public key stays. */
export async function retirePair(db: Db): Promise<void> {
  await sql`
    update signing_key set retired_at = now() where private_key is not null and retired_at is null
  `.execute(db)
}

/** Publishes the public half of a key that is held in a setting; may be repeated. */
export async function publishKey(
  db: Db,
  { id, publicKey }: { id: string; publicKey: Buffer },
): Promise<void> {
  await sql`insert into signing_key (id, public_key) values (${id}, ${publicKey}) on conflict do nothing`.execute(
    db,
  )
}

/** Every public key that ever signed, newest first. */
export async function listPublicKeys(db: Db): Promise<PublicKeyRow[]> {
  return query<PublicKeyRow>`
    select id, public_key as "publicKey", created_at as "createdAt", retired_at as "retiredAt" from signing_key
    order by created_at desc, id
  `.rows(db)
}

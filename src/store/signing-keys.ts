/** The table `signing_key`: what all processes of a deployment sign receipts with. */
import { sql } from 'kysely'
import type { Db } from '../postgres/database.ts'

export type PublicKeyRow = {
  id: string
  /** Ed25519, raw, 32 bytes. */
  publicKey: Buffer
  createdAt: Date
  /** Null while it may still sign. */
  retiredAt: Date | null
}

export type KeyPairRow = { id: string; publicKey: Buffer; privateKey: Buffer }

/** The pair that this database signs with, or null before the first one was made. */
export async function findCurrentPair(db: Db): Promise<KeyPairRow | null> {
  const { rows } = await sql<KeyPairRow>`
    select id, public_key as "publicKey", private_key as "privateKey" from signing_key
    where private_key is not null and retired_at is null
  `.execute(db)
  return rows[0] ?? null
}

/** Keeps a new pair unless another process was first: then that one's stays the current pair. */
export async function insertPair(db: Db, pair: KeyPairRow): Promise<void> {
  await sql`
    insert into signing_key (id, public_key, private_key)
    values (${pair.id}, ${pair.publicKey}, ${pair.privateKey}) on conflict do nothing
  `.execute(db)
}

/** The current pair signs no more; its public key stays. */
export async function retirePair(db: Db): Promise<void> {
  await sql`
    update signing_key set retired_at = now() where private_key is not null and retired_at is null
  `.execute(db)
}

/** Publishes the public half of a key that a setting holds; known already is fine. */
export async function publishKey(db: Db, key: { id: string; publicKey: Buffer }): Promise<void> {
  await sql`
    insert into signing_key (id, public_key) values (${key.id}, ${key.publicKey}) on conflict do nothing
  `.execute(db)
}

/** Every public key that ever signed, newest first. */
export async function listPublicKeys(db: Db): Promise<PublicKeyRow[]> {
  const { rows } = await sql<PublicKeyRow>`
    select id, public_key as "publicKey", created_at as "createdAt", retired_at as "retiredAt"
    from signing_key order by created_at desc, id
  `.execute(db)
  return rows
}

/**
 * The tables `sign_up` and `address_change`: what a visitor claims about an address until its link is opened, and
 * changes of the address with which a user signs in.
 */
import { sql } from 'kysely'
import { type Db, query, type Tx } from './database.ts'

type SignUp = { email: string; password: string; browserHash: Buffer }

/** Keeps a sign-up; `password` is hashed. Earlier sign-ups for the address stay: each has its own link. */
export async function insertSignUp(
  db: Db,
  { tokenHash, lifetimeSeconds, ...made }: SignUp & { tokenHash: Buffer; lifetimeSeconds: number },
): Promise<void> {
  await sql`
    insert into sign_up (token_hash, browser_hash, email, password, expires_at)
    values (${tokenHash}, ${made.browserHash}, ${made.email}, ${made.password},
      now() + make_interval(secs => ${lifetimeSeconds}))
  `.execute(db)
}

/** The sign-up of a link, or null where there is none or it has expired. */
export async function findSignUp(db: Db, tokenHash: Buffer): Promise<SignUp | null> {
  return query<SignUp>`
    select email, password, browser_hash as "browserHash"
    from sign_up where token_hash = ${tokenHash} and expires_at > now()
  `.firstRow(db)
}

/** Deletes every sign-up for an address. Returns how many there were. */
export async function deleteSignUps(db: Db, email: string): Promise<number> {
  return query`delete from sign_up where email = ${email}`.rowCount(db)
}

type AddressChange = {
  confirmHash: Buffer
  userId: string
  oldEmail: string
  newEmail: string
  askedAt: Date
  /** Null until the link to the new address is opened. */
  madeAt: Date | null
  expiresAt: Date
}

const COLUMNS =
  sql.raw(`confirm_hash as "confirmHash", user_id as "userId", old_email as "oldEmail",
  new_email as "newEmail", asked_at as "askedAt", made_at as "madeAt", expires_at as "expiresAt"`)

/** Keeps a change until its link is opened; it replaces the user's earlier pending change. */
export async function insertAddressChange(
  tx: Tx,
  asked: {
    confirmHash: Buffer
    stopHash: Buffer
    userId: string
    oldEmail: string
    newEmail: string
    lifetimeSeconds: number
  },
): Promise<void> {
  await sql`
    insert into address_change (confirm_hash, stop_hash, user_id, old_email, new_email, expires_at)
    values (${asked.confirmHash}, ${asked.stopHash}, ${asked.userId}, ${asked.oldEmail}, ${asked.newEmail},
      now() + make_interval(secs => ${asked.lifetimeSeconds}))
    on conflict (user_id) where made_at is null do update set confirm_hash = excluded.confirm_hash,
      stop_hash = excluded.stop_hash, old_email = excluded.old_email, new_email = excluded.new_email,
      asked_at = excluded.asked_at, expires_at = excluded.expires_at
  `.execute(tx)
}

/**
 * Returns the id of the user whose change this link to an old address undoes; null where there is none or it has
 * expired.
 */
export async function findUserOfUndo(db: Db, hash: Buffer): Promise<string | null> {
  return query<{ userId: string }>`
    select user_id as "userId" from address_change
    where (stop_hash = ${hash} or undo_hash = ${hash}) and expires_at > now()
  `.firstValue(db)
}

/**
 * Returns the pending change of a link to a new address, locked; null where there is none or it has expired. The caller
 * has locked its user.
 */
export async function lockPendingChange(
  tx: Tx,
  confirmHash: Buffer,
): Promise<AddressChange | null> {
  return query<AddressChange>`
    select ${COLUMNS} from address_change
    where confirm_hash = ${confirmHash} and made_at is null and expires_at > now() for update
  `.firstRow(tx)
}

/**
 * Returns the change, pending or made, of a link to an old address, locked; null where there is none or it has expired.
 */
export async function lockUndoableChange(tx: Tx, hash: Buffer): Promise<AddressChange | null> {
  return query<AddressChange>`
    select ${COLUMNS} from address_change
    where (stop_hash = ${hash} or undo_hash = ${hash}) and expires_at > now() for update
  `.firstRow(tx)
}

export async function setChangeMade(
  tx: Tx,
  change: { confirmHash: Buffer; undoHash: Buffer; undoSeconds: number },
): Promise<void> {
  await sql`
    update address_change set made_at = now(), undo_hash = ${change.undoHash},
      expires_at = now() + make_interval(secs => ${change.undoSeconds})
    where confirm_hash = ${change.confirmHash}
  `.execute(tx)
}

/** Deletes a change and all later ones of the user, since the same person asked for them. */
export async function deleteChangesSince(
  tx: Tx,
  { userId, askedAt }: { userId: string; askedAt: Date },
): Promise<void> {
  await sql`delete from address_change where user_id = ${userId} and asked_at >= ${askedAt}`.execute(
    tx,
  )
}

/** Returns the changes of the account's users that are still kept, oldest first. */
export async function listAddressChanges(db: Db, accountId: string): Promise<AddressChange[]> {
  return query<AddressChange>`
    select ${COLUMNS} from address_change
    where user_id in (select id from sign_in_user where account_id = ${accountId}) order by asked_at
  `.rows(db)
}

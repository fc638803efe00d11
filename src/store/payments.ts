/** The tables `payment`, `payment_claim` and `payment_event`: what the payment service told us. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { ClaimKind } from '../payments/payment-news.ts'
import type { Db, Tx } from '../postgres/database.ts'

export type EventOutcome = 'credited' | 'adjusted' | 'noted' | 'ignored' | 'refused'

export type PaymentRow = { id: string; accountId: string | null; creditedMicros: bigint }

export type ClaimRow = {
  id: string
  paymentId: string
  kind: ClaimKind
  status: string
  statusAt: Date
  claimedMicros: bigint
  takenMicros: bigint
  /** Adjustments it caused so far. */
  moves: number
}

/** False where this event has been taken before; waits for one that is being taken right now. */
export async function insertEvent(
  tx: Tx,
  event: { id: string; type: string; createdAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into payment_event (id, type, created_at, outcome, note)
    values (${event.id}, ${event.type}, ${event.createdAt}, 'ignored', '')
    on conflict (id) do nothing returning id
  `.execute(tx)
  return rows.length > 0
}

export async function setEventOutcome(
  tx: Tx,
  id: string,
  { outcome, note }: { outcome: EventOutcome; note: string },
): Promise<void> {
  await sql`
    update payment_event set outcome = ${outcome}, note = ${note} where id = ${id}
  `.execute(tx)
}

/** Locks a payment, heard of before or not; taken before any balance. */
export async function lockPayment(tx: Tx, id: string): Promise<PaymentRow> {
  const { rows } = await sql<PaymentRow>`
    insert into payment (id) values (${id})
    on conflict (id) do update set id = excluded.id
    returning id, account_id as "accountId", credited_micros as "creditedMicros"
  `.execute(tx)
  assert(rows[0] !== undefined, 'a locked payment is returned')
  return rows[0]
}

export async function setCredited(
  tx: Tx,
  paid: { paymentId: string; checkoutId: string; accountId: string; micros: bigint },
): Promise<void> {
  await sql`
    update payment set account_id = ${paid.accountId}, checkout_id = ${paid.checkoutId},
      credited_micros = ${paid.micros.toString()}::bigint
    where id = ${paid.paymentId} and account_id is null
  `.execute(tx)
}

const CLAIM = sql`id, payment_id as "paymentId", kind, status, status_at as "statusAt",
  claimed_micros as "claimedMicros", taken_micros as "takenMicros", moves`

/** All claims of a payment that the transaction has locked. */
export async function listClaims(tx: Tx, paymentId: string): Promise<ClaimRow[]> {
  const { rows } = await sql<ClaimRow>`
    select ${CLAIM} from payment_claim where payment_id = ${paymentId} order by created_at, id
  `.execute(tx)
  return rows
}

/** Writes a claim as it is told, unless something newer was told before: then false. */
export async function upsertClaim(
  tx: Tx,
  claim: Pick<ClaimRow, 'id' | 'paymentId' | 'kind' | 'status' | 'statusAt' | 'claimedMicros'>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into payment_claim (id, payment_id, kind, status, status_at, claimed_micros)
    values (${claim.id}, ${claim.paymentId}, ${claim.kind}, ${claim.status}, ${claim.statusAt},
      ${claim.claimedMicros.toString()}::bigint)
    on conflict (id) do update set status = excluded.status, status_at = excluded.status_at,
      claimed_micros = excluded.claimed_micros
    where excluded.status_at > payment_claim.status_at
      or (excluded.status_at = payment_claim.status_at
        and excluded.claimed_micros < payment_claim.claimed_micros)
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** One adjustment more that the claim caused. */
export async function addClaimMove(tx: Tx, claimId: string, takenMicros: bigint): Promise<void> {
  await sql`
    update payment_claim
    set taken_micros = taken_micros + ${takenMicros.toString()}::bigint, moves = moves + 1
    where id = ${claimId}
  `.execute(tx)
}

/** `accountId` and `email` are null while the payment is not credited. */
export type ReportedClaim = ClaimRow & {
  accountId: string | null
  email: string | null
  creditedMicros: bigint
  createdAt: Date
}

/** Refunds and disputes for the operator, newest first. */
export async function listReportedClaims(db: Db, limit: number): Promise<ReportedClaim[]> {
  const { rows } = await sql<ReportedClaim>`
    select c.id, c.payment_id as "paymentId", c.kind, c.status, c.status_at as "statusAt",
      c.claimed_micros as "claimedMicros", c.taken_micros as "takenMicros", c.moves,
      p.account_id as "accountId", a.email, p.credited_micros as "creditedMicros", c.created_at as "createdAt"
    from payment_claim c join payment p on p.id = c.payment_id left join account a on a.id = p.account_id
    order by c.created_at desc, c.id limit ${limit}
  `.execute(db)
  return rows
}

/** Events about money that we could not place, newest first. */
export async function listRefusedEvents(
  db: Db,
  limit: number,
): Promise<{ id: string; type: string; receivedAt: Date; note: string }[]> {
  const { rows } = await sql<{ id: string; type: string; receivedAt: Date; note: string }>`
    select id, type, received_at as "receivedAt", note from payment_event
    where outcome = 'refused' order by received_at desc, id limit ${limit}
  `.execute(db)
  return rows
}

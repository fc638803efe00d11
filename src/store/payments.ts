/** The tables `payment`, `payment_claim` and `payment_event`: what the payment provider reported. */
import { sql } from 'kysely'
import type { ClaimKind } from '../model/money/payment-effect.ts'
import { type Db, query, type Tx } from './database.ts'

export type EventOutcome = 'credited' | 'adjusted' | 'noted' | 'ignored' | 'refused'

type PaymentRow = { id: string; accountId: string | null; creditedMicros: bigint }

/** A claim as the provider states it. */
type ClaimState = {
  id: string
  paymentId: string
  kind: ClaimKind
  status: string
  statusAt: Date
  claimedMicros: bigint
}

export type ClaimRow = ClaimState & {
  takenMicros: bigint
  /** How many adjustments the claim caused so far. */
  moves: number
}

/** Returns false where this event was taken before. It waits while another transaction takes the event. */
export async function insertEvent(
  tx: Tx,
  { id, type, createdAt }: { id: string; type: string; createdAt: Date },
): Promise<boolean> {
  return query`
    insert into payment_event (id, type, created_at, outcome, note) values (${id}, ${type}, ${createdAt}, 'ignored', '')
    on conflict (id) do nothing
  `.anyRow(tx)
}

export async function setEventOutcome(
  tx: Tx,
  id: string,
  { outcome, note }: { outcome: EventOutcome; note: string },
): Promise<void> {
  await query`update payment_event set outcome = ${outcome}, note = ${note} where id = ${id}`.rowCount(
    tx,
  )
}

/** Locks a payment, which is inserted if it is new. A transaction locks it before any balance. */
export async function lockPayment(tx: Tx, id: string): Promise<PaymentRow> {
  return query<PaymentRow>`
    insert into payment (id) values (${id}) on conflict (id) do update set id = excluded.id
    returning id, account_id as "accountId", credited_micros as "creditedMicros"
  `.onlyRow(tx)
}

export async function setCredited(
  tx: Tx,
  paid: { paymentId: string; checkoutId: string; accountId: string; micros: bigint },
): Promise<void> {
  await sql`
    update payment set account_id = ${paid.accountId}, checkout_id = ${paid.checkoutId}, credited_micros = ${paid.micros}
    where id = ${paid.paymentId} and account_id is null
  `.execute(tx)
}

const CLAIM = sql`c.id, c.payment_id as "paymentId", c.kind, c.status, c.status_at as "statusAt",
  c.claimed_micros as "claimedMicros", c.taken_micros as "takenMicros", c.moves`

/** Returns all claims of a payment, oldest first; the caller has locked the payment. */
export async function listClaims(tx: Tx, paymentId: string): Promise<ClaimRow[]> {
  return query<ClaimRow>`
    select ${CLAIM} from payment_claim c where payment_id = ${paymentId} order by created_at, id
  `.rows(tx)
}

/** Writes a claim as the provider states it. Returns false, and writes nothing, where a newer state is known. */
export async function upsertClaim(tx: Tx, claim: ClaimState): Promise<boolean> {
  return query`
    insert into payment_claim (id, payment_id, kind, status, status_at, claimed_micros)
    values (${claim.id}, ${claim.paymentId}, ${claim.kind}, ${claim.status}, ${claim.statusAt},
      ${claim.claimedMicros.toString()}::bigint)
    on conflict (id) do update set status = excluded.status, status_at = excluded.status_at,
      claimed_micros = excluded.claimed_micros
    where excluded.status_at > payment_claim.status_at
      or (excluded.status_at = payment_claim.status_at
        and excluded.claimed_micros < payment_claim.claimed_micros)
    returning id
  `.anyRow(tx)
}

/** Adds one adjustment to those that the claim caused. */
export async function addClaimMove(tx: Tx, claimId: string, takenMicros: bigint): Promise<void> {
  await sql`
    update payment_claim set taken_micros = taken_micros + ${takenMicros}, moves = moves + 1 where id = ${claimId}
  `.execute(tx)
}

/** Micros that a checkout credited to the account; null until it is credited. */
export async function findCredited(
  db: Db,
  { accountId, checkoutId }: { accountId: string; checkoutId: string },
): Promise<bigint | null> {
  return query<{ micros: bigint }>`
    select credited_micros as micros from payment where account_id = ${accountId} and checkout_id = ${checkoutId}
  `.firstValue(db)
}

/** A credited payment; `returnedMicros` is what refunds and disputes took back of it, at most all. */
type PaidRow = {
  id: string
  number: number
  paidAt: Date
  micros: bigint
  returnedMicros: bigint
}

/** The account's payments in the order of their ledger entries; `number` counts them from 1. */
export async function listPayments(db: Db, accountId: string): Promise<PaidRow[]> {
  return query<PaidRow>`
    select p.id, (row_number() over (order by e.number))::int as number, e.created_at as "paidAt",
      p.credited_micros as micros, least(p.credited_micros, coalesce(
        (select sum(c.claimed_micros) from payment_claim c where c.payment_id = p.id), 0))::bigint as "returnedMicros"
    from payment p join ledger_entry e on e.reference = 'checkout:' || p.checkout_id
    where p.account_id = ${accountId} order by e.number
  `.rows(db)
}

/** A claim as the operator sees it; `accountId` and `email` are null until the payment is credited. */
export type ReportedClaim = ClaimRow & {
  accountId: string | null
  email: string | null
  creditedMicros: bigint
  createdAt: Date
}

/** Refunds and disputes for the operator, newest first. */
export async function listReportedClaims(db: Db, limit: number): Promise<ReportedClaim[]> {
  return query<ReportedClaim>`
    select ${CLAIM}, p.account_id as "accountId", a.email, p.credited_micros as "creditedMicros",
      c.created_at as "createdAt"
    from payment_claim c join payment p on p.id = c.payment_id left join account a on a.id = p.account_id
    order by c.created_at desc, c.id limit ${limit}
  `.rows(db)
}

/** Returns how many events were refused within the last `hours`. */
export async function countRefusedEvents(db: Db, hours: number): Promise<number> {
  return query<{ refused: number }>`
    select count(*)::int as refused from payment_event
    where outcome = 'refused' and received_at > now() - make_interval(hours => ${hours})
  `.value(db)
}

/** Events about money that could not be matched to a payment or an account, newest first. */
export async function listRefusedEvents(db: Db, limit: number) {
  return query<{ id: string; type: string; receivedAt: Date; note: string }>`
    select id, type, received_at as "receivedAt", note from payment_event where outcome = 'refused'
    order by received_at desc, id limit ${limit}
  `.rows(db)
}

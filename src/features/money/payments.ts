/** Payments: what an event of the provider means for the books, and which claims are open. */
import { transact } from '../../kit/postgres/database.ts'
import {
  type PaymentEffect,
  type PaymentEvent,
  settleClaim,
  shortfall,
} from '../../model/money/payment-effect.ts'
import { findAccount } from '../../store/accounts.ts'
import type { Db, Tx } from '../../store/database.ts'
import { appendEntries, lockBalance, type LockedBalance } from '../../store/ledger.ts'
import {
  addClaimMove,
  type ClaimRow,
  type EventOutcome,
  insertEvent,
  listClaims,
  listRefusedEvents,
  listReportedClaims,
  lockPayment,
  type ReportedClaim,
  setCredited,
  setEventOutcome,
  upsertClaim,
} from '../../store/payments.ts'
import { addCredit } from './balance.ts'

// Takes an event of the payment service: credits a payment, or adjusts for a refund or dispute.

/** What an event did; `needsOperator` is true where money is missing, or could not be placed. */
export type TakenEvent = {
  outcome: EventOutcome | 'repeated'
  note: string
  needsOperator: boolean
}

/**
 * Takes an event, all or nothing. Safe to repeat: the same event, or another one about the same payment or claim,
 * changes nothing.
 */
export function takeEvent(db: Db, event: PaymentEvent): Promise<TakenEvent> {
  return transact(db, async (tx) => {
    if (!(await insertEvent(tx, event))) {
      return { outcome: 'repeated', note: 'the event was taken before', needsOperator: false }
    }
    const taken = await take(tx, event.effect)
    await setEventOutcome(tx, event.id, taken)
    return taken
  })
}

type Taken = TakenEvent & { outcome: EventOutcome }

function take(tx: Tx, effect: PaymentEffect): Promise<Taken> | Taken {
  switch (effect.kind) {
    case 'paid':
      return takePaid(tx, effect)
    case 'claimed':
      return takeClaim(tx, effect)
    case 'ignored':
      return { outcome: 'ignored', note: effect.note, needsOperator: false }
    case 'refused':
      return { outcome: 'refused', note: effect.note, needsOperator: true }
    default:
      return effect satisfies never
  }
}

async function takePaid(tx: Tx, effect: PaymentEffect & { kind: 'paid' }): Promise<Taken> {
  const { paymentId, checkoutId, accountId, micros } = effect
  const account = await findAccount(tx, accountId)
  if (account?.id !== accountId || account.deletedAt !== null) {
    const note = `payment ${paymentId} names an account that is not here${account?.id === accountId ? ' any more' : ''}: ${accountId}`
    return { outcome: 'refused', note, needsOperator: true }
  }
  const payment = await lockPayment(tx, paymentId)
  if (payment.accountId !== null) {
    return {
      outcome: 'noted',
      note: `payment ${paymentId} was credited before`,
      needsOperator: false,
    }
  }
  await addCredit(tx, { accountId, micros, reference: `checkout:${checkoutId}`, reason: null })
  await setCredited(tx, effect)
  const claims = await listClaims(tx, paymentId)
  const settled = await settleClaims(tx, { accountId, creditedMicros: micros, claims }, claims)
  return { outcome: 'credited', note: `payment ${paymentId}`, needsOperator: settled.isShort }
}

async function takeClaim(tx: Tx, effect: PaymentEffect & { kind: 'claimed' }): Promise<Taken> {
  const { paymentId, claimId, claim: kind, status, micros, at } = effect
  const payment = await lockPayment(tx, paymentId)
  const claimed = { id: claimId, paymentId, kind, status, statusAt: at, claimedMicros: micros }
  const isNewer = await upsertClaim(tx, claimed)
  const note = `${kind} ${claimId} of payment ${paymentId} is ${status}`
  if (!isNewer) {
    return { outcome: 'noted', note: `${note}; something newer is known`, needsOperator: false }
  }
  const { accountId, creditedMicros } = payment
  if (accountId === null) {
    return {
      outcome: 'noted',
      note: `${note}; the payment is not credited (yet)`,
      needsOperator: false,
    }
  }

  const claims = await listClaims(tx, paymentId)
  const given = { accountId, creditedMicros, claims }
  const { moved, isShort } = await settleClaims(
    tx,
    given,
    claims.filter(({ id }) => id === claimId),
  )
  return { outcome: moved ? 'adjusted' : 'noted', note, needsOperator: isShort }
}

/** Settles the `due` claims of the payment one after another. */
async function settleClaims(
  tx: Tx,
  {
    accountId,
    creditedMicros,
    claims,
  }: { accountId: string; creditedMicros: bigint; claims: ClaimRow[] },
  due: readonly ClaimRow[],
): Promise<{ moved: boolean; isShort: boolean }> {
  if (due.length === 0) return { moved: false, isShort: false }
  let balance: LockedBalance = await lockBalance(tx, accountId)
  let known = claims
  let moved = false
  for (const claim of due) {
    const entry = settleClaim({ balance, creditedMicros, claims: known }, claim)
    if (entry === null) continue
    const reference = `${claim.kind}:${claim.id}:${claim.moves + 1}`
    const reason = `${claim.kind} ${claim.id}: ${claim.status}`
    balance = await appendEntries(tx, balance, [
      { entry, posting: { reference, jobId: null, reason } },
    ])
    await addClaimMove(tx, claim.id, -entry.postedMicros)
    const takenMicros = claim.takenMicros - entry.postedMicros
    known = known.map((one) => (one.id === claim.id ? { ...one, takenMicros } : one))
    moved = true
  }
  const isShort = known.some(
    (claim) => due.some(({ id }) => id === claim.id) && shortfall(claim) > 0n,
  )
  return { moved, isShort }
}

// Refunds and disputes with what could not be taken back, and payment events that were refused.

/** A claim; `missingMicros` is what the account no longer had when it was to be taken back. */
export type ClaimReport = ReportedClaim & { missingMicros: bigint }

/** Returns the latest claims and events, at most `limit` of each. */
export async function readClaims(
  db: Db,
  limit: number,
): Promise<{ claims: ClaimReport[]; refused: Awaited<ReturnType<typeof listRefusedEvents>> }> {
  const claims = await listReportedClaims(db, limit)
  return {
    claims: claims.map((claim) => ({ ...claim, missingMicros: shortfall(claim) })),
    refused: await listRefusedEvents(db, limit),
  }
}

/** Payments: what an event of the provider means for the books, and which claims are open. */
import { transact } from '../../kit/postgres/database.ts'
import {
  type PaymentEffect,
  type PaymentEvent,
  settleClaim,
  shortfall,
} from '../../model/money/payment-effect.ts'
import { dollars } from '../../model/money/money.ts'
import { findAccount } from '../../store/accounts.ts'
import type { Db, Tx } from '../../store/database.ts'
import {
  appendEntries,
  lockBalance,
  type LockedBalance,
  lockLivingBalance,
} from '../../store/ledger.ts'
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

/** Effect of an event; `needsOperator` is true where money is missing, or could not be placed. */
type TakenEvent = {
  outcome: EventOutcome | 'repeated'
  note: string
  needsOperator: boolean
}

/**
 * Takes an event of the payment service, all or nothing: credits a payment, or adjusts for a refund or dispute. Safe to
 * repeat: the same event, or another one about the same payment or claim, changes nothing.
 */
export function takeEvent(db: Db, event: PaymentEvent): Promise<TakenEvent> {
  return transact(db, async (tx) => {
    if (!(await insertEvent(tx, event))) {
      return { outcome: 'repeated', note: 'the event was taken before', needsOperator: false }
    }
    const taken = await applyEffect(tx, event.effect)
    await setEventOutcome(tx, event.id, taken)
    return taken
  })
}

type Taken = TakenEvent & { outcome: EventOutcome }

function refusedEvent(note: string): Taken {
  return { outcome: 'refused', note, needsOperator: true }
}

function noted(note: string): Taken {
  return { outcome: 'noted', note, needsOperator: false }
}

function applyEffect(tx: Tx, effect: PaymentEffect): Promise<Taken> | Taken {
  switch (effect.kind) {
    case 'paid':
      return takePaid(tx, effect)
    case 'claimed':
      return takeClaim(tx, effect)
    case 'ignored':
      return { outcome: 'ignored', note: effect.note, needsOperator: false }
    case 'refused':
      return refusedEvent(effect.note)
    default:
      return effect satisfies never
  }
}

async function takePaid(tx: Tx, effect: PaymentEffect & { kind: 'paid' }): Promise<Taken> {
  const { paymentId, checkoutId, accountId, micros } = effect
  const payment = await lockPayment(tx, paymentId)
  if (payment.accountId !== null) return noted(`payment ${paymentId} was credited before`)
  const credit = { accountId, micros, reference: `checkout:${checkoutId}`, reason: null }
  if ((await addCredit(tx, credit)) === null) {
    const since = (await findAccount(tx, accountId))?.id === accountId ? ' any more' : ''
    const sum = dollars(micros)
    return refusedEvent(
      `payment ${paymentId} of ${sum} names an account that is not here${since}: ${accountId}; pay it back`,
    )
  }
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
  if (!isNewer) return noted(`${note}; something newer is known`)
  const { accountId, creditedMicros } = payment
  if (accountId === null) return noted(`${note}; the payment is not credited (yet)`)

  const claims = await listClaims(tx, paymentId)
  const due = claims.filter(({ id }) => id === claimId)
  const settled = await settleClaims(tx, { accountId, creditedMicros, claims }, due)
  const { moved, isShort, owedMicros } = settled
  if (owedMicros > 0n) {
    const sum = dollars(owedMicros)
    return refusedEvent(
      `${note}: ${sum} would return to ${accountId}, which is deleted; pay them back`,
    )
  }
  return { outcome: moved ? 'adjusted' : 'noted', note, needsOperator: isShort }
}

/**
 * Settles the `due` claims of the payment one after another. `owedMicros` is what would return to an account that is
 * deleted, and does not.
 */
async function settleClaims(
  tx: Tx,
  paid: { accountId: string; creditedMicros: bigint; claims: ClaimRow[] },
  due: readonly ClaimRow[],
): Promise<{ moved: boolean; isShort: boolean; owedMicros: bigint }> {
  if (due.length === 0) return { moved: false, isShort: false, owedMicros: 0n }
  const { accountId, creditedMicros } = paid
  const living = await lockLivingBalance(tx, accountId)
  let balance: LockedBalance = living ?? (await lockBalance(tx, accountId))
  let known = paid.claims
  let moved = false
  let owedMicros = 0n
  for (const claim of due) {
    const entry = settleClaim(balance, { creditedMicros, claims: known }, claim)
    if (entry === null) continue
    if (living === null && entry.postedMicros > 0n) {
      owedMicros += entry.postedMicros
      continue
    }
    const reference = `${claim.kind}:${claim.id}:${claim.moves + 1}`
    const reason = `${claim.kind} ${claim.id}: ${claim.status}`
    const posting = { reference, jobId: null, reason }
    balance = await appendEntries(tx, balance, [{ entry, posting }])
    await addClaimMove(tx, claim.id, -entry.postedMicros)
    const takenMicros = claim.takenMicros - entry.postedMicros
    known = known.map((one) => (one.id === claim.id ? { ...one, takenMicros } : one))
    moved = true
  }
  const isShort = known.some(
    (claim) => due.some(({ id }) => id === claim.id) && shortfall(claim) > 0n,
  )
  return { moved, isShort, owedMicros }
}

/** A claim; `missingMicros` is what the account no longer had when it was to be taken back. */
type ClaimReport = ReportedClaim & { missingMicros: bigint }

/** Returns the latest refunds and disputes, and events that were refused, at most `limit` of each. */
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

/**
 * The ledger: every movement of an account's money, append-only, in micros (millionths of a USD).
 *
 * An entry is a pair of deltas: to what the account owns (posted) and to what is set aside (held).
 * A balance is the sum of entries, nothing else moves money, and posted - held is never negative.
 *
 *     kind      posted   held
 *     top_up      +n       0     a payment or a grant arrived
 *     adjust      ±n       0     a correction, refund or dispute, with its reason; stops at zero
 *     reserve      0      +n     a job was accepted: the cost of its maxVideos is set aside
 *     charge      -n      -n     it became final: what it delivered is paid, once
 *     release      0      -n     in the same commit: the rest of its reserve returns
 *
 * The entries of an account form a chain: each holds a hash of itself and of the one before, so
 * that an entry changed, removed or moved later shows. 0002-billing.sql repeats the table and the
 * floor as constraints.
 */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { cost } from './money.ts'

export const ENTRY_KINDS = ['top_up', 'adjust', 'reserve', 'charge', 'release'] as const

/** The chain's head before an account's first entry: 64 zeros. */
export const CHAIN_START = '0'.repeat(64)

type EntryKind = (typeof ENTRY_KINDS)[number]
export type Balance = { postedMicros: bigint; heldMicros: bigint }
export type Entry = Balance & { kind: EntryKind }
type Settlement = { chargedMicros: bigint; entries: Entry[] }

/** An entry with why and when it was made. */
type DatedEntry = Entry & {
  /** The reference is unique over all entries (`charge:<jobId>`), so that none is posted twice. */
  reference: string
  /** The operator's words; null for what a job or a payment caused by itself. */
  reason: string | null
  /** The instant in whole milliseconds; the database must keep it as it was hashed. */
  createdAt: Date
}

/** An entry as it is written down, for its account. All of it is under the chain's hash. */
export type WrittenEntry = DatedEntry & { accountId: string }

/** An entry as it stands in the books: its number, from 1, and its place in the account's chain. */
export type LedgerEntry = DatedEntry & {
  number: bigint
  jobId: string | null
  previousHash: string
  hash: string
}

/** Returns what may still be reserved, in micros; the wire calls it `balance`. */
export function available(balance: Balance): bigint {
  return balance.postedMicros - balance.heldMicros
}

/** Returns the balance after an entry. An entry that would take it below zero is a bug of ours. */
export function post(balance: Balance, entry: Entry): Balance {
  const next = {
    postedMicros: balance.postedMicros + entry.postedMicros,
    heldMicros: balance.heldMicros + entry.heldMicros,
  }
  assert(next.heldMicros >= 0n, 'nothing below zero is set aside')
  assert(available(next) >= 0n, 'the available balance is never negative')
  return next
}

export function topUp(micros: bigint): Entry {
  assert(micros > 0n, 'a top-up adds money')
  return { kind: 'top_up', postedMicros: micros, heldMicros: 0n }
}

/**
 * Corrects what the account owns by `micros`, up or down. A correction down stops where nothing more is available: what
 * running jobs set aside stays theirs. Returns null where nothing is left to take; where the entry takes less than
 * asked, the difference is the operator's loss to look into.
 */
export function adjust(balance: Balance, micros: bigint): Entry | null {
  assert(micros !== 0n, 'an adjustment moves money')
  const floor = -available(balance)
  const postedMicros = micros < floor ? floor : micros
  return postedMicros === 0n ? null : { kind: 'adjust', postedMicros, heldMicros: 0n }
}

/** Sets the cost of `maxVideos` transcripts aside, or returns null where the balance is short. */
export function reserve(balance: Balance, maxVideos: number): Entry | null {
  assert(maxVideos > 0, 'a job takes at least one video')
  const micros = cost(maxVideos)
  if (micros > available(balance)) return null
  return { kind: 'reserve', postedMicros: 0n, heldMicros: micros }
}

/** Empties a job's reserve: pays what was delivered, returns the rest; writes no entry of zero. */
export function settle(reservedMicros: bigint, delivered: number): Settlement {
  const chargedMicros = cost(delivered)
  const restMicros = reservedMicros - chargedMicros
  assert(restMicros >= 0n, 'a job never costs more than it reserved')

  const entries: Entry[] = [
    { kind: 'charge', postedMicros: -chargedMicros, heldMicros: -chargedMicros },
    { kind: 'release', postedMicros: 0n, heldMicros: -restMicros },
  ]
  return { chargedMicros, entries: entries.filter((entry) => entry.heldMicros !== 0n) }
}

/**
 * Returns the chain's head after `entry`, given the head before it: SHA-256 in lower-case hex over a JSON array of
 * strings, which no other entry can spell. Every reader of the entries can repeat it.
 */
export function chain(head: string, entry: WrittenEntry): string {
  const canonical = JSON.stringify([
    head,
    entry.accountId,
    entry.kind,
    entry.postedMicros.toString(),
    entry.heldMicros.toString(),
    entry.reference,
    entry.reason,
    entry.createdAt.toISOString(),
  ])
  return hash('sha256', canonical)
}

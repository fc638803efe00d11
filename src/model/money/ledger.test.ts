/** The ledger's decisions case by case, and the chain that shows a later edit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  adjust,
  available,
  type Balance,
  chain,
  CHAIN_START,
  type Entry,
  ENTRY_KINDS,
  post,
  reserve,
  settle,
  topUp,
  type WrittenEntry,
} from './ledger.ts'
import { isSeedFixed } from '../../../test/support/seed.ts'

const EMPTY: Balance = { postedMicros: 0n, heldMicros: 0n }

test('a reserve is the cost of maxVideos, or nothing where the balance is short', () => {
  const cases: [{ posted: bigint; held: bigint; maxVideos: number }, bigint | null][] = [
    [{ posted: 8_000n, held: 0n, maxVideos: 1 }, 8_000n],
    [{ posted: 7_999n, held: 0n, maxVideos: 1 }, null],
    [{ posted: 4_000_000n, held: 0n, maxVideos: 500 }, 4_000_000n],
    [{ posted: 4_000_000n, held: 1n, maxVideos: 500 }, null],
    [{ posted: 16_000n, held: 8_000n, maxVideos: 1 }, 8_000n],
    [{ posted: 0n, held: 0n, maxVideos: 1 }, null],
  ]
  for (const [{ posted, held, maxVideos }, micros] of cases) {
    const entry = reserve({ postedMicros: posted, heldMicros: held }, maxVideos)
    const expected = { kind: 'reserve', postedMicros: 0n, heldMicros: micros }
    assert.deepEqual(entry, micros === null ? null : expected)
  }
  assert.throws(() => reserve({ postedMicros: 8_000n, heldMicros: 0n }, 0))
})

test('a settlement charges what was delivered and releases the rest, with no entry of zero', () => {
  assert.deepEqual(settle(24_000n, 2), {
    chargedMicros: 16_000n,
    entries: [
      { kind: 'charge', postedMicros: -16_000n, heldMicros: -16_000n },
      { kind: 'release', postedMicros: 0n, heldMicros: -8_000n },
    ],
  })
  assert.deepEqual(settle(24_000n, 0), {
    chargedMicros: 0n,
    entries: [{ kind: 'release', postedMicros: 0n, heldMicros: -24_000n }],
  })
  assert.deepEqual(settle(24_000n, 3), {
    chargedMicros: 24_000n,
    entries: [{ kind: 'charge', postedMicros: -24_000n, heldMicros: -24_000n }],
  })
  assert.throws(() => settle(24_000n, 4), /never costs more/)
})

test('an adjustment stops at zero and never takes what a running job has set aside', () => {
  const cases: [{ posted: bigint; held: bigint; micros: bigint }, bigint | null][] = [
    [{ posted: 10n, held: 0n, micros: -4n }, -4n],
    [{ posted: 10n, held: 0n, micros: -10n }, -10n],
    [{ posted: 10n, held: 0n, micros: -11n }, -10n],
    [{ posted: 10n, held: 7n, micros: -11n }, -3n],
    [{ posted: 10n, held: 10n, micros: -1n }, null],
    [{ posted: 0n, held: 0n, micros: 5n }, 5n],
  ]
  for (const [{ posted, held, micros }, moved] of cases) {
    const entry = adjust({ postedMicros: posted, heldMicros: held }, micros)
    const expected = { kind: 'adjust', postedMicros: moved, heldMicros: 0n }
    assert.deepEqual(entry, moved === null ? null : expected)
  }
  assert.throws(() => adjust(EMPTY, 0n))
})

test('a top-up adds money, and an entry below the floor is refused', () => {
  assert.deepEqual(topUp(5n), { kind: 'top_up', postedMicros: 5n, heldMicros: 0n })
  assert.throws(() => topUp(0n))
  assert.throws(() => topUp(-1n))
  assert.throws(() => post(EMPTY, { kind: 'reserve', postedMicros: 0n, heldMicros: 1n }))
  assert.throws(() => post(EMPTY, { kind: 'release', postedMicros: 0n, heldMicros: -1n }))
})

test('however money moves, the balance is the sum of its entries and never below zero', () => {
  const act = fc.oneof(
    fc.record({ kind: fc.constant('top_up' as const), micros: fc.bigInt(1n, 100_000n) }),
    fc.record({
      kind: fc.constant('adjust' as const),
      micros: fc.bigInt(-100_000n, 100_000n).filter((micros) => micros !== 0n),
    }),
    fc.record({ kind: fc.constant('job' as const), maxVideos: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ kind: fc.constant('end' as const), delivered: fc.integer({ min: 0, max: 9 }) }),
  )
  const reached = { short: 0, stoppedAtZero: 0, settled: 0 }
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const running: { heldMicros: bigint; maxVideos: number }[] = []
      const written: Entry[] = []
      let balance = EMPTY
      const write = (entry: Entry) => {
        written.push(entry)
        balance = post(balance, entry)
      }
      for (const step of acts) {
        if (step.kind === 'top_up') write(topUp(step.micros))
        if (step.kind === 'adjust') {
          const entry = adjust(balance, step.micros)
          if (entry !== null) write(entry)
          if (entry?.postedMicros !== step.micros) reached.stoppedAtZero += 1
        }
        if (step.kind === 'job') {
          const entry = reserve(balance, step.maxVideos)
          if (entry === null) reached.short += 1
          else {
            write(entry)
            running.push({ heldMicros: entry.heldMicros, maxVideos: step.maxVideos })
          }
        }
        const job = step.kind === 'end' ? running.shift() : undefined
        if (step.kind === 'end' && job !== undefined) {
          const ownedBefore = balance.postedMicros
          const delivered = Math.min(step.delivered, job.maxVideos)
          const settlement = settle(job.heldMicros, delivered)
          settlement.entries.forEach(write)
          assert.equal(ownedBefore - balance.postedMicros, settlement.chargedMicros)
          reached.settled += 1
        }
        assert(available(balance) >= 0n)
        assert.equal(balance.postedMicros, sum(written.map((entry) => entry.postedMicros)))
        assert.equal(balance.heldMicros, sum(running.map((one) => one.heldMicros)))
      }
    }),
  )
  if (isSeedFixed)
    for (const [name, count] of Object.entries(reached)) assert(count > 0, `${name} never happened`)
})

const FIRST: WrittenEntry = {
  ...topUp(10_000_000n),
  accountId: 'a1',
  reference: 'credit:1',
  reason: 'welcome',
  createdAt: new Date('2026-11-20T11:00:00.000Z'),
}

test('the chain of an entry can be repeated by anybody from its written form', () => {
  // The expected hash was made with sha256sum over
  // ["000…","a1","top_up","10000000","0","credit:1","welcome","2026-…Z"].
  assert.equal(
    chain(CHAIN_START, FIRST),
    'cadab41b862ed7ae77d680b8c854a8b8228b5fec6e20ade68bba9c92a26cb070',
  )
})

test('an entry changed in any part, moved, or removed changes the head of the chain', () => {
  const second: WrittenEntry = { ...FIRST, reference: 'credit:2', reason: null }
  const heads = [
    chain(chain(CHAIN_START, FIRST), second),
    chain(chain(CHAIN_START, second), FIRST),
    chain(CHAIN_START, FIRST),
    chain(CHAIN_START, second),
    chain(CHAIN_START, { ...FIRST, accountId: 'a2' }),
    ...ENTRY_KINDS.slice(1).map((kind) => chain(CHAIN_START, { ...FIRST, kind })),
    chain(CHAIN_START, { ...FIRST, postedMicros: 10_000_001n }),
    chain(CHAIN_START, { ...FIRST, heldMicros: 1n }),
    chain(CHAIN_START, { ...FIRST, reason: null }),
    chain(CHAIN_START, { ...FIRST, reason: 'null' }),
    chain(CHAIN_START, { ...FIRST, createdAt: new Date('2026-11-20T11:00:00.001Z') }),
    // Parts that run into each other must not make two entries look alike.
    chain(CHAIN_START, { ...FIRST, reference: 'credit:1","welcome', reason: '' }),
  ]
  assert.equal(new Set(heads).size, heads.length)
})

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}

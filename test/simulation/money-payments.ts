/** Money that comes in, in the simulation: top-ups, payments and their refunds and disputes, and crashes on the way. */
import fc from 'fast-check'
import { addCredit } from '../../src/features/money/balance.ts'
import { isUniqueViolation, transact } from '../../src/kit/postgres/database.ts'
import type { Crash } from '../support/crashing-database.ts'
import * as model from './money-model.ts'
import { command } from './money-stories.ts'
import { act, count, OWNED, takeModelEvent } from './money-world.ts'

/** Number above the statements of any act: a crash there does not happen. */
const STATEMENTS_MAX = 14

const account = fc.nat({ max: OWNED.length - 1 })
export const crash: fc.Arbitrary<Crash | null> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  {
    weight: 2,
    arbitrary: fc.record({
      at: fc.oneof(fc.integer({ min: 1, max: STATEMENTS_MAX }), fc.constant('commit' as const)),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
)
export const topUps = fc
  .record({
    account,
    crash,
    micros: fc.integer({ min: 1, max: 6 * model.PRICE }),
    reference: fc.nat({ max: 4 }),
  })
  .map((given) =>
    command('topUp', given, (world, { account, crash, micros, reference }) => {
      const name = `r${world.run}:${reference}`
      return act(
        world,
        crash,
        (db) =>
          transact(db, (tx) =>
            addCredit(tx, {
              accountId: world.accounts[account]!,
              micros: BigInt(micros),
              reference: name,
              reason: null,
            }),
          ).catch((error: unknown) => {
            if (!isUniqueViolation(error, 'ledger_entry_reference')) throw error
          }),
        () => model.topUp(world.model, account, micros, name),
      )
    }),
  )

/** Account and amount are fixed for a payment; its event may come again at any time. */
const paid = fc
  .record({ payment: fc.nat({ max: 4 }), copy: fc.nat({ max: 1 }) })
  .map(({ payment, copy }): model.ModelEvent => ({
    kind: 'paid',
    id: `paid${payment}-${copy}`,
    payment,
    account: payment % OWNED.length,
    micros: (payment + 1) * 3 * model.PRICE + payment,
  }))
const claimed = fc
  .record({ payment: fc.nat({ max: 4 }), claim: fc.nat({ max: 1 }), at: fc.nat({ max: 3 }) })
  .map(({ payment, claim, at }): model.ModelEvent => ({
    kind: 'claim',
    id: `claim${payment}-${claim}-${at}`,
    payment,
    claim: `re${payment}-${claim}`,
    at,
    asked: at % 2 === 0 ? (payment + 1) * 2 * model.PRICE : 0,
  }))

export const webhook = fc
  .record({ event: fc.oneof(paid, claimed), crash, times: fc.constantFrom(1, 1, 3) })
  .map((given) =>
    command('webhook', given, (world, { event, crash, times }) =>
      act(
        world,
        times === 1 ? crash : null,
        (db) => Promise.all(Array.from({ length: times }, () => takeModelEvent(world, db, event))),
        () => {
          for (let again = 1; again < times; again += 1) count(world, 'webhookAtOnce')
          return model.applyEvent(world.model, event)
        },
      ),
    ),
  )

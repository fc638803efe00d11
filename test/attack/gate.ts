/**
 * The attacks of the gate, by the file that tries them: at least one of each class, without floods, crowds and
 * measures.
 */
import { after, test } from 'node:test'
import { type Attack, CLASSES } from './attack.ts'
import { APPS } from './attacks/apps.ts'
import { BRAKES } from './attacks/brakes.ts'
import { CIRCLES_OF_ROWS } from './attacks/circles.ts'
import { DELETED_TEXTS } from './attacks/deleted-texts.ts'
import { EVERY_FIELD } from './attacks/every-field.ts'
import { FOREIGN_READS } from './attacks/foreign-reads.ts'
import { FREE_WORK } from './attacks/free-work.ts'
import { GIVEN_ONCE } from './attacks/given-once.ts'
import { GROWTH } from './attacks/growth.ts'
import { HTTP } from './attacks/http.ts'
import { KEYS } from './attacks/keys.ts'
import { MONEY_RACES } from './attacks/money-races.ts'
import { OVERLAPPING_ORDERS } from './attacks/overlapping-orders.ts'
import { PLAIN_HTTP } from './attacks/plain-http.ts'
import { READERS } from './attacks/readers.ts'
import { REQUEST_FORGERIES } from './attacks/request-forgeries.ts'
import { SIGN_IN_ROUTES } from './attacks/sign-in-routes.ts'
import { SIGN_IN } from './attacks/sign-in.ts'
import { SMUGGLING } from './attacks/smuggling.ts'
import { STALLS } from './attacks/stalls.ts'
import { STRIPE_FORGERIES } from './attacks/stripe-forgeries.ts'
import { TABLES } from './attacks/tables.ts'
import { UNSTORABLE } from './attacks/unstorable.ts'
import { runAttacks } from './run-attacks.ts'

/** The gate's attacks: none of the night's is among them, and their files know no clock. */
export const CLOCKLESS: readonly Attack[] = [
  ...STALLS,
  ...UNSTORABLE,
  ...EVERY_FIELD,
  ...READERS,
  ...SIGN_IN,
  ...SIGN_IN_ROUTES,
  ...FREE_WORK,
  ...GIVEN_ONCE,
  ...GROWTH,
  ...CIRCLES_OF_ROWS,
  ...HTTP,
  ...KEYS,
  ...PLAIN_HTTP,
  ...APPS,
  ...FOREIGN_READS,
  ...DELETED_TEXTS,
  ...REQUEST_FORGERIES,
  ...MONEY_RACES,
  ...OVERLAPPING_ORDERS,
  ...SMUGGLING,
  ...STRIPE_FORGERIES,
  ...BRAKES,
  ...TABLES,
]

export type GatePart = Exclude<keyof typeof CLASSES, 'night'>

export function attacksOfGate(part: GatePart): Attack[] {
  const classes: readonly string[] = CLASSES[part]
  return CLOCKLESS.filter((attack) => attack.isInGate === true && classes.includes(attack.class))
}

/** Adds one test for each of the part's attacks. */
export function tryAttacksOf(part: GatePart): void {
  test(`no known attack on ${part} succeeds`, async (t) => {
    for await (const { name, failure } of runAttacks({ after }, attacksOfGate(part))) {
      await t.test(name, () => {
        if (failure !== null) throw failure
      })
    }
  })
}

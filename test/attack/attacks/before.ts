/** Attacks of an earlier penetration test that did not get in, and are to stay outside. */
import type { Attack } from '../attack.ts'
import { FOREIGN_READS } from './foreign-reads.ts'
import { MONEY_RACES } from './money-races.ts'
import { REQUEST_FORGERIES } from './request-forgeries.ts'
import { SMUGGLING } from './smuggling.ts'
import { STRIPE_FORGERIES } from './stripe-forgeries.ts'

export const BEFORE: readonly Attack[] = [
  ...FOREIGN_READS,
  ...REQUEST_FORGERIES,
  ...MONEY_RACES,
  ...SMUGGLING,
  ...STRIPE_FORGERIES,
]

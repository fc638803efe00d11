/** All attacks: those of the gate, whose files know no clock, and those of the night. */
import type { Attack } from '../attack.ts'
import { CLOCKLESS } from '../gate.ts'
import { BATCH_ORDERS } from './batch-orders.ts'
import { FAIRNESS } from './fairness.ts'
import { KEY_FLOODS } from './key-floods.ts'
import { LARGE_CUSTOMERS } from './large-customers.ts'
import { SIGN_IN_FLOODS } from './sign-in-floods.ts'
import { STORED_TEXTS } from './stored-texts.ts'

export const ATTACKS: readonly Attack[] = [
  ...CLOCKLESS,
  ...SIGN_IN_FLOODS,
  ...FAIRNESS,
  ...KEY_FLOODS,
  ...STORED_TEXTS,
  ...LARGE_CUSTOMERS,
  ...BATCH_ORDERS,
]

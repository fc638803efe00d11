/** Every rule of the kit, in the order in which they are checked. */
import { accessRules } from './rules/access.ts'
import { accountRules } from './rules/account.ts'
import { bodyRules } from './rules/bodies.ts'
import { cancelRules } from './rules/cancelling.ts'
import { descriptionRules } from './rules/description.ts'
import { edgeRules } from './rules/edges.ts'
import { fieldRules } from './rules/fields.ts'
import { fileRules } from './rules/files.ts'
import { idempotencyRules } from './rules/idempotency.ts'
import { jobRules } from './rules/jobs.ts'
import { listRules } from './rules/lists.ts'
import { orderRules } from './rules/order.ts'
import { rateRules } from './rules/rate.ts'
import { reckoningRules } from './rules/reckoning.ts'
import { resultRules } from './rules/results.ts'
import { waitingRules } from './rules/waiting.ts'
import { wireRules } from './rules/wire.ts'
import type { Rule } from './rule.ts'

export const RULES: readonly Rule[] = [
  ...descriptionRules,
  ...accessRules,
  ...edgeRules,
  ...wireRules,
  ...bodyRules,
  ...fieldRules,
  ...orderRules,
  ...jobRules,
  ...idempotencyRules,
  ...resultRules,
  ...fileRules,
  ...listRules,
  ...waitingRules,
  ...cancelRules,
  ...accountRules,
  ...rateRules,
  ...reckoningRules,
]

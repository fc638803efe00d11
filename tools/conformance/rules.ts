/** Every rule of the kit, in the order in which they are checked. */
import { accessRules } from './rules/access.ts'
import { accountRules } from './rules/account.ts'
import { bodyRules } from './rules/bodies.ts'
import { clientRules } from './rules/client.ts'
import { closedRules } from './rules/closed.ts'
import { cancelRules } from './rules/cancelling.ts'
import { descriptionRules } from './rules/description.ts'
import { eventRules } from './rules/events.ts'
import { httpRules } from './rules/http.ts'
import { fieldRules } from './rules/fields.ts'
import { fileRules } from './rules/files.ts'
import { idempotencyRules } from './rules/idempotency.ts'
import { jobRules } from './rules/jobs.ts'
import { libraryRules } from './rules/library.ts'
import { listRules } from './rules/lists.ts'
import { orderRules } from './rules/order.ts'
import { previewRules } from './rules/previews.ts'
import { rateRules } from './rules/rate.ts'
import { reckoningRules } from './rules/reckoning.ts'
import { resultRules } from './rules/results.ts'
import { searchRules } from './rules/search.ts'
import { waitingRules } from './rules/waiting.ts'
import { subscriptionRules } from './rules/subscriptions.ts'
import { webhookRules } from './rules/webhooks.ts'
import { wordRules } from './rules/words.ts'
import { wireRules } from './rules/wire.ts'
import type { Rule } from './rule.ts'

export const RULES: readonly Rule[] = [
  ...descriptionRules,
  ...closedRules,
  ...accessRules,
  ...httpRules,
  ...wireRules,
  ...bodyRules,
  ...fieldRules,
  ...orderRules,
  ...jobRules,
  ...idempotencyRules,
  ...resultRules,
  ...fileRules,
  ...searchRules,
  ...libraryRules,
  ...listRules,
  ...waitingRules,
  ...eventRules,
  ...cancelRules,
  ...previewRules,
  ...subscriptionRules,
  ...webhookRules,
  ...wordRules,
  ...accountRules,
  ...clientRules,
  ...rateRules,
  ...reckoningRules,
]

/** Calls of hand-written SQL about webhooks. */
import type { Db, Tx } from '../../src/store/database.ts'
import * as deliveries from '../../src/store/webhook-deliveries.ts'
import * as log from '../../src/store/webhook-log.ts'
import * as mails from '../../src/store/mails.ts'
import * as webhooks from '../../src/store/webhooks.ts'

const [accountId, webhookId, deliveryId] = ['account', 'webhook', 'delivery']
const at = new Date(0)
const claim = { deliveryId, number: 1 }
const result = {
  startedAt: at,
  durationMs: 1,
  url: 'u',
  outcome: 'refused',
  status: 500,
  error: null,
  reply: 'r',
} as const
const owned = { accountId, webhookId }
const page = { webhookId, attemptsMax: 1, offset: 0, limit: 1 }

export const WEBHOOK_CALLS: ((given: { db: Db; tx: Tx }) => Promise<unknown>)[] = [
  ({ tx }) =>
    webhooks.insertWebhook(tx, { id: webhookId, accountId, url: 'u', events: [], secret: 's' }),
  ({ db }) => webhooks.listWebhooks(db, accountId),
  ({ db }) => webhooks.findWebhook(db, owned),
  ({ tx }) => webhooks.findWebhook(tx, owned, 'locked'),
  ({ tx }) => webhooks.lockActive(tx, [webhookId]),
  ({ tx }) => webhooks.markSuccess(tx, webhookId),
  ({ db }) => webhooks.hasJobMail(db, accountId),
  ({ db }) => webhooks.insertJobMail(db, { id: webhookId, accountId, events: [] }),
  ({ db }) => webhooks.deleteJobMail(db, accountId),
  ({ tx }) => webhooks.updateWebhook(tx, owned, { url: null, events: null, isActive: null }),
  ({ tx }) => webhooks.disableWebhooksSince(tx, { accountId, since: new Date() }),
  ({ tx }) => webhooks.replaceSecret(tx, owned, { secret: 's', overlapSeconds: 1 }),
  ({ tx }) => webhooks.markFailure(tx, webhookId),
  ({ tx }) => webhooks.disableWebhook(tx, webhookId, 'gone'),
  ({ db }) => mails.claimMail(db),
  ({ tx }) => mails.insertMail(tx, { to: 'a', sealed: 's' }),
  ({ db }) => mails.deleteMail(db, 1n),
  ({ tx }) => mails.deleteMailsTo(tx, 'a'),
  ({ tx }) => webhooks.deleteWebhook(tx, owned),

  ({ tx }) => webhooks.receiversOfEvents(tx, { accountId, types: ['subscription.found'] }),
  ({ tx }) =>
    deliveries.insertSubscriptionDeliveries(tx, [{ webhookId, type: 'subscription.found' }], {}),
  ({ tx }) => deliveries.insertTest(tx, webhookId),
  ({ db }) => deliveries.findDue(db, { perWebhook: 4, max: 1 }),
  ({ tx }) =>
    deliveries.claimDeliveries(tx, {
      webhookIds: [webhookId],
      perWebhook: 4,
      max: 1,
      leaseSeconds: 1,
    }),
  ({ db }) => deliveries.clampDue(db, { retrySeconds: [5], leaseSeconds: 1 }),
  ({ tx }) => deliveries.recordAttempt(tx, claim, result, 5),
  ({ db }) => deliveries.giveBack(db, claim),
  ({ tx }) => deliveries.replayDelivery(tx, { webhookId, deliveryId }),
  ({ tx }) => deliveries.replaySince(tx, { webhookId, since: at, max: 1 }),

  ({ db }) => log.listDeliveries(db, { ...page, deliveryId: null }),
  ({ db }) => log.listDeliveries(db, { ...page, deliveryId }),
  ({ db }) => log.countDeliveries(db, webhookId),
  ({ db }) => log.observeDeliveries(db, { perWebhook: 4 }),
]

/** Tables of what goes on by itself for an account: followed lists, webhooks, and what it uses of the service. */
import { OF_ACCOUNT, eachOf, per, type PeoplesTable } from './entry.ts'

const LISTED = { not: 'the API lists it as long as it is kept' }
const WITH_SUBSCRIPTION = {
  path: { column: 'subscription_id', of: 'subscription' },
  erased: { with: 'subscription' },
} as const

export const TABLES_OF_WATCHING = {
  subscription: {
    writers: 'subscriptions',
    holds: 'followed channels and playlists',
    ...OF_ACCOUNT,
    columns: { plain: 'url_set_hash' },
    exported: 'rows',
    grows: per('account', 'followed channels and playlists', 'variables.SUBSCRIPTIONS_PER_ACCOUNT'),
  },
  subscription_video: {
    writers: 'subscription-jobs',
    holds: 'new videos of followed lists',
    ...WITH_SUBSCRIPTION,
    exported: 'rows',
    grows: eachOf(
      'subscription',
      'new videos that wait, and those that were ordered, which are paid for or tried again for some days',
      'subscription.WAITING_VIDEOS_MAX',
    ),
  },
  subscription_job: {
    writers: 'subscription-jobs',
    holds: 'which jobs followed lists started',
    ...WITH_SUBSCRIPTION,
    exported: 'rows',
    grows: eachOf('job', 'one for each job that it started'),
  },
  subscription_mail: {
    writers: 'mails',
    holds: 'what was mailed about followed lists',
    ...WITH_SUBSCRIPTION,
    exported: { not: 'the state of what is followed says the same' },
    grows: eachOf('subscription', 'two, since each is told once'),
  },
  // The secrets are sealed; the key is a setting, or made from sign_in_secret, which is left out.
  webhook: {
    writers: 'webhooks',
    holds: 'addresses that are called or mailed when a job ends',
    ...OF_ACCOUNT,
    columns: { kept_secret: 'secret old_secret', plain: 'old_secret_until' },
    exported: 'rows',
    grows: per('account', 'addresses, and one for mails', 'limits.webhooksMax'),
  },
  webhook_delivery: {
    writers: 'webhook-deliveries final-state',
    holds: 'what was sent to webhooks',
    path: { column: 'webhook_id', of: 'webhook' },
    goesAfter: 'limits.deliveriesKeptDays',
    swept: 'created_at',
    erased: 'by_account',
    exported: LISTED,
    grows: eachOf(
      'job',
      'one of each webhook for a job, and tests, until they are forgotten',
      'limits.webhooksMax',
      'limits.deliveriesKeptDays',
      'attempts.WEBHOOK_TESTS.size',
      'attempts.WEBHOOK_TESTS.everySeconds',
    ),
  },
  webhook_attempt: {
    writers: 'webhook-deliveries',
    holds: 'how each sending to a webhook ended',
    path: { column: 'delivery_id', of: 'webhook_delivery' },
    erased: { with: 'webhook_delivery' },
    exported: LISTED,
    grows: eachOf(
      'webhook_delivery',
      'eight for each round of a delivery, and rounds that are asked for',
      'attempts.REPLAYS.size',
      'attempts.REPLAYS.everySeconds',
    ),
  },
  account_usage: {
    writers: 'account-usage',
    holds: 'counts of requests and bytes by day',
    ...OF_ACCOUNT,
    exported: 'rows',
    grows: per('day', 'one a day'),
  },
  egress_suspicion: {
    writers: 'egress-routes',
    holds: 'videos whose answer looked like a block',
    ...OF_ACCOUNT,
    exported: { not: 'what the service’s routes met, under the account’s number' },
    grows: eachOf('video_row', 'one for each video whose answer looked like a block'),
  },
} satisfies Record<string, PeoplesTable>

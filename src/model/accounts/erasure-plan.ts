/**
 * What becomes of an account's rows when it is deleted: every table is named here once. A table that is not named fails
 * a test, so that no decision is forgotten; features/backup/plan.ts does the same for backups.
 */

export const ERASURE_PLAN = {
  /** Tables whose rows are deleted in the commit that ends the access, since the account loses its address. */
  atOnce: ['sign_in_user', 'sign_in_verification', 'sign_up'],
  /** Tables whose rows are deleted by `job_id`, a few jobs at a time; tables that others refer to come last. */
  ofJobs: ['transcript_form', 'transcript_body', 'transcript', 'video_row', 'job_source'],
  /** Tables whose rows are deleted by a condition on the account `$1`, in this order, before the rows of jobs. */
  ofAccount: {
    project_video: 'account_id = $1',
    project: 'account_id = $1',
    collection_video: 'account_id = $1',
    collection: 'account_id = $1',
    history: 'account_id = $1',
    list_bookmark: 'account_id = $1',
    publish_date: 'account_id = $1',
    account_usage: 'account_id = $1',
    egress_suspicion: 'account_id = $1',
    webhook_delivery: 'webhook_id in (select id from webhook where account_id = $1)',
    webhook: 'account_id = $1',
    preview: 'account_id = $1',
    preview_page: 'account_id = $1',
    subscription: 'account_id = $1',
    batch: 'account_id = $1',
    operator: 'account_id = $1',
    api_key: 'account_id = $1',
  },
  /** Tables treated likewise, but after the jobs, which refer to them until they are stripped. */
  afterJobs: { app_connection: 'account_id = $1' },
  /** Tables whose rows the database deletes with the row that they belong to. */
  withAnother: {
    address_change: 'sign_in_user',
    sign_in_session: 'sign_in_user',
    sign_in_method: 'sign_in_user',
    sign_in_passkey: 'sign_in_user',
    operator_proof: 'operator',
    webhook_attempt: 'webhook_delivery',
    subscription_video: 'subscription',
    subscription_job: 'subscription',
    subscription_mail: 'subscription',
    oauth_grant: 'app_connection',
    oauth_code: 'oauth_grant',
    oauth_refresh_token: 'oauth_grant',
    device_login: 'oauth_grant',
  },
  /** Tables whose rows stay without personal data; the statements of their files in `store` name the columns. */
  stripped: ['account', 'job'],
  /** Tables whose rows stay, each with the reason. */
  kept: {
    balance: 'sums of the ledger, under an id that names nobody',
    ledger_entry: 'the books: kept for ever, and their chain would break',
    payment: 'what the payment service calls a payment: its records and the ledger refer to it',
    payment_claim: 'refunds and disputes of payments, which may go on',
    operator_act: 'who suspended, cancelled or deleted, and why',
    service_day: 'sums of the whole service by day',
    incident: 'when something was wrong for everybody',
    payment_event: 'what the payment service told, by its own ids',
    given_once:
      'what a mailbox was given, under a keyed hash, for two years: otherwise it would be given again',
    mailbox_key: 'of the installation',
    free_calls:
      'counts of a day under a random name, forgotten within eight days: otherwise they would begin again',
    rate_bucket: 'limits by id, network or hash of an address, forgotten within two hours',
    attempt_bucket: 'serves processes of the release before; as rate_bucket',
    mail: 'emails that wait to be sent: those to the address go with the account',
    channel_name: 'what the platform said of channels, within the hour, for all accounts',
    list_copy: 'what the platform said of lists, within the hour, for all accounts',
    list_page: 'what the platform said of lists, within the hour, for all accounts',
    egress_route: 'the state of the routes',
    retired_client: 'apps of the platform',
    oauth_client: 'apps, as they call themselves: of all accounts',
    video_details: 'what the platform says of videos, whoever asked',
    verdict_share: 'how often the platform gave each answer, whoever asked',
    verdict_hour: 'the same by hour',
    signing_key: 'earlier receipts still have to be checked',
    sign_in_secret: 'of the installation',
    migration: 'the schema',
    schema_change: 'the schema',
  },
}

export type ErasurePlan = typeof ERASURE_PLAN

/**
 * What each table says of people, in words for the documents of docs/legal, and the time after which its rows go by
 * themselves, by the constant that holds it.
 */

/** `time` names a number of days or seconds: a file, and a constant in it or a field of one (`NAME.field`). */
export type Kept = {
  holds: string
  time?: [file: string, constant: string, unit: 'days' | 'seconds']
}

const LIMITS = 'src/kit/config/limits.ts'
const LISTS = 'src/features/jobs/lists.ts'
const OAUTH = 'src/model/oauth/authorization.ts'

export const KEPT_DATA: Record<string, Kept> = {
  // Whoever signs in.
  account: { holds: 'the email address; when it was opened, suspended, deleted' },
  sign_in_user: { holds: 'the email address, and when it was confirmed' },
  sign_in_method: { holds: 'the hash of the password, or the identity at a provider' },
  sign_in_passkey: { holds: 'public keys of passkeys, with the names that their owner gave them' },
  sign_in_session: {
    holds: 'when, from which network address and with which browser somebody signed in',
    time: ['src/features/accounts/better-auth.ts', 'SESSION_SECONDS', 'seconds'],
  },
  sign_in_verification: {
    holds: 'hashes of mailed links',
    time: [LIMITS, 'mailedLinkSeconds', 'seconds'],
  },
  sign_up: {
    holds: 'the address of somebody who has not confirmed it yet, and the hash of their password',
    time: [LIMITS, 'mailedLinkSeconds', 'seconds'],
  },
  address_change: {
    holds: 'the address before and after a change, so that it can be undone',
    time: [LIMITS, 'addressUndoSeconds', 'seconds'],
  },
  operator: { holds: 'that the account is an operator’s' },
  operator_proof: { holds: 'that an operator proved a second factor in a session' },
  mail: { holds: 'emails that wait to be sent: address and text, until they are sent' },

  // Keys, apps, webhooks.
  api_key: { holds: 'names and hashes of keys, and when they were used last' },
  app_connection: { holds: 'which app may do what' },
  oauth_grant: { holds: 'one consent to an app' },
  oauth_code: { holds: 'the hash of a code that an app exchanges within minutes' },
  oauth_refresh_token: {
    holds: 'hashes of tokens of apps',
    time: [OAUTH, 'refreshTokenSeconds', 'seconds'],
  },
  device_login: {
    holds: 'codes typed on another device',
    time: [OAUTH, 'deviceLoginSeconds', 'seconds'],
  },
  webhook: { holds: 'addresses that are called or mailed when a job ends' },
  webhook_delivery: { holds: 'what was sent there', time: [LIMITS, 'deliveriesKeptDays', 'days'] },
  webhook_attempt: { holds: 'how each sending ended' },

  // What was ordered, and what came of it.
  job: { holds: 'what was ordered: settings, name and note, counts and charge' },
  job_source: { holds: 'the lines that were pasted' },
  video_row: { holds: 'one ordered video: address, title, what became of it' },
  transcript: { holds: 'length and checksums of a text, its language and its source' },
  transcript_body: { holds: 'the words of a text and their times' },
  transcript_form: { holds: 'lengths of its files' },
  history: { holds: 'which videos of a list were tried' },
  list_bookmark: {
    holds: 'how far a list was read',
    time: [LISTS, 'BOOKMARK_SECONDS', 'seconds'],
  },
  publish_date: {
    holds: 'dates of videos that were asked for',
    time: [LISTS, 'PUBLISH_DATE_SECONDS', 'seconds'],
  },
  collection: { holds: 'channels and playlists of which the account has texts' },
  collection_video: { holds: 'which videos belong to them' },
  project: { holds: 'collections of the account’s own: name, note, tags' },
  project_video: { holds: 'which videos are in them' },
  batch: { holds: 'long orders: lines, name, limits' },
  subscription: { holds: 'followed channels and playlists' },
  subscription_video: { holds: 'new videos of them' },
  subscription_job: { holds: 'which jobs they started' },
  subscription_mail: { holds: 'what was mailed about them' },
  preview: { holds: 'the lines of a preview', time: [LIMITS, 'previewSeconds', 'seconds'] },
  preview_page: { holds: 'the videos that it found', time: [LIMITS, 'previewSeconds', 'seconds'] },
  account_usage: { holds: 'counts of requests and bytes by day' },
  egress_suspicion: { holds: 'videos whose answer looked like a block' },

  // Money.
  balance: { holds: 'sums of the ledger' },
  ledger_entry: { holds: 'every movement of money, by the account’s number' },
  payment: { holds: 'amount and number of each payment' },
  payment_claim: { holds: 'refunds and disputes' },
  payment_event: { holds: 'what the payment service told' },

  // Against abuse.
  given_once: {
    holds: 'a keyed hash of the mailbox that had welcome credit',
    time: ['src/features/accounts/given-once.ts', 'MAILBOX_KEPT_DAYS', 'days'],
  },
  free_calls: { holds: 'free calls of a day', time: [LISTS, 'FREE_CALLS_KEPT_DAYS', 'days'] },
  rate_bucket: {
    holds: 'limits by key, network or hash of an address',
    time: ['src/store/rate-buckets.ts', 'BUCKETS_KEPT_SECONDS', 'seconds'],
  },
  operator_act: { holds: 'what operators did to an account, and why' },
}

/** Tables that say nothing of anybody: of the installation, the platform and the service as a whole. */
export const OF_NOBODY = [
  'attempt_bucket',
  'channel_name',
  'egress_route',
  'incident',
  'list_copy',
  'list_page',
  'mailbox_key',
  'migration',
  'oauth_client',
  'retired_client',
  'schema_change',
  'service_day',
  'sign_in_secret',
  'signing_key',
  'verdict_hour',
  'verdict_share',
  'video_details',
]

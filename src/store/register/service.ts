/** Tables of money, which stay, and of the service, its platform and its limits. */
import { BY_ACCOUNT, bounded, eachOf, per, type PeoplesTable, type TableEntry } from './entry.ts'

const SCHEMA = {
  backup: { none: 'the target has its own' },
  erased: { kept: 'the schema' },
  grows: bounded('the schema'),
}
const OF_LISTS = { kept: 'what the platform said of lists, within the hour, for all accounts' }

const TABLES_OF_MONEY = {
  balance: {
    writers: 'ledger',
    holds: 'sums of the ledger',
    path: BY_ACCOUNT,
    erased: { kept: 'sums of the ledger, under an id that names nobody' },
    exported: 'rows',
    grows: per('account', 'one'),
  },
  ledger_entry: {
    writers: 'ledger',
    holds: 'every movement of money, by the account’s number',
    path: BY_ACCOUNT,
    columns: { plain: 'hash previous_hash' },
    erased: { kept: 'the books: kept for ever, and their chain would break' },
    exported: { in: 'statement.csv' },
    grows: eachOf('job', 'reserve, charge and release of a job; others are payments'),
  },
  payment: {
    writers: 'payments',
    holds: 'amount and number of each payment',
    path: BY_ACCOUNT,
    erased: {
      kept: 'what the payment service calls a payment: its records and the ledger refer to it',
    },
    exported: 'rows',
    grows: per('money', 'one for each payment'),
  },
  payment_claim: {
    writers: 'payments',
    holds: 'refunds and disputes',
    path: { column: 'payment_id', of: 'payment' },
    erased: { kept: 'refunds and disputes of payments, which may go on' },
    exported: 'rows',
    grows: bounded('made by events of the payment service'),
  },
  payment_event: {
    writers: 'payments',
    holds: 'what the payment service told',
    path: null,
    erased: { kept: 'what the payment service told, by its own ids' },
    exported: { not: 'what moved money is in statement.csv and in the rows of payments' },
    grows: bounded('made by events of the payment service'),
  },
} satisfies Record<string, PeoplesTable>

const TABLES_OF_LIMITS = {
  given_once: {
    writers: 'given-once',
    holds: 'a keyed hash of the mailbox that had welcome credit',
    path: { column: 'beneficiary', of: 'account', key: 'beneficiary' },
    columns: { kept_secret: 'mailbox_hash' },
    goesAfter: 'givenOnce.MAILBOX_KEPT_DAYS',
    erased: {
      kept: 'what a mailbox was given, under a keyed hash: otherwise it would be given again',
    },
    exported: 'rows',
    grows: eachOf('sign_in_user', 'one for each mailbox'),
  },
  free_calls: {
    writers: 'free-calls',
    holds: 'free calls of a day',
    path: { column: 'account_id', of: 'account', key: 'coalesce(beneficiary, id)' },
    goesAfter: 'lists.FREE_CALLS_KEPT_DAYS',
    erased: {
      kept: 'counts of a day under a random name, soon forgotten: otherwise they would begin again',
    },
    exported: 'rows',
    grows: per('day', 'one a day, until it is forgotten', 'lists.FREE_CALLS_KEPT_DAYS'),
  },
  rate_bucket: {
    writers: 'rate-buckets authentication',
    holds: 'limits by key, network or hash of an address',
    path: null,
    columns: { plain: 'tokens' },
    goesAfter: 'buckets.BUCKETS_KEPT_SECONDS',
    erased: { kept: 'limits by id, network or hash of an address, soon forgotten' },
    exported: { not: 'counts of the last requests, soon forgotten' },
    grows: per('account', 'one for each limit, until some time after it is full'),
  },
  lost_entry: {
    writers: 'timelines',
    holds: 'movements of money that a failover of the database lost',
    path: BY_ACCOUNT,
    columns: { plain: 'hash' },
    erased: { kept: 'what was lost of the books, by numbers that name nobody' },
    exported: { not: 'it is not in the books any more; what was made good is in statement.csv' },
    grows: per('process', 'what one remembers, at a failover', 'limits.toldEntries'),
  },
  operator_act: {
    writers: 'operators',
    holds: 'what operators did to an account, and why',
    path: BY_ACCOUNT,
    erased: { kept: 'who suspended, cancelled or deleted, and why' },
    exported: { not: 'it names operators; what concerns money has its reason in statement.csv' },
    grows: bounded('made by operators'),
  },
} satisfies Record<string, PeoplesTable>

/** Tables that say nothing of anybody. */
const TABLES_OF_NOBODY = {
  channel_name: {
    writers: 'list-copies',
    columns: { plain: 'path_hash' },
    swept: 'asked_at',
    erased: { kept: 'what the platform said of channels, within the hour, for all accounts' },
    grows: per(
      'day',
      'one for each call, until it is forgotten',
      'variables.FREE_CALLS_PER_DAY',
      'variables.FREE_CALLS_PER_USD',
    ),
  },
  list_copy: {
    writers: 'list-copies',
    columns: { plain: 'list_key' },
    erased: OF_LISTS,
    grows: per(
      'process',
      'bytes of pages, until they are forgotten',
      'lists.LIST_COPIES_BYTES',
      'limits.listCopySeconds',
    ),
  },
  list_page: {
    writers: 'list-copies',
    erased: OF_LISTS,
    grows: eachOf('list_copy', 'one for each page'),
  },
  video_details: {
    writers: 'record',
    erased: { kept: 'what the platform says of videos, whoever asked' },
    grows: eachOf('video_row', 'one for each video that anybody was told of'),
  },
  spoilt_pack: {
    writers: 'text-packs',
    backup: { none: 'they hold the words themselves' },
    erased: { kept: 'which packs hold deleted texts, until they are removed' },
    grows: eachOf('packed_text', 'one for each pack, until its other texts are in another one'),
  },
  text_store: {
    writers: 'text-packs',
    backup: { none: 'each database has a folder of its own' },
    erased: { kept: 'of the installation' },
    grows: bounded('one'),
  },
  egress_route: {
    writers: 'egress-routes',
    erased: { kept: 'the state of the routes' },
    grows: bounded('one for each route of the settings'),
  },
  egress_captions: {
    writers: 'egress-captions',
    erased: { kept: 'counts of the routes, whoever asked' },
    grows: bounded('one for each route of the settings and hour of a day'),
  },
  egress_identity: {
    writers: 'egress-routes',
    backup: { none: 'the platform gives new ones at the next question' },
    erased: { kept: 'guests of the platform, whoever asked' },
    grows: bounded('one for each route and app of the settings'),
  },
  retired_client: {
    writers: 'platform-state',
    backup: { none: 'workers notice it again within two videos' },
    erased: { kept: 'apps of the platform' },
    grows: bounded('made by answers of the platform'),
  },
  verdict_share: {
    writers: 'verdict-shares',
    backup: {
      none: 'what the platform answered in the last days; it is learnt again within some hundred videos',
    },
    erased: { kept: 'how often the platform gave each answer, whoever asked' },
    grows: bounded('one for each answer and day, kept for a week'),
  },
  verdict_hour: {
    writers: 'verdict-shares',
    swept: 'hour',
    backup: { none: 'what the platform answered in the last day; drawn for operators' },
    erased: { kept: 'the same by hour' },
    grows: bounded('one for each answer and hour'),
  },
  service_day: {
    writers: 'service-days',
    erased: { kept: 'sums of the whole service by day' },
    grows: bounded('one a day'),
  },
  incident: {
    writers: 'incidents',
    swept: 'ended_at',
    erased: { kept: 'when something was wrong for everybody' },
    grows: bounded('made by faults of the service'),
  },
  database_timeline: {
    writers: 'timelines',
    erased: { kept: 'the servers of the database, and what their failovers lost' },
    grows: bounded('one for each failover'),
  },
  operator_mail: {
    writers: 'operator-mails',
    swept: 'day',
    backup: { none: 'an alert that lasts is mailed again' },
    erased: { kept: 'of which alerts operators were told, by day' },
    grows: bounded('one for each alert and day'),
  },
  canary: {
    writers: 'canary',
    backup: { none: 'the canary asks again' },
    erased: { kept: 'what the platform answered to well-known cases' },
    grows: bounded('one'),
  },
  oauth_client: {
    writers: 'oauth-clients',
    erased: { kept: 'apps, as they call themselves: of all accounts' },
    grows: eachOf('app_connection', 'one for each connected app'),
  },
  signing_key: {
    writers: 'receipts',
    columns: { plain: 'public_key', kept_secret: 'private_key' },
    erased: { kept: 'earlier receipts still have to be checked' },
    grows: bounded('one for each key of the settings'),
  },
  sign_in_secret: {
    writers: 'sign-in',
    columns: { secret: 'secret' },
    backup: {
      none: 'signs cookies and links; each database makes its own, so that no earlier ones are valid',
    },
    erased: { kept: 'of the installation' },
    grows: bounded('one'),
  },
  // Without it nobody would be recognised after a restore; the addresses of accounts are in the file anyway.
  mailbox_key: {
    writers: 'given-once',
    columns: { kept_secret: 'key' },
    erased: { kept: 'of the installation' },
    grows: bounded('one'),
  },
  attempt_bucket: {
    writers: '',
    erased: { kept: 'serves processes of the release before; as rate_bucket' },
    grows: bounded('served the release before'),
  },
  migration: { writers: '', ...SCHEMA },
  schema_change: { writers: 'migrate', ...SCHEMA },
} satisfies Record<string, TableEntry>

export const TABLES_OF_SERVICE = {
  ...TABLES_OF_MONEY,
  ...TABLES_OF_LIMITS,
  ...TABLES_OF_NOBODY,
}

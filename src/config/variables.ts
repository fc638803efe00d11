/**
 * The environment variables that are settings, each with its unit, default and bounds. docs/operating.md lists them and
 * is written from here.
 */
import {
  FIRST_RUN_SETTINGS,
  KEEPING_SETTINGS,
  MAIL_SETTINGS,
  PREVIEW_SETTINGS,
  SITE_SETTINGS,
  WATCHING_SETTINGS,
} from './service-variables.ts'
import { databaseAddress } from '../kit/postgres/address.ts'
import {
  address,
  base64Key,
  choice,
  flag,
  networks,
  origins,
  secret,
  type Setting,
  text,
  whole,
  words,
} from '../kit/settings.ts'

export const ROLES = ['api', 'worker'] as const
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export const SETTINGS = {
  PORT: whole('Port of the API and the website.', {
    unit: 'a TCP port; 0 picks a free one',
    default: 8080,
    range: [0, 65_535],
  }),
  HOST: text('Address to listen on.', {
    unit: 'an IP address or host name',
    default: '127.0.0.1',
    pattern: /^[\w.:-]+$/,
  }),
  PUBLIC_URL: address(
    'Address under which customers reach this server; links start with it. Passkeys need a name, not an IP address.',
    'http://localhost:PORT',
  ),
  DATA_DIR: text('Folder of the embedded database and of the search indexes.', {
    unit: 'a path',
    default: './data',
  }),
  SEARCH_INDEX_MB: whole(
    'Disk that one process uses for search indexes in DATA_DIR/library; those used longest ago are deleted, and made again when somebody searches.',
    { unit: 'megabytes', default: 4_096, range: [1, 1_000_000] },
  ),
  DATABASE_URL: databaseAddress(
    'An external PostgreSQL (15 to 18) instead of the embedded one, with one host or several, and parameters as libpq has them; write sslmode=verify-full where its certificate is to be checked.',
  ),
  ROLES: words('What this process does: answer callers, run jobs, or both.', {
    default: ['api', 'worker'],
    of: ROLES,
  }),
  LOG_LEVEL: choice('What is logged.', { default: 'info', of: LOG_LEVELS }),
  LOG_FORMAT: choice('How: as lines of text or of JSON; auto is text on a terminal alone.', {
    default: 'auto',
    of: ['auto', 'text', 'json'],
  }),
  PLATFORM_ORIGIN: address(
    'Where all platform requests go instead of to the real platform; for tests and the emulator.',
    'the platform',
  ),
  PLATFORM_CLIENTS: text(
    'Client profiles that replace the built-in ones: a file, read again within five seconds when it changes, or an https address with a signature beside it, asked every hour.',
    { unit: 'a path or an https URL' },
  ),
  PLATFORM_CLIENTS_KEY: text(
    'Public Ed25519 key by which the profiles at that address are signed.',
    {
      unit: '32 bytes in base64',
      pattern: /^[\w+/-]{43}=?$/,
    },
  ),
  PLATFORM_FIELD_MASKS: flag(
    'Request only the fields we read from the platform; a process that finds them refused, or captions missing, asks without them by itself.',
    true,
  ),
  PO_TOKEN_URL: address(
    'Provider of tokens of proof, asked where the platform wants one before it gives captions out: `POST …/get_pot`.',
    'none',
  ),
  PUBLISH_DATES: choice(
    'When to request the exact publish date: for every video, or only when date bounds need it.',
    { default: 'always', of: ['always', 'bounds'] },
  ),
  EGRESS_ROUTES: secret(
    'Egress routes to the platform: `direct` and proxies, with their rates.',
    'a list of routes, see “Egress routes”',
  ),
  DATABASE_POOL: whole('The most database connections that one process opens.', {
    unit: 'connections',
    default: 12,
    range: [2, 200],
  }),
  DATABASE_PATIENCE: whole(
    'How many times longer than usual (5 seconds for a connection, a statement and a lock, 8 for a silent server) the database may take, and answers may wait for search, passwords and the like: for slow disks and machines.',
    { unit: 'times', default: 1, range: [1, 60] },
  ),
  MAX_ACTIVE_JOBS: whole(
    'Jobs running and waiting in all processes together, divided equally among the accounts at work: each may have at least one and at most half of them; beyond its share, an account gets server_busy. Accounts that brought much less do not count.',
    { unit: 'jobs', default: 100, range: [1, 100_000] },
  ),
  WORKER_JOBS: whole(
    'Jobs that one worker process runs at once. One account gets at most half, and less while others wait.',
    { unit: 'jobs', default: 24, range: [1, 1_000] },
  ),
  WORKER_VIDEOS: whole(
    'Videos that one worker process fetches at once, divided fairly among its jobs.',
    { unit: 'videos', default: 64, range: [1, 1_000] },
  ),
  JOB_VIDEOS: whole('Videos of one job that are fetched at once.', {
    unit: 'videos',
    default: 16,
    range: [1, 1_000],
  }),
  JOB_TIME_LIMIT: whole('How long a job may take before it ends as interrupted.', {
    unit: 'seconds',
    default: 21_600,
    range: [1, 604_800],
  }),
  JOB_ATTEMPTS: whole(
    'Attempts in a row that a job may lose to crashed workers without any progress before it ends as interrupted; also how many videos that crash workers it may leave out.',
    { unit: 'attempts', default: 5, range: [1, 1_000] },
  ),
  FREE_CALLS_PER_DAY: whole(
    'Platform calls per day (UTC) that an account may cause without paying for a transcript; accounts of one mailbox use up the same ones.',
    { unit: 'calls', default: 500, range: [0, 1_000_000] },
  ),
  FREE_CALLS_PER_USD: whole(
    'Further free platform calls per day for each USD that the account has ever paid in.',
    { unit: 'calls', default: 250, range: [0, 1_000_000] },
  ),
  ...PREVIEW_SETTINGS,
  HEALTH_PORT: whole(
    'Port for /healthz, /readyz and /metrics in a process without the role api; 0 for none.',
    { unit: 'a TCP port', default: 0, range: [0, 65_535] },
  ),
  METRICS_TOKEN: secret(
    'Bearer token required by /metrics; without it, only direct requests from this machine are answered.',
    'a text',
  ),
  DOWNLOAD_STALL: whole(
    'How long a client may read almost nothing of a response before its connection is closed.',
    { unit: 'seconds', default: 60, range: [1, 3_600] },
  ),
  EVENT_STREAMS: whole(
    'Event streams that one account may have open in one API process; further ones are answered 429.',
    { unit: 'streams', default: 50, range: [1, 5_000] },
  ),
  STOP_GRACE: whole(
    'How long a stopping process waits for requests and rows in progress before it hands its jobs back.',
    { unit: 'seconds', default: 10, range: [0, 600] },
  ),
  STOP_NOTICE: whole(
    'How long a stopping process still accepts requests while /readyz is 503; set it longer than the interval at which a load balancer checks /readyz.',
    { unit: 'seconds', default: 1, range: [0, 600] },
  ),
  ...KEEPING_SETTINGS,
  ...SITE_SETTINGS,
  RECEIPT_SIGNING_KEY: base64Key(
    'Key that signs receipts; without it, one is created and kept in the database.',
    { unit: 'an Ed25519 seed: 32 bytes in base64', defaultText: 'a key kept in the database' },
  ),
  STRIPE_SECRET_KEY: secret(
    'Lets customers top up with Stripe Checkout; without it, the website says how to get credit otherwise.',
    "Stripe's secret key",
  ),
  STRIPE_WEBHOOK_SECRET: secret(
    'Proves that an event at /webhooks/stripe is from Stripe; required with STRIPE_SECRET_KEY.',
    "the endpoint's signing secret",
  ),
  STRIPE_API_ORIGIN: address(
    "Address used instead of Stripe's own API; for tests.",
    'https://api.stripe.com',
  ),
  TOP_UP_AMOUNTS: text('Amounts that customers can choose from for a top-up.', {
    unit: 'USD, comma-separated, whole cents',
    default: '10,25,50,100',
    pattern: /^[1-9]\d{0,4}(\.\d\d)?(,[1-9]\d{0,4}(\.\d\d)?){0,7}$/,
    form: 'one to eight amounts of USD from 1 to 99999 such as 10,25,50',
  }),
  WEBHOOK_ALLOW_PRIVATE: flag(
    'Allow webhooks and the documents of apps at loopback and private addresses, on any port: only where every account is trusted with the network of the service.',
    false,
  ),
  WEBHOOK_SECRET_KEY: base64Key(
    'Key that seals the secrets of webhooks in the database; without it, one made from a secret in the database, which backups leave out.',
    { unit: '32 bytes in base64', defaultText: 'a key made from the database’s own secret' },
  ),
  SUBSCRIPTIONS_PER_ACCOUNT: whole('Channels and playlists that one account may follow.', {
    unit: 'subscriptions',
    default: 1_000,
    range: [0, 100_000],
  }),
  SIGN_UP: choice(
    'Who may sign up on the website: anybody, or only people for whose address an operator has created an account.',
    { default: 'open', of: ['open', 'closed'] },
  ),
  ...FIRST_RUN_SETTINGS,
  DEMO_URL: address(
    'Where `npm run demo` leads from the pictures of the first page to its own library; for nothing else.',
    'none',
  ),
  WELCOME_CREDIT_USD: text(
    'Credit for an account created by signing up on the website, given once to a mailbox: not again after a deletion.',
    {
      unit: 'USD',
      default: '0',
      form: 'a plain amount of USD such as 0.5',
      pattern: /^(0|[1-9]\d{0,3})(\.\d{1,6})?$/,
    },
  ),
  TRUSTED_PROXIES: networks(
    'Reverse proxies whose X-Forwarded-For is trusted; visitors are limited by the address it names, and connections from these proxies are not limited.',
  ),
  MCP_ORIGINS: origins(
    'Origins of web pages that may call /mcp besides those of PUBLIC_URL and of loopback: an agent that runs in a browser. `*` lets all in. Programs send no origin and need none.',
  ),
  ...MAIL_SETTINGS,
  ...WATCHING_SETTINGS,
  OIDC_ISSUER: address('Issuer address of an OpenID Connect provider for sign-in.', 'none'),
  OIDC_NAME: text("Label of that provider's sign-in button.", {
    unit: 'a name',
    default: 'Single sign-on',
  }),
  OIDC_CLIENT_ID: text('Client id at that provider.', { unit: 'a text' }),
  OIDC_CLIENT_SECRET: secret('Client secret at that provider.', 'a text'),
} satisfies Record<string, Setting<unknown>>

/**
 * The environment's variables that are settings: each with its unit, default and bounds.
 * docs/operating.md lists them, written from here.
 */
import { address, choice, flag, secret, type Setting, text, whole, words } from '../settings.ts'

export const ROLES = ['api', 'worker'] as const
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export const SETTINGS = {
  PORT: whole({
    about: 'Port of the API and the website.',
    unit: 'a TCP port; 0 picks a free one',
    default: 8080,
    min: 0,
    max: 65_535,
  }),
  HOST: text({
    about: 'Address to listen on.',
    unit: 'an IP address or host name',
    default: '127.0.0.1',
    pattern: /^[\w.:-]+$/,
  }),
  PUBLIC_URL: address({
    about:
      'Address under which customers reach this server; links start with it. Passkeys need a name, not an IP address.',
    default: null,
    defaultText: 'http://localhost:PORT',
  }),
  DATA_DIR: text({ about: 'Folder of the embedded database.', unit: 'a path', default: './data' }),
  DATABASE_URL: secret({
    about: 'An external PostgreSQL (15 to 18) instead of the embedded one.',
    unit: 'a postgres:// URL',
  }),
  ROLES: words({
    about: 'What this process does: answer callers, run jobs, or both.',
    unit: '',
    default: ['api', 'worker'],
    of: ROLES,
  }),
  LOG_LEVEL: choice({ about: 'What is logged.', unit: '', default: 'info', of: LOG_LEVELS }),
  PLATFORM_ORIGIN: address({
    about:
      'Where every platform request goes instead of the real platform; for tests and the stand-in.',
    default: null,
    defaultText: 'the platform',
  }),
  PLATFORM_CLIENTS: text({
    about: 'File with client profiles that replace the built-in ones.',
    unit: 'a path',
    default: null,
  }),
  PLATFORM_FIELD_MASKS: flag({
    about: 'Ask the platform only for the fields we read; switch off if it stops honouring masks.',
    default: true,
  }),
  PUBLISH_DATES: choice({
    about:
      'When the exact publish date is asked for: for every video, or only when date bounds need it.',
    unit: '',
    default: 'always',
    of: ['always', 'bounds'],
  }),
  EGRESS_ROUTES: secret({
    about: 'Ways out to the platform: `direct` and proxies, with their rates.',
    unit: 'a list of routes, see egress routes',
  }),
  DATABASE_POOL: whole({
    about: 'Connections to the database a process opens at most.',
    unit: 'connections',
    default: 12,
    min: 2,
    max: 200,
  }),
  MAX_ACTIVE_JOBS: whole({
    about:
      'Jobs running and waiting over all processes, in equal shares for the accounts at work: each at least one job, at most half of all; beyond its share server_busy.',
    unit: 'jobs',
    default: 100,
    min: 1,
    max: 100_000,
  }),
  WORKER_JOBS: whole({
    about:
      'Jobs one worker process runs at once; a quarter more for the moment in which some give up their places to others. One account holds at most half, and less while others wait.',
    unit: 'jobs',
    default: 24,
    min: 1,
    max: 1_000,
  }),
  WORKER_VIDEOS: whole({
    about: 'Videos one worker process fetches at once, shared fairly by its jobs.',
    unit: 'videos',
    default: 64,
    min: 1,
    max: 1_000,
  }),
  JOB_VIDEOS: whole({
    about: 'Videos of one job fetched at once.',
    unit: 'videos',
    default: 16,
    min: 1,
    max: 1_000,
  }),
  JOB_TIME_LIMIT: whole({
    about: 'How long a job may take before it ends as interrupted.',
    unit: 'seconds',
    default: 21_600,
    min: 1,
    max: 604_800,
  }),
  JOB_ATTEMPTS: whole({
    about: 'Attempts a job may lose (crashed workers) before it ends as interrupted.',
    unit: 'attempts',
    default: 5,
    min: 1,
    max: 1_000,
  }),
  FREE_CALLS_PER_DAY: whole({
    about: 'Platform calls a day (UTC) that each account may cause by listing without paying.',
    unit: 'calls',
    default: 500,
    min: 0,
    max: 1_000_000,
  }),
  FREE_CALLS_PER_USD: whole({
    about: 'Further ones for each USD that the account ever brought.',
    unit: 'calls',
    default: 250,
    min: 0,
    max: 1_000_000,
  }),
  HEALTH_PORT: whole({
    about: 'Port of /healthz, /readyz and /metrics of a process without the role api; 0 for none.',
    unit: 'a TCP port',
    default: 0,
    min: 0,
    max: 65_535,
  }),
  METRICS_TOKEN: secret({
    about:
      'Bearer token that /metrics asks for; without it only direct requests from this machine are answered.',
    unit: 'a text',
  }),
  DOWNLOAD_STALL: whole({
    about:
      'How long a client may take next to nothing of an answer before its connection is closed.',
    unit: 'seconds',
    default: 60,
    min: 1,
    max: 3_600,
  }),
  STOP_GRACE: whole({
    about: 'How long a stop waits for what is in flight before handing it back.',
    unit: 'seconds',
    default: 10,
    min: 0,
    max: 600,
  }),
  RECEIPT_SIGNING_KEY: secret({
    about: 'Signs receipts; without it one is made once and kept in the database.',
    unit: 'an Ed25519 seed: 32 bytes in base64',
  }),
  STRIPE_SECRET_KEY: secret({
    about:
      'Lets customers top up by Stripe Checkout; without it the website says how else to get credit.',
    unit: "Stripe's secret key",
  }),
  STRIPE_WEBHOOK_SECRET: secret({
    about:
      'Proves that an event at /webhooks/stripe is from Stripe; needed with STRIPE_SECRET_KEY.',
    unit: "the endpoint's signing secret",
  }),
  STRIPE_API_ORIGIN: address({
    about: 'Where Stripe is asked instead of its own address; for tests.',
    default: null,
    defaultText: 'https://api.stripe.com',
  }),
  TOP_UP_AMOUNTS: text({
    about: 'Amounts to choose from for a top-up.',
    unit: 'USD, comma-separated, whole cents',
    default: '10,25,50,100',
    pattern: /^[1-9]\d{0,4}(\.\d\d)?(,[1-9]\d{0,4}(\.\d\d)?){0,7}$/,
    form: 'one to eight amounts of USD from 1 to 99999 such as 10,25,50',
  }),
  SIGN_UP: choice({
    about:
      'Who may sign up at the website: anybody, or nobody but those an operator gave an account.',
    unit: '',
    default: 'open',
    of: ['open', 'closed'],
  }),
  WELCOME_CREDIT_USD: text({
    about: 'Credit of an account that is made by signing up at the website.',
    unit: 'USD',
    default: '0',
    form: 'a plain amount of USD such as 0.5',
    pattern: /^(0|[1-9]\d{0,3})(\.\d{1,6})?$/,
  }),
  TRUSTED_PROXIES: text({
    about:
      'Reverse proxies whose X-Forwarded-For is believed; visitors are limited by the address it names, and their own connections are not.',
    unit: 'a comma-separated list of addresses or ranges',
    default: null,
    pattern: /^[\da-fA-F.:/,\s]+$/,
  }),
  SMTP_URL: secret({
    about:
      'Mail server for verification and reset links; without it mails are written to MAIL_DIR.',
    unit: 'an smtp:// or smtps:// URL',
  }),
  MAIL_DIR: text({
    about: 'Folder that mails are written to without SMTP_URL, a file each, for this user only.',
    unit: 'a path',
    default: null,
    defaultText: 'DATA_DIR/mail',
  }),
  MAIL_FROM: text({
    about: 'Sender of the mails.',
    unit: 'a mail address',
    default: 'Scriptorium <no-reply@localhost>',
  }),
  OIDC_ISSUER: address({
    about: 'Sign-in by an OpenID Connect provider: its issuer address.',
    default: null,
    defaultText: 'none',
  }),
  OIDC_NAME: text({
    about: 'What the button of that provider says.',
    unit: 'a name',
    default: 'Single sign-on',
  }),
  OIDC_CLIENT_ID: text({ about: 'Client id at that provider.', unit: 'a text', default: null }),
  OIDC_CLIENT_SECRET: secret({ about: 'Client secret at that provider.', unit: 'a text' }),
} satisfies Record<string, Setting<unknown>>

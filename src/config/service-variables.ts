/**
 * Settings about what the service offers and who runs it: emails, previews, how long texts are kept, invoices, legal
 * pages, and the contact for vulnerabilities.
 */
import {
  ConfigError,
  decimal,
  flag,
  mailServer,
  secret,
  type Setting,
  text,
  whole,
} from '../kit/settings.ts'
import { objectStore } from '../kit/object-store.ts'

/** Settings of emails: the server through which they leave, or the folder in which they stay. */
export const MAIL_SETTINGS = {
  SMTP_URL: mailServer(
    'Mail server for confirmation and reset links; without it, emails are written to MAIL_DIR.',
  ),
  MAIL_DIR: text(
    'Folder for emails when SMTP_URL is not set: one file each, readable only by this user. Without the role api a process writes none.',
    { unit: 'a path', defaultText: 'DATA_DIR/mail' },
  ),
  MAIL_FROM: text('Sender of emails.', {
    unit: 'an email address',
    form: 'an email address, or a name with one: Transcripts <post@example.org>',
    default: 'Scriptorium <no-reply@localhost>',
    pattern: /^(?:[^<>@]{0,200}<[^<>@\s]{1,64}@[^<>@\s]{1,255}>|[^<>@\s]{1,64}@[^<>@\s]{1,255})$/,
  }),
}

/** Settings of what operators are told without asking. */
export const WATCHING_SETTINGS = {
  ALERT_MAILS: flag(
    'Mail every operator the alerts of docs/operating/alerts.yaml that need no history, each cause once a day (UTC); it takes accounts with the operator role.',
    true,
  ),
  CANARY_HOURS: decimal(
    'How often one of all workers asks the platform for ten well-known videos and lists, and mails the operators when the verdict changes; 0 never does.',
    { unit: 'hours', default: 0, range: [0, 8_760] },
  ),
}

/** Bounds of previews, and of trials: videos that visitors without an account have read on the first page. */
export const PREVIEW_SETTINGS = {
  PREVIEWS_PER_HOUR: whole(
    'Previews that an account, or all accounts of one mailbox, may start within an hour; the same one again within the hour is not counted.',
    { unit: 'previews', default: 30, range: [1, 100_000] },
  ),
  PREVIEW_PAGES: whole(
    'List pages of up to 100 videos that a preview reads; where it names more lists than this, the first page of each.',
    { unit: 'pages', default: 3, range: [1, 100] },
  ),
  TRIALS_PER_HOUR: whole(
    'Videos that visitors without an account may have read on the first page within any hour, all of them together; one that was read within the day is not counted again. 0 removes the box.',
    { unit: 'videos', default: 30, range: [0, 100_000] },
  ),
  TRIALS_PER_DAY: whole('The same within any 24 hours.', {
    unit: 'videos',
    default: 200,
    range: [1, 1_000_000],
  }),
}

/** The page that makes the first account. */
export const FIRST_RUN_SETTINGS = {
  FIRST_RUN: flag(
    'Let whoever starts the service in a terminal make its first account, the operator’s, by the link printed there: on this machine only, without a proxy in between, and never again once there is an account.',
    true,
  ),
}

/** How long texts and backups are kept, and whether the public sees each day's figures. */
export const KEEPING_SETTINGS = {
  RETENTION_DAYS: whole(
    'How long the texts of a final job are kept; its rows, report and receipt stay. 0 keeps them until their account is deleted.',
    { unit: 'days', default: 0, range: [0, 36_500] },
  ),
  WORD_TIMES: flag(
    'Keep when each word is said, where the platform publishes it with the captions: some 2 KB for a talk of twelve minutes. What was not kept cannot be had later without paying again.',
    true,
  ),
  TEXT_STORE: objectStore(
    'S3-compatible object store for the words of older texts, which then take little room in the database. Set it when every process runs this release, and for good: texts that lie there are read from there.',
  ),
  TEXT_STORE_AFTER: whole('How long after the end of a job its texts move to TEXT_STORE.', {
    unit: 'seconds',
    default: 3_600,
    range: [60, 31_536_000],
  }),
  AWS_ACCESS_KEY_ID: secret('Key of TEXT_STORE; required with it.', 'a text'),
  AWS_SECRET_ACCESS_KEY: secret('The secret of that key.', 'a text'),
  AWS_SESSION_TOKEN: secret('Token of a key for a session.', 'a text'),
  AWS_REGION: text('Region of TEXT_STORE, where its address names none.', {
    unit: 'a name',
    default: 'us-east-1',
    pattern: /^[\w-]+$/,
  }),
  BACKUP_DIR: text(
    'Folder of the backups: `account delete`, `storage` and the console name those in it that still hold deleted accounts.',
    { unit: 'a path' },
  ),
  BACKUP_DAYS: whole('How old a backup may become before it is named as one to be removed.', {
    unit: 'days',
    default: 30,
    range: [1, 36_500],
  }),
  STATUS_PAGE: flag(
    'Show at /status, to everybody, what was delivered and blocked on each of the last 90 days, median times and incidents: sums of the whole service.',
    true,
  ),
}

/** Settings of /.well-known/security.txt, which names the contact for vulnerabilities. */
const SECURITY_CONTACT_SETTINGS = {
  SECURITY_CONTACT: text(
    'Where to report a vulnerability, shown in /.well-known/security.txt, which does not exist without it.',
    {
      unit: 'a mailto: or https: address',
      pattern: /^(?:mailto:[\w.+-]{1,64}@[\w.-]{1,255}|https:\/\/[!-~]{1,500})$/,
    },
  ),
  SECURITY_EXPIRES: text(
    'Until when SECURITY_CONTACT is good; required with it. After that, security.txt is no longer served.',
    {
      unit: 'a date such as 2027-06-30, at most a year away',
      pattern: /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
    },
  ),
}

/** The uses that may be allowed or refused in robots.txt (contentsignals.org). */
const SIGNALS = ['search', 'ai-input', 'ai-train']
const SIGNAL_FORM = `a comma-separated list of ${SIGNALS.join(', ')}, each once, with =yes or =no`

const contentSignal: Setting<string | null> = {
  ...text(
    'What crawlers may use the public pages for, said in robots.txt as `Content-Signal`: `search=yes, ai-input=yes, ai-train=no`. Without it, nothing is said.',
    { unit: SIGNAL_FORM },
  ),
  parse(value) {
    const signals = value.split(',').map((signal) => signal.trim())
    const names = signals.map((signal) => signal.replace(/=(?:yes|no)$/, ''))
    const isKnown = names.every((name, at) => name !== signals[at] && SIGNALS.includes(name))
    if (isKnown && new Set(names).size === names.length) return signals.join(', ')
    throw new ConfigError(`must be ${SIGNAL_FORM}`)
  },
}

/** The characters that the built-in font of PDFs has: Windows-1252. */
const PRINTABLE = /^[ -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+$/
const WESTERN = { unit: 'text in Western European letters', pattern: PRINTABLE }

/** Who runs the service: the name and address on invoices, the legal pages, and the contact. */
export const SITE_SETTINGS = {
  OPERATOR_NAME: text(
    'Who runs this service, as invoices name them. Without it no invoices are offered.',
    { unit: 'a name in Western European letters', pattern: PRINTABLE, defaultText: 'no invoices' },
  ),
  OPERATOR_ADDRESS: text('Their postal address on invoices, its lines separated by `|`.', WESTERN),
  OPERATOR_TAX_ID: text(
    'Their tax number on invoices, with its name: `VAT ID DE123456789`.',
    WESTERN,
  ),
  INVOICE_NOTE: text('A sentence below the sum of each invoice, such as how it is taxed.', WESTERN),
  LEGAL_DIR: text(
    'Folder with `terms.md`, `privacy.md` and `imprint.md`: each that is there becomes a page of the website, linked on every page, and `accessibility.md` in place of the statement that is there. `docs/legal` has templates. Read at the start.',
    { unit: 'a path', defaultText: 'templates, marked as such' },
  ),
  ...SECURITY_CONTACT_SETTINGS,
  CONTENT_SIGNAL: contentSignal,
}

/**
 * The kinds of file in `src`, as data: what each may import. `scripts/check-imports.ts` refuses every
 * breach by name; ARCHITECTURE.md says why.
 *
 *     entry point ──▶ verb ──▶ table ──▶ postgres  noun: imported by all of them, imports nouns only
 *          └────────▶ platform ──▶ noun            settings (config, problem): imported by everybody
 */

export const KINDS = [
  /** Types and pure functions: no clock, chance, waiting, network or database. */
  'noun',
  /** One use case, most of them in one transaction; or a pure stream over what a table holds. */
  'verb',
  /** Renders, compresses, and reads captions: waits for zlib, but knows no clock, network or database. */
  'codec',
  /** SQL of one table, without decisions. */
  'table',
  /** Files derived from the store, on threads of their own. */
  'index',
  /** What the outside calls: HTTP routes, commands, the scrape of metrics. */
  'entry point',
  /** The worker: where what the platform said becomes what we record. Reads tables, writes by verbs only. */
  'engine',
  /** Opens everything and hands it on. */
  'wiring',
  /** The video platform: its wire and the ways out to it. */
  'platform',
  /** What any HTTP server of ours needs; knows no product. */
  'http',
  /** The pool, the embedded server, migrations, the queue: imports nothing of the product's rooms. */
  'postgres',
  /** Read by everybody, reads nobody. */
  'settings',
] as const

export type Kind = (typeof KINDS)[number]

/** Folders of one kind. */
const FOLDERS: Record<string, Kind> = {
  api: 'entry point',
  'account-api': 'entry point',
  admin: 'entry point',
  mcp: 'entry point',
  worker: 'engine',
  metrics: 'entry point',
  store: 'table',
  'search-index': 'index',
  platform: 'platform',
  http: 'http',
  postgres: 'postgres',
  backup: 'verb',
  operator: 'verb',
  lists: 'verb',
  config: 'settings',
  text: 'noun',
}

/** Files at the root of `src`. */
const ROOT_FILES: Record<string, Kind> = {
  'main.ts': 'wiring',
  'serve.ts': 'wiring',
  'ask-health.ts': 'wiring',
  'watch-readiness.ts': 'wiring',
  'context.ts': 'wiring',
  'platform-context.ts': 'wiring',
  'config.ts': 'settings',
  'settings.ts': 'settings',
  'problem.ts': 'settings',
  'cell.ts': 'noun',
  'yield-to-event-loop.ts': 'settings',
  'zlib-output.ts': 'settings',
}

/** In a folder of a feature a file is a verb if its name begins with one of these words, else a noun. */
const VERB_WORDS = [
  'authenticate',
  'begin',
  'cancel',
  'change',
  'claim',
  'confirm',
  'create',
  'delete',
  'deliver',
  'end',
  'erase',
  'export',
  'find',
  'finish',
  'estimate',
  'issue',
  'limit',
  'mark',
  'open',
  'plan',
  'read',
  'record',
  'recount',
  'release',
  'replay',
  'rescue',
  'resume',
  'revoke',
  'rotate',
  'send',
  'start',
  'stop',
  'suspend',
  'sweep',
  'take',
  'top',
  'verify',
  'wait',
  'watch',
]

/** Verbs by another name: what opens something, waits for someone, or streams what a table holds. */
const OTHER_VERBS = [
  'accounts/auth.ts',
  'accounts/better-auth.ts',
  'accounts/emails.ts',
  'accounts/hashed-sessions.ts',
  'accounts/mail.ts',
  'accounts/password-pool.ts',
  'accounts/password-worker.ts',
  'accounts/sign-up.ts',
  'files/all-text.ts',
  'files/archive.ts',
  'files/archive-stream.ts',
  'files/body.ts',
  'files/job-rows.ts',
  'files/large-archive.ts',
  'files/members.ts',
  'files/report.ts',
  'files/splice.ts',
  'metrics/usage-meter.ts',
  'payments/stripe.ts',
  'receipts/signer.ts',
  'transcripts/pack-pool.ts',
  'transcripts/recent-forms.ts',
]

/** What reads, renders and compresses transcripts. */
const CODECS = [
  'transcripts/timedtext.ts',
  'transcripts/timedtext-json3.ts',
  'transcripts/json3-scan.ts',
  'transcripts/gzip-member.ts',
  'transcripts/forms-module.ts',
  'transcripts/write-form.ts',
  'transcripts/packed-forms.ts',
  'transcripts/pack-thread.ts',
  'transcripts/transcript-body.ts',
  'transcripts/transcript-forms.ts',
  'billing/invoice-pdf.ts',
]

/** Parts of the platform that hold no wire: shapes and readings that every kind may use. */
const PLATFORM_NOUNS = [
  'platform/refusal.ts',
  'platform/video-id.ts',
  'platform/source.ts',
  'platform/source-link.ts',
  'platform/source-refusals.ts',
  'platform/pasted-line.ts',
  'platform/egress/evidence.ts',
  'platform/egress/route-budget.ts',
]

/** Every file whose kind is said by its name alone, for the test that they exist. */
export const NAMED_FILES = [
  ...Object.keys(ROOT_FILES),
  ...OTHER_VERBS,
  ...CODECS,
  ...PLATFORM_NOUNS,
]

/** What files of a kind may import, beside their own kind and `settings`. A type may come from anywhere below. */
export const MAY_IMPORT: Record<Kind, readonly Kind[]> = {
  settings: ['noun'],
  noun: [],
  postgres: [],
  http: ['noun'],
  codec: ['noun'],
  platform: ['noun', 'codec'],
  table: ['noun', 'codec', 'postgres'],
  index: ['noun', 'codec'],
  verb: ['noun', 'codec', 'table', 'index', 'postgres'],
  'entry point': ['noun', 'codec', 'verb', 'http', 'platform', 'postgres', 'wiring'],
  engine: ['noun', 'codec', 'verb', 'table', 'entry point', 'platform', 'postgres', 'wiring'],
  wiring: [
    'noun',
    'codec',
    'verb',
    'table',
    'entry point',
    'engine',
    'http',
    'platform',
    'postgres',
  ],
}

/** The kind of a file of `src` (its path from there, such as `jobs/job.ts`). */
export function kindOf(file: string): Kind {
  const [folder = '', ...rest] = file.split('/')
  if (rest.length === 0) return ROOT_FILES[file] ?? 'wiring'
  if (PLATFORM_NOUNS.includes(file)) return 'noun'
  if (CODECS.includes(file)) return 'codec'
  if (OTHER_VERBS.includes(file)) return 'verb'
  const whole = FOLDERS[folder]
  if (whole !== undefined) return whole
  const word = rest.at(-1)?.split(/[-.]/, 1)[0] ?? ''
  return VERB_WORDS.includes(word) ? 'verb' : 'noun'
}

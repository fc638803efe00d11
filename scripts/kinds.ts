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
  'features/accounts/auth.ts',
  'features/accounts/better-auth.ts',
  'features/accounts/emails.ts',
  'features/accounts/hashed-sessions.ts',
  'features/accounts/mail.ts',
  'features/accounts/password-pool.ts',
  'features/accounts/password-worker.ts',
  'features/accounts/sign-up.ts',
  'features/transcripts/all-text.ts',
  'features/transcripts/archive.ts',
  'features/transcripts/archive-stream.ts',
  'features/transcripts/body.ts',
  'model/transcripts/job-rows.ts',
  'features/transcripts/large-archive.ts',
  'features/transcripts/members.ts',
  'features/transcripts/report.ts',
  'features/transcripts/splice.ts',
  'metrics/usage-meter.ts',
  'features/money/stripe.ts',
  'features/money/signer.ts',
  'features/transcripts/pack-pool.ts',
  'features/transcripts/recent-forms.ts',
]

/** What reads, renders and compresses transcripts. */
const CODECS = [
  'model/transcripts/timedtext.ts',
  'model/transcripts/timedtext-json3.ts',
  'model/transcripts/json3-scan.ts',
  'model/transcripts/gzip-member.ts',
  'model/transcripts/forms-module.ts',
  'model/transcripts/write-form.ts',
  'model/transcripts/packed-forms.ts',
  'model/transcripts/pack-thread.ts',
  'model/transcripts/transcript-body.ts',
  'model/transcripts/transcript-forms.ts',
  'model/money/invoice-pdf.ts',
]

/** Parts of the platform that hold no wire: shapes and readings that every kind may use. */
const PLATFORM_NOUNS = [
  'model/platform/refusal.ts',
  'model/platform/video-id.ts',
  'model/platform/source.ts',
  'model/platform/source-link.ts',
  'model/platform/source-refusals.ts',
  'model/platform/pasted-line.ts',
  'model/platform/evidence.ts',
  'model/platform/route-budget.ts',
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

/** The kind of a file of `src` (its path from there, such as `model/jobs/job.ts`). */
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

/** The house rules of ARCHITECTURE.md, as data: a breach names the file and the rule. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.dirname(import.meta.dirname)
const LINES_MAX = 300
/** Written by a program, as long as the schema is. */
const GENERATED = ['src/postgres/tables.ts']
const BANNED_NAMES = /(^|[/-])(utils?|helpers?|common|misc)([./-]|$)/

const NOUNS = ['billing', 'jobs', 'transcripts', 'accounts', 'files', 'payments', 'receipts']
const FEATURES = [...NOUNS]

/**
 * What each part of `src` may import, by its first folder. `verbs` and nouns share the feature
 * folders; what tells them apart is checked below: a file that imports the store is a verb.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  api: [
    'api',
    'account-api',
    'mcp',
    ...FEATURES,
    'store',
    'platform/source.ts',
    'platform/source-link.ts',
  ],
  'account-api': ['account-api', 'api', ...FEATURES, 'store', 'platform/source.ts'],
  mcp: ['mcp', 'api', ...FEATURES, 'store'],
  worker: ['worker', ...FEATURES, 'store', 'platform', 'metrics'],
  metrics: ['metrics', 'store'],
  admin: ['admin', ...FEATURES, 'store', 'platform'],
  store: ['store', ...FEATURES, 'platform/egress'],
  platform: ['platform', 'transcripts', 'jobs/date-bounds.ts'],
  ...Object.fromEntries(
    FEATURES.map((feature) => [
      feature,
      [...FEATURES, 'store', 'platform/platform.ts', 'platform/source.ts'],
    ]),
  ),
}

/** Files at the root of `src` that open and wire everything; only entries import them. */
const WIRING = ['context.ts', 'main.ts', 'serve.ts', 'platform-context.ts']
const EVERYWHERE = ['config.ts', 'problem.ts', 'settings.ts', 'text.ts', 'own-turn.ts']
const WIRED_BY = ['api', 'account-api', 'mcp', 'worker', 'admin']

const ENTRIES = [
  /^src\/main\.ts$/,
  /^scripts\//,
  /^demo\//,
  /^emulator\/main\.ts$/,
  /\.test\.ts$/,
  /^bench\//,
  /^conformance\/main\.ts$/,
  /^web\//,
  /^test\/.*-process\.ts$/,
  /^bench\/.*-process\.ts$/,
  /^tools\//,
  /^test\/simulation\/chaos\/main\.ts$/,
  /^test\/attack\/(main|stall-probe)\.ts$/,
  /^src\/.*-thread\.ts$/,
]

type File = { name: string; text: string; imports: string[] }

const files = listFiles()
const sources = files.filter(({ name }) => name.startsWith('src/') && !name.endsWith('.test.ts'))

test('imports go one way', () => {
  assert.deepEqual(
    sources.flatMap((file) =>
      file.imports.filter((to) => !mayImport(file.name, to)).map((to) => `${file.name} -> ${to}`),
    ),
    [],
  )
})

test('the emulator imports nothing of the service, the website nothing but its own', () => {
  const outside = (folder: string): string[] =>
    files
      .filter(({ name }) => name.startsWith(folder) && !name.endsWith('.test.ts'))
      .flatMap(({ name, imports }) =>
        imports.filter((to) => !to.startsWith(folder)).map((to) => `${name} -> ${to}`),
      )
  assert.deepEqual([...outside('emulator/'), ...outside('web/')], [])
})

test('a noun knows no clock, no database and does not wait', () => {
  const nouns = sources.filter(
    ({ name, imports }) =>
      FEATURES.includes(folderOf(name)) &&
      !imports.some((to) => to.startsWith('src/store/') || WIRING.includes(path.basename(to))) &&
      !/\bDb\b|\basync\b|\bPromise\b/.test(codeOf(name)),
  )
  assert.ok(nouns.length > 10, 'most feature files are nouns')
  const breaches = nouns.filter(({ name }) =>
    /\bawait\b|setTimeout|performance\.now/.test(codeOf(name)),
  )
  assert.deepEqual(
    breaches.map(({ name }) => name),
    [],
  )
})

test('only config.ts reads the environment and only context.ts the clock', () => {
  const found = sources.flatMap(({ name, text }) => {
    const code = codeOf(name, text)
    return [
      ...(/process\.env\b/.test(code) && name !== 'src/config.ts' ? [`${name}: process.env`] : []),
      ...(/Date\.now\(|new Date\(\)/.test(code) && name !== 'src/context.ts'
        ? [`${name}: the clock`]
        : []),
    ]
  })
  assert.deepEqual(found, [])
})

test('only text.ts composes text: the engine takes quadratic time for it', () => {
  // Passwords are 128 characters at most before anybody looks at them.
  const short = ['src/accounts/password-rule.ts', 'src/accounts/password-worker.ts']
  const composing = sources.filter(({ name, text }) => /\.normalize\(/.test(codeOf(name, text)))
  assert.deepEqual(
    composing.map(({ name }) => name),
    [...short, 'src/text/outside-text.ts'],
  )
})

test('verbs never call the platform and entries never write SQL', () => {
  const verbs = sources
    .filter(({ name }) => FEATURES.includes(folderOf(name)))
    .filter(({ imports }) =>
      imports.some((to) => /^src\/platform\/(open-platform|youtube|egress)/.test(to)),
    )
  const sql = sources
    .filter(({ name }) => ['api', 'account-api', 'mcp', 'worker', 'admin'].includes(folderOf(name)))
    .filter(({ name, text }) => /\bsql`|\.query\(/.test(codeOf(name, text)))
  assert.deepEqual(
    [...verbs, ...sql].map(({ name }) => name),
    [],
  )
})

test('files are short, named for what they are, and open with what they are', () => {
  const breaches = files.flatMap(({ name, text }) => [
    ...(text.split('\n').length - 1 > LINES_MAX && !GENERATED.includes(name)
      ? [`${name}: more than ${LINES_MAX} lines`]
      : []),
    ...(BANNED_NAMES.test(name) ? [`${name}: a name that says nothing`] : []),
    ...(/^(#!.*\n)?\/\*\*/.test(text)
      ? []
      : [`${name}: does not open with a sentence on what it is`]),
  ])
  assert.deepEqual(breaches, [])
})

test('every file is imported by someone', () => {
  const imported = new Set(files.flatMap(({ imports }) => imports))
  const orphans = files.filter(
    ({ name }) => !imported.has(name) && !ENTRIES.some((entry) => entry.test(name)),
  )
  assert.deepEqual(
    orphans.map(({ name }) => name),
    [],
  )
})

test('the project stands alone: no path, host or tool of the workshop is named in it', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
  const told = tracked
    .filter(
      (name) =>
        /\.(ts|tsx|mjs|md|json|sql|yaml|yml|css|html)$|^\.ci\//.test(name) &&
        fs.existsSync(path.join(ROOT, name)),
    )
    .filter((name) => name !== 'test/tidy.test.ts')
    .filter((name) => {
      const text = fs.readFileSync(path.join(ROOT, name), 'utf8')
      const isCi = name === '.ci/run'
      return (
        /\/work\/|registry\.npmjs|\.library\b/.test(text) || (!isCi && /\.\.\/shared\b/.test(text))
      )
    })
  assert.deepEqual(told, [])
})

function listFiles(): File[] {
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return tracked
    .split('\n')
    .filter(
      (name) => name !== '' && fs.existsSync(path.join(ROOT, name)) && !name.endsWith('.d.ts'),
    )
    .map((name) => {
      const text = fs.readFileSync(path.join(ROOT, name), 'utf8')
      const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(
        (match) => match[1] ?? '',
      )
      const imports = found.map((to) => path.join(path.dirname(name), to))
      return { name, text, imports }
    })
}

function mayImport(from: string, to: string): boolean {
  const [here, there] = [folderOf(from), folderOf(to)]
  const target = to.replace(/^src\//, '')
  if (EVERYWHERE.includes(target)) return true
  if (
    WIRING.includes(from.replace(/^src\//, '')) ||
    EVERYWHERE.includes(from.replace(/^src\//, ''))
  )
    return true
  if (target === 'context.ts' || target === 'platform-context.ts') return WIRED_BY.includes(here)
  return (MAY_IMPORT[here] ?? []).some(
    (allowed) => allowed === there || target === allowed || target.startsWith(`${allowed}/`),
  )
}

/** The folder below `src`, or the file's own name at its root. */
function folderOf(name: string): string {
  const parts = name.split('/')
  return parts.length > 2 ? (parts[1] ?? '') : (parts.at(-1) ?? '')
}

/** The code without its comments, where words are only words. */
function codeOf(name: string, text = files.find((file) => file.name === name)?.text ?? ''): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
}

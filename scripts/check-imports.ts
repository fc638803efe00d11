/**
 * Holds the import rules of kinds.ts against the code: `node scripts/check-imports.ts [FOLDER]`. Prints
 * each breach with its files, and ends with 1 if there is one. Part of `npm run check`.
 */
import fs from 'node:fs'
import path from 'node:path'
import { parseSync } from '@swc/core'
import { cruise, type IForbiddenRuleType, type ICruiseResult } from 'dependency-cruiser'
import { type Kind, kindOf, KINDS, MAY_IMPORT } from './kinds.ts'

const TREES = [
  'src',
  'emulator',
  'web/src',
  'clients',
  'bench',
  'conformance',
  'demo',
  'test',
  'scripts',
]

/** Node's own modules that a noun may use: they neither wait nor look at the world. */
const NOUN_BUILTINS = ['assert', 'assert/strict', 'buffer', 'crypto', 'util']
/** Names that make a noun impure, wherever they stand in it. */
const IMPURE = [
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'performance',
  'process',
  'Promise',
]
/** Members of namespaces that do: chance and the clock. */
const IMPURE_MEMBERS = ['Math.random', 'Date.now', 'crypto.getRandomValues']
const RANDOM_IMPORTS = [
  'randomBytes',
  'randomInt',
  'randomUUID',
  'randomFillSync',
  'webcrypto',
  'getRandomValues',
]

/** The sentences of all breaches; empty where there are none. `root` is a checkout or a copy of one. */
export async function findBreaches(root: string): Promise<string[]> {
  const sources = listSources(root)
  return [
    ...(await findForbiddenImports(root, sources)),
    ...findImpureNouns(root, sources),
    ...findWritesOfEngine(root, sources),
  ]
}

async function findForbiddenImports(root: string, sources: string[]): Promise<string[]> {
  const trees = TREES.filter((tree) => fs.existsSync(path.join(root, tree)))
  const { output } = await cruise(trees, {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: rulesFor(sources) },
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules|web/dist|\\.d\\.ts$' },
  })
  const { violations } = (output as ICruiseResult).summary
  return violations.map(({ rule, from, to, cycle }) => {
    const way = cycle === undefined ? to : cycle.map(({ name }) => name).join(' -> ')
    return `${rule.name}: ${from} -> ${way}`
  })
}

/** The kinds as rules of dependency-cruiser, each with the list of files that are of it today. */
function rulesFor(sources: string[]): IForbiddenRuleType[] {
  const paths = (kinds: readonly Kind[]): string[] =>
    sources.filter((file) => kinds.includes(kindOf(file))).map((file) => `^src/${escaped(file)}$`)
  const byKind = KINDS.map((kind): IForbiddenRuleType => ({
    name: `${kind} files import nothing but ${['settings', ...MAY_IMPORT[kind], kind].join(', ')}`,
    severity: 'error',
    from: { path: paths([kind]), pathNot: '\\.test\\.ts$' },
    to: {
      path: '^src/',
      pathNot: paths(['settings', ...MAY_IMPORT[kind], kind]),
      dependencyTypesNot: kind === 'noun' ? [] : ['type-only'],
    },
  }))
  return [
    ...byKind,
    {
      name: 'no import circle, types included',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    forbid('the platform never knows the store', '^src/platform/', '^src/(store|postgres)/'),
    forbid(
      'egress knows nothing of the platform it leads to',
      '^src/platform/egress/',
      '^src/platform/(youtube|open-platform)',
    ),
    forbid(
      'verbs never call the platform',
      '^src/(?!worker|admin|platform|[^/]+\\.ts|.*\\.test\\.ts$)',
      '^src/platform/(open-platform|youtube|egress/(?!route-budget|evidence))',
    ),
    forbid(
      'the emulator knows nothing of the service',
      '^emulator/(?!.*\\.test\\.ts)',
      '^(?!emulator/|node_modules|[a-z_]+$|[a-z]+/promises$)',
    ),
    forbid(
      'the website reaches the service by HTTP only, and shares nothing but paragraphs and lines of CSV',
      '^web/',
      '^(src/(?!text/(?:paragraphs|csv)\\.ts$)|emulator/|test/|bench/)',
    ),
    forbid(
      'the client library knows nothing but itself',
      '^clients/typescript/src/',
      '^(?!clients/typescript/src/)',
    ),
    forbid(
      'clients reach the service by HTTP only',
      '^clients/',
      '^(src|emulator|test|bench|web|conformance|demo|scripts)/',
    ),
    forbid(
      'the contract kit knows nothing of the service',
      '^conformance/',
      '^(src|emulator|bench)/',
    ),
    {
      name: `a noun uses no more of Node than ${NOUN_BUILTINS.join(', ')}`,
      severity: 'error',
      from: { path: paths(['noun']), pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: `^(${NOUN_BUILTINS.join('|')})$` },
    },
  ]
}

function forbid(name: string, from: string, to: string): IForbiddenRuleType {
  return { name, severity: 'error', from: { path: from }, to: { path: to } }
}

function findImpureNouns(root: string, sources: string[]): string[] {
  return sources
    .filter((file) => kindOf(file) === 'noun')
    .flatMap((file) => {
      const text = fs.readFileSync(path.join(root, 'src', file), 'utf8')
      const found = new Set<string>()
      visit(parseSync(text, { syntax: 'typescript' }), found)
      return [...found].map(
        (what) => `a noun knows no clock, chance, waiting or network: src/${file} uses ${what}`,
      )
    })
}

/** Statements that read begin with one of these words; the rest is a verb's to call. */
const READING = /^(find|list|read|count)[A-Z]/

/** The worker reads tables as it goes; whatever it changes has a rule, and rules are verbs. */
function findWritesOfEngine(root: string, sources: string[]): string[] {
  return sources
    .filter((file) => kindOf(file) === 'engine')
    .flatMap((file) => {
      const text = fs.readFileSync(path.join(root, 'src', file), 'utf8')
      const { body } = parseSync(text, { syntax: 'typescript' })
      return body
        .filter((one) => one.type === 'ImportDeclaration')
        .filter(({ typeOnly, source }) => !typeOnly && source.value.includes('/store/'))
        .flatMap(({ specifiers }) => specifiers)
        .filter((one) => !(one.type === 'ImportSpecifier' && one.isTypeOnly))
        .map(({ local }) => local.value)
        .filter((name) => !READING.test(name))
        .map((name) => `the worker writes through verbs only: src/${file} imports ${name}`)
    })
}

type Node = { type?: string; [field: string]: unknown }

/** Walks the whole tree; types and comments are not expressions, so words in them do not count. */
function visit(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) return void value.forEach((one) => visit(one, found))
  if (typeof value !== 'object' || value === null) return
  const node = value as Node
  if (node.type?.startsWith('Ts') === true && !/As|NonNull|Satisfies|Const/.test(node.type)) return
  const impurity = impurityOf(node)
  if (impurity !== null) found.add(impurity)
  for (const [field, child] of Object.entries(node)) {
    // The name of a member or of a field says nothing about the world: `report.process`, `{ fetch: 1 }`.
    const isName =
      (field === 'property' || field === 'key') && (child as Node | null)?.type === 'Identifier'
    if (field !== 'span' && !isName) visit(child, found)
  }
}

function impurityOf(node: Node): string | null {
  if (node.async === true) return 'async'
  if (node.type === 'AwaitExpression') return 'await'
  if (node.type === 'Identifier' && IMPURE.includes(String(node.value))) return String(node.value)
  if (node.type === 'Identifier' && RANDOM_IMPORTS.includes(String(node.value)))
    return String(node.value)
  if (node.type === 'MemberExpression') {
    const name = `${String((node.object as Node).value)}.${String((node.property as Node).value)}`
    return IMPURE_MEMBERS.includes(name) ? name : null
  }
  const isNow =
    node.type === 'NewExpression' &&
    (node.callee as Node).value === 'Date' &&
    (node.arguments as unknown[] | null)?.length === 0
  return isNow ? 'new Date()' : null
}

function listSources(root: string): string[] {
  const folder = path.join(root, 'src')
  return fs
    .globSync('**/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => file.split(path.sep).join('/'))
    .sort()
}

function escaped(file: string): string {
  return file.replaceAll(/[.]/g, '\\.')
}

if (import.meta.main) {
  const breaches = await findBreaches(
    path.resolve(process.argv[2] ?? path.dirname(import.meta.dirname)),
  )
  for (const breach of breaches) process.stderr.write(`${breach}\n`)
  process.exitCode = breaches.length > 0 ? 1 : 0
}

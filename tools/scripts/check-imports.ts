/**
 * Holds the storeys and the import rules against the code: `node tools/scripts/check-imports.ts [FOLDER]`. Prints the
 * table of storeys, then each breach with its files, and ends with 1 if there is one. Part of `npm run check`.
 */
import { isBuiltin } from 'node:module'
import path from 'node:path'
import {
  findRings,
  type Import,
  isNode,
  type Node,
  readSources,
  type Source,
  visit,
} from './import-graph.ts'
import { findRoomBreaches, tableOfStoreys } from './rooms.ts'
import { isPure } from './storeys.ts'

const TREES = ['src', 'emulator', 'web/src', 'clients', 'tools', 'test']

/**
 * A rule forbids imports from files of one kind to another, `but` some. Where `isOfTypes` is false, types may be
 * imported.
 */
type Rule = { name: string; from: RegExp; to: RegExp; but: RegExp | null; isOfTypes: boolean }

/** Node's own modules that a noun may use: they neither wait nor look at the world. */
const NOUN_BUILTINS = /^(assert|assert\/strict|buffer|crypto|util)$/
/** Files of the store that are no tables: surfaces hold what these open, and hand it to features. */
const NO_TABLE = /^src\/store\/(database|migrate|readiness|signals)\.ts$/

/** The file that hands the hour on as `now`, so that tests set it. Durations are read from `performance`. */
const WALL_CLOCK = 'src/open-context.ts'

const RULES: Rule[] = [
  forbid('the platform knows no database', /^src\/platform\//, /^src\/(store|kit\/postgres)\//),
  forbid(
    'a noun knows neither HTTP nor a database',
    /^src\/model\/(?!.*\.test\.ts$)/,
    /^src\/kit\/(http|outbound|postgres)\//,
  ),
  forbid(
    'indexes are told what to hold: their processes read no table',
    /^src\/features\/search\/(add-texts|ask-index|index-|messages)(?!builds\.ts$)/,
    /^src\/(store|kit\/postgres)\//,
  ),
  forbid(
    'egress knows nothing of the platform it leads to',
    /^src\/platform\/egress\//,
    /^src\/platform\/youtube\//,
  ),
  forbidValues(
    'only the worker and the operator call the platform',
    /^src\/(app|(features|api|mcp|metrics)\/(?!.*\.test\.ts$))/,
    /^src\/platform\//,
  ),
  forbid(
    'nobody but the wiring starts the worker',
    /^src\/(api|mcp|admin|metrics)\//,
    /^src\/worker\//,
  ),
  forbidValues(
    'surfaces reach a table through a feature only',
    /^src\/(app|(api|mcp|admin|metrics)\/(?!.*\.test\.ts$))/,
    /^src\/store\//,
    NO_TABLE,
  ),
  forbid(
    'the emulator knows nothing of the service',
    /^emulator\/(?!.*\.test\.ts$)/,
    /^(src|test|web|tools|clients)\//,
  ),
  forbid(
    'the website knows the account API by the types of its replies',
    /^web\/(?!src\/api\/answers\.ts$)/,
    /^src\/api\//,
  ),
  forbidValues(
    'the website reaches the service by HTTP only, and shares only which files there are, how texts are written, measured and searched, names of events, days of videos, and the price',
    /^web\//,
    /^(src\/(?!model\/transcripts\/readable-text\.ts$|model\/files\/(?:catalogue|citations|file-rows|formats|video-at)\.ts$|model\/platform\/publish-day\.ts$|model\/money\/money\.ts$|model\/search\/(?:matches|search-query|tokens)\.ts$|model\/webhooks\/event-words\.ts$|kit\/text\/(?:cells|clock|csv|invisible|joined-text)\.ts$)|emulator\/|test\/|tools\/)/,
  ),
  forbid(
    'the client library knows nothing but itself',
    /^clients\/typescript\/src\//,
    /^(?!clients\/typescript\/src\/)/,
  ),
  forbid(
    'clients reach the service by HTTP only; the command line shares how names are made safe and measured and days of videos named, and is packed with it',
    /^clients\//,
    /^(src\/(?!kit\/text\/(?:cells|cut-to-bytes|invisible)\.ts$|model\/platform\/publish-day\.ts$)|emulator\/|test\/|web\/|tools\/)/,
  ),
  forbid(
    'the contract kit knows nothing of the service',
    /^tools\/conformance\//,
    /^(src|emulator|tools\/(?!conformance\/|scripts\/arguments))/,
  ),
]

function forbid(name: string, from: RegExp, to: RegExp): Rule {
  return { name, from, to, but: null, isOfTypes: true }
}

function forbidValues(name: string, from: RegExp, to: RegExp, but: RegExp | null = null): Rule {
  return { name, from, to, but, isOfTypes: false }
}

/** Returns a sentence for each breach. `root` is a checkout or a copy of one. */
export function findBreaches(root: string): string[] {
  const sources = readSources(root, TREES)
  const own = serviceOf(sources)
  const imports = sources.flatMap((source) => source.imports)
  return [
    ...findRoomBreaches(own),
    ...RULES.flatMap((rule) => breachesOf(rule, imports)),
    ...findRings(imports).map((ring) => `no import circle, types included: ${ring.join(' -> ')}`),
    ...own.filter(({ file }) => isPure(file.replace('src/', ''))).flatMap(findImpurities),
    ...own.filter(({ file }) => file.startsWith('src/worker/')).flatMap(findWrites),
    ...own.filter(({ file }) => file !== WALL_CLOCK).flatMap(findDates),
  ]
}

/** Returns the files of the service, tests left out. */
function serviceOf(sources: readonly Source[]): Source[] {
  return sources.filter(({ file }) => file.startsWith('src/') && !file.endsWith('.test.ts'))
}

function breachesOf(
  { name, from, to, but, isOfTypes }: Rule,
  imports: readonly Import[],
): string[] {
  return imports
    .filter((one) => from.test(one.from) && to.test(one.to) && but?.test(one.to) !== true)
    .filter(({ isType }) => isOfTypes || !isType)
    .map((one) => `${name}: ${one.from} -> ${one.to}`)
}

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
  'randomBytes',
  'randomInt',
  'randomUUID',
  'randomFillSync',
  'webcrypto',
  'getRandomValues',
]
/** Members of namespaces that make a noun impure: chance and the clock. */
const IMPURE_MEMBERS = ['Math.random', 'Date.now', 'crypto.getRandomValues']

function findImpurities({ file, program, imports }: Source): string[] {
  const modules = imports
    .filter(({ to, isType }) => !isType && isBuiltin(to))
    .filter(({ to }) => !NOUN_BUILTINS.test(to))
    .map(
      ({ to }) => `a noun uses nothing of Node that waits or looks at the world: ${file} -> ${to}`,
    )
  const found = new Set<string>()
  look(program, found)
  const names = [...found].map(
    (what) => `a noun knows no clock, chance, waiting or network: ${file} uses ${what}`,
  )
  return [...modules, ...names]
}

/**
 * Adds the impure names that a noun uses. Types are no expressions, and a member or field may have any name:
 * `report.process`.
 */
function look(program: Node, found: Set<string>): void {
  visit(program, (node) => {
    if (node.type.startsWith('TS') && !/As|NonNull|Satisfies/.test(node.type)) return false
    const impurity = impurityOf(node)
    if (impurity !== null) found.add(impurity)
    const { object, property, key, value, computed } = node
    if (node.type === 'MemberExpression' && computed === false && isNode(object)) {
      if (isNode(property)) look(object, found)
      return false
    }
    if (node.type.endsWith('Property') && computed === false && isNode(key) && isNode(value)) {
      look(value, found)
      return false
    }
    return true
  })
}

function impurityOf(node: Node): string | null {
  if (node['async'] === true) return 'async'
  if (node.type === 'AwaitExpression') return 'await'
  if (node.type === 'Identifier' && IMPURE.includes(String(node['name'])))
    return String(node['name'])
  if (node.type === 'MemberExpression') {
    const { object, property } = node as Node & { object: Node; property: Node }
    const name = `${String(object['name'])}.${String(property['name'])}`
    return IMPURE_MEMBERS.includes(name) ? name : null
  }
  return isNewDate(node) ? 'new Date()' : null
}

function isNewDate(node: Node): boolean {
  return (
    node.type === 'NewExpression' &&
    (node['callee'] as Node)['name'] === 'Date' &&
    (node['arguments'] as unknown[]).length === 0
  )
}

function findDates({ file, program }: Source): string[] {
  const found = new Set<string>()
  visit(program, (node) => {
    if (isNewDate(node) || impurityOf(node) === 'Date.now') found.add(file)
    return true
  })
  return [...found].map((name) => `only the wiring reads the wall clock: ${name}`)
}

/**
 * Beginnings of the names of statements that read, or that only record which worker holds a job. Features call all
 * others.
 */
const READING_OR_HOLDING = /^(((find|list|read|count|claim|hold|release)[A-Z])|beat$)/

/** Finds writes of the worker. It may read tables itself; each change has a rule, and rules are in features. */
function findWrites({ file, imports }: Source): string[] {
  return imports
    .filter(({ to }) => to.startsWith('src/store/') && !NO_TABLE.test(to))
    .flatMap(({ names }) => names)
    .filter((name) => !READING_OR_HOLDING.test(name))
    .map((name) => `the worker writes through features only: ${file} imports ${name}`)
}

if (import.meta.main) {
  const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../..'))
  process.stdout.write(`${tableOfStoreys(serviceOf(readSources(root, ['src'])))}\n`)
  const breaches = findBreaches(root)
  for (const breach of breaches) process.stderr.write(`${breach}\n`)
  process.exitCode = breaches.length > 0 ? 1 : 0
}

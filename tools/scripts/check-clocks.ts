/**
 * Holds the tests of the gate to what no slow machine changes: `node tools/scripts/check-clocks.ts [FOLDER]`. Neither
 * they nor the helpers that they import may read clocks where they assert, subtract clock readings, wait for a time,
 * draw by chance, choose a port, start a service without the settings of tests, or give `until` less than half a
 * minute. What measures is a `*.nightly.test.ts`. Holds the product to deadlines that a slow machine's owner can
 * lengthen, too (fixed-deadlines.ts). Prints each breach, and ends with 1 if there is one. Part of `npm run check`.
 */
import fs from 'node:fs'
import path from 'node:path'
import { findFixedDeadlines } from './fixed-deadlines.ts'
import {
  argumentsOf,
  constantsOf,
  holds,
  isCallOf,
  isNode,
  lineOf,
  nameOf,
  type Node,
  numberOf,
  type ParsedFile,
  parseFile,
  textOf,
  visit,
} from './syntax.ts'

const TREES = '{src,clients,test,emulator,tools/{bench,scripts,demo,conformance}}/**/*.ts'
const HELPERS = /^test\//
const NOT_OF_GATE = /\.nightly\.test\.ts$/
/** Functions of test/support/until.ts; their third argument is the bound, in ms. */
const WAITS = ['until', 'within']
/** Least bound, in ms: half of what the wrong way takes, which tests make a minute. */
const UNTIL_MS_MIN = 30_000
/** What starts a service, or a part of it, by its settings. */
const OPENERS = ['startService', 'openContext', 'openDatabaseContext', 'openCommandContext']
/** Helpers that may use clocks, each with the reason. */
const EXEMPT: Record<string, string> = {
  'test/support/until.ts': 'polls, for all others',
  'test/attack/attacks/key-floods.ts': 'runs by night; the gate reads its name and class',
  'test/attack/attacks/sign-in-floods.ts': 'runs by night; the gate reads its name and class',
  'test/attack/crowd.ts': 'runs by night, with the attacks that are floods',
}
/** Helpers that may choose ports, each with the reason. */
const CHOOSES_PORTS: Record<string, string> = {
  'test/rehearsal/rehearsal.ts': 'a balancer has to know where a process will listen again',
  'test/simulation/chaos/chaos.ts': 'a killed process comes back where its customers ask',
}

type Breach = (node: Node, known: Known) => string | null
type Known = {
  file: string
  /** Numbers that have a name. */
  constants: ReadonlyMap<string, number>
  /** Clocks that are handed on, and instants that are made of them. */
  given: ReadonlySet<Node>
  /** Timers that end the wait for a promise. */
  waits: ReadonlySet<Node>
  startsServices: boolean
}

const WAITS_FOR_A_TIME = 'waits for a time: wait for a state (`until`)'

const BREACHES: Breach[] = [
  (node, { given }) =>
    (isCallOf(node, 'performance', 'now') && !given.has(node)) || isDifference(node, given)
      ? 'asks how long something took: assert a state or a count, or give `until` half of what the wrong way takes'
      : null,
  (node) =>
    node.type === 'ImportDeclaration' &&
    textOf(node['source']) === 'node:timers/promises' &&
    (node['specifiers'] as Node[]).some(({ imported }) => nameOf(imported) !== 'setImmediate')
      ? WAITS_FOR_A_TIME
      : null,
  (node, { waits }) => (waits.has(node) ? WAITS_FOR_A_TIME : null),
  (node) =>
    isCallOf(node, 'Math', 'random') ? 'draws by chance: take SEED of test/support/seed.ts' : null,
  (node) =>
    holds(valueOf(node, /^seed$/i), isDate)
      ? 'draws anew in each run: take SEED of test/support/seed.ts'
      : null,
  (node, { given }) =>
    isAssertion(node) &&
    argumentsOf(node).some(
      (asked) => holds(asked, isDate) && !holds(asked, (part) => isDifference(part, given)),
    )
      ? 'asserts by the clock: compare with an instant that the product was told, or has recorded'
      : null,
  (node, { file }) =>
    node.type === 'ImportSpecifier' &&
    nameOf(node['imported']) === 'freePort' &&
    !(file in CHOOSES_PORTS)
      ? 'chooses a port, which another process may take: listen on 0 and read the port'
      : null,
  (node, { startsServices }) =>
    startsServices && isCallOf(node, null, 'readConfig')
      ? 'starts a service whose deadlines a slow machine exceeds: take `testConfig` of test/support/settings.ts'
      : null,
  (node, { constants }) => {
    if (node.type !== 'CallExpression' || !WAITS.includes(nameOf(node['callee']) ?? '')) return null
    const [, , patience] = argumentsOf(node)
    const ms = numberOf(patience, constants)
    return ms !== null && ms < UNTIL_MS_MIN
      ? `waits ${ms} ms at most: leave the bound out, or make the wrong way slower and bound it at ${UNTIL_MS_MIN} or more`
      : null
  },
]

/** Returns a sentence for each breach. `root` is a checkout or a copy of one. */
export function findClocks(root: string): string[] {
  const sources = new Map(
    fs
      .globSync(TREES, { cwd: root, exclude: (name) => name === 'node_modules' })
      .map((file) => [file, parseFile(root, file)]),
  )
  const gate = [...sources.keys()].filter(
    (file) => file.endsWith('.test.ts') && !NOT_OF_GATE.test(file),
  )
  const inTests = reachedFrom(gate, sources).flatMap((file) => {
    const source = sources.get(file)
    return source === undefined || file in EXEMPT ? [] : breachesOf(file, source)
  })
  return [...inTests, ...findFixedDeadlines(sources)]
}

function breachesOf(file: string, { code, program }: ParsedFile): string[] {
  const known = {
    file,
    constants: constantsOf(program),
    given: givenClocks(program),
    waits: waitsOf(program),
    startsServices: holds(program, (node) => OPENERS.some((name) => isCallOf(node, null, name))),
  }
  const found = new Set<string>()
  visit(program, (node) => {
    for (const breach of BREACHES) {
      const sentence = breach(node, known)
      if (sentence !== null) found.add(`${file}:${lineOf(code, node)} ${sentence}`)
    }
  })
  return [...found]
}

/** Returns the tests and the helpers that they import, directly or through other helpers. */
function reachedFrom(tests: readonly string[], sources: ReadonlyMap<string, ParsedFile>): string[] {
  const reached = new Set(tests)
  for (const file of reached) {
    const source = sources.get(file)
    if (source === undefined) continue
    visit(source.program, (node) => {
      const from = isImport(node) ? textOf(node['source']) : null
      if (from === null || !from.startsWith('.')) return
      const target = path.posix.join(path.posix.dirname(file), from)
      if (HELPERS.test(target)) reached.add(target)
    })
  }
  return [...reached].sort()
}

function isImport(node: Node): boolean {
  return [
    'ImportDeclaration',
    'ExportNamedDeclaration',
    'ExportAllDeclaration',
    'ImportExpression',
  ].includes(node.type)
}

/** Returns whether a node is a difference such as `Date.now() - startedAt`, and no instant in the past. */
function isDifference(node: Node, given: ReadonlySet<Node>): boolean {
  const { left } = node
  return (
    node.type === 'BinaryExpression' &&
    node['operator'] === '-' &&
    !given.has(node) &&
    isNode(left) &&
    (isCallOf(left, 'Date', 'now') || isCallOf(left, 'performance', 'now'))
  )
}

/**
 * Returns the nodes of `() => performance.now() + passedMs`, a clock for other code, and of `new Date(Date.now() -
 * ageMs)`.
 */
function givenClocks(program: Node): Set<Node> {
  const given = new Set<Node>()
  visit(program, (node) => {
    const { body, params } = node
    if (node.type === 'ArrowFunctionExpression' && isNode(body) && (params as Node[]).length === 0)
      visit(body, (part) => isCallOf(part, 'performance', 'now') && given.add(part))
    if (node.type === 'NewExpression' && nameOf(node['callee']) === 'Date')
      visit(node, (part) => part.type === 'BinaryExpression' && given.add(part))
  })
  return given
}

/** Returns whether a node reads the date. */
function isDate(node: Node): boolean {
  const isNew = node.type === 'NewExpression' && nameOf(node['callee']) === 'Date'
  return isCallOf(node, 'Date', 'now') || (isNew && argumentsOf(node).length === 0)
}

function isAssertion(node: Node): boolean {
  const { callee } = node
  if (node.type !== 'CallExpression' || !isNode(callee)) return false
  return nameOf(callee) === 'assert' || nameOf(callee['object']) === 'assert'
}

/** Returns the value of a property or constant with such a name; null of any other node. */
function valueOf(node: Node, name: RegExp): unknown {
  const { type, key, value, id, init } = node
  if (type === 'Property') return name.test(nameOf(key) ?? '') ? value : null
  if (type === 'VariableDeclarator') return name.test(nameOf(id) ?? '') ? init : null
  return null
}

/** Returns the timers that resolve a promise, as in `new Promise((resolve) => setTimeout(resolve, 50))`. */
function waitsOf(program: Node): Set<Node> {
  const waits = new Set<Node>()
  const collect = (within: Node, isResolve: (node: Node) => boolean): void =>
    visit(within, (node) => {
      const [act] = argumentsOf(node)
      const isTimer =
        isCallOf(node, null, 'setTimeout') || isCallOf(node, 'globalThis', 'setTimeout')
      if (isTimer && holds(act, isResolve)) waits.add(node)
    })
  visit(program, (node) => {
    const [executor] = argumentsOf(node)
    if (node.type === 'NewExpression' && nameOf(node['callee']) === 'Promise' && executor) {
      const [resolve] = (executor['params'] as Node[] | undefined) ?? []
      const name = nameOf(resolve)
      if (name !== null) collect(executor, (part) => nameOf(part) === name)
    }
    const { id, init } = node
    if (node.type !== 'VariableDeclarator' || !isNode(init) || !isNode(id)) return
    if (!isCallOf(init, 'Promise', 'withResolvers')) return
    const properties = (id['properties'] as Node[] | undefined) ?? []
    const taken = properties.find(({ key }) => nameOf(key) === 'resolve')
    const [whole, own] = [nameOf(id), nameOf(taken?.['value'])]
    collect(program, (part) =>
      whole === null
        ? own !== null && nameOf(part) === own
        : nameOf(part['object']) === whole && nameOf(part['property']) === 'resolve',
    )
  })
  return waits
}

if (process.argv[1] === import.meta.filename) {
  const breaches = findClocks(process.argv[2] ?? path.resolve(import.meta.dirname, '../..'))
  for (const breach of breaches) process.stderr.write(`${breach}\n`)
  process.exitCode = breaches.length > 0 ? 1 : 0
}

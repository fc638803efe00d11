/**
 * Holds the tests of the gate to what no slow machine changes: `node scripts/check-clocks.ts [FOLDER]`. Neither they
 * nor the helpers that they import may subtract clock readings, wait for a time, draw by chance, or give `until` less
 * than half a minute. What measures is a `*.nightly.test.ts`. Prints each breach, and ends with 1 if there is one. Part
 * of `npm run check`.
 */
import fs from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

const TREES = '{src,clients,test,emulator,bench,scripts,demo,conformance}/**/*.ts'
const HELPERS = /^test\//
const NOT_OF_GATE = /\.nightly\.test\.ts$/
/** Functions of test/support/until.ts; their third argument is the bound, in ms. */
const WAITS = ['until', 'within']
/** Least bound, in ms: half of what the wrong way takes, which tests make a minute. */
const UNTIL_MS_MIN = 30_000
/** Helpers that may use clocks, each with the reason. */
const EXEMPT: Record<string, string> = {
  'test/support/until.ts': 'polls, for all others',
  'test/attack/attacks/key-floods.ts': 'runs by night; the gate reads its name and class',
  'test/attack/attacks/sign-in-floods.ts': 'runs by night; the gate reads its name and class',
  'test/attack/crowd.ts': 'runs by night, with the attacks that are floods',
}

type Node = { type: string; start: number; [key: string]: unknown }
/**
 * `constants` are numbers that have a name; `given` are clocks that are handed on, and instants that are made of them.
 */
type Known = { constants: ReadonlyMap<string, number>; given: ReadonlySet<Node> }
type Breach = (node: Node, known: Known) => string | null

const BREACHES: Breach[] = [
  (node, { given }) =>
    (isCallOf(node, 'performance', 'now') && !given.has(node)) || isDifference(node, given)
      ? 'asks how long something took: assert a state or a count, or give `until` half of what the wrong way takes'
      : null,
  (node) =>
    node.type === 'ImportDeclaration' &&
    textOf(node['source']) === 'node:timers/promises' &&
    (node['specifiers'] as Node[]).some(({ imported }) => nameOf(imported) !== 'setImmediate')
      ? 'waits for a time: wait for a state (`until`)'
      : null,
  (node) =>
    isCallOf(node, 'Math', 'random') ? 'draws by chance: take SEED of test/support/seed.ts' : null,
  (node) =>
    isProperty(node, 'seed') && isNode(node['value']) && isCallOf(node['value'], 'Date', 'now')
      ? 'draws anew in each run: take SEED of test/support/seed.ts'
      : null,
  (node, { constants }) => {
    if (node.type !== 'CallExpression' || !WAITS.includes(nameOf(node['callee']) ?? '')) return null
    const [, , patience] = node['arguments'] as Node[]
    const ms = patience === undefined ? null : numberOf(patience, constants)
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
      .map((file) => [file, parse(root, file)]),
  )
  const gate = [...sources.keys()].filter(
    (file) => file.endsWith('.test.ts') && !NOT_OF_GATE.test(file),
  )
  return reachedFrom(gate, sources).flatMap((file) => {
    const source = sources.get(file)
    return source === undefined || file in EXEMPT ? [] : breachesOf(file, source)
  })
}

type Source = { code: string; program: Node }

function parse(root: string, file: string): Source {
  const code = fs.readFileSync(path.join(root, file), 'utf8')
  return { code, program: parseSync(file, code).program as unknown as Node }
}

function breachesOf(file: string, { code, program }: Source): string[] {
  const known = { constants: constantsOf(program), given: givenClocks(program) }
  const found = new Set<string>()
  visit(program, (node) => {
    for (const breach of BREACHES) {
      const sentence = breach(node, known)
      if (sentence !== null)
        found.add(`${file}:${code.slice(0, node.start).split('\n').length} ${sentence}`)
    }
  })
  return [...found]
}

/** Returns the tests and the helpers that they import, directly or through other helpers. */
function reachedFrom(tests: readonly string[], sources: ReadonlyMap<string, Source>): string[] {
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

function isCallOf(node: Node, object: string, property: string): boolean {
  const { callee } = node
  return (
    node.type === 'CallExpression' &&
    isNode(callee) &&
    callee.type === 'MemberExpression' &&
    nameOf(callee['object']) === object &&
    nameOf(callee['property']) === property
  )
}

function isProperty(node: Node, name: string): boolean {
  return node.type === 'Property' && nameOf(node['key']) === name
}

/** Returns the numbers that the file gives a name. */
function constantsOf(program: Node): Map<string, number> {
  const constants = new Map<string, number>()
  visit(program, (node) => {
    if (node.type !== 'VariableDeclarator' || !isNode(node['init'])) return
    const name = nameOf(node['id'])
    const value = numberOf(node['init'], constants)
    if (name !== null && value !== null) constants.set(name, value)
  })
  return constants
}

/** Returns null where only running the expression would tell. */
function numberOf(node: Node, constants: ReadonlyMap<string, number>): number | null {
  if (node.type === 'Literal' && typeof node['value'] === 'number') return node['value']
  const name = nameOf(node)
  return name === null ? null : (constants.get(name) ?? null)
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? String(node['name']) : null
}

function textOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string'
    ? node['value']
    : null
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, see)
}

if (process.argv[1] === import.meta.filename) {
  const breaches = findClocks(process.argv[2] ?? path.dirname(import.meta.dirname))
  for (const breach of breaches) process.stderr.write(`${breach}\n`)
  process.exitCode = breaches.length > 0 ? 1 : 0
}

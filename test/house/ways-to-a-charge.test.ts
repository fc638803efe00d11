/**
 * Whatever begins an order, or ends a job, is named in `test/races/ways-to-a-charge.ts`, whose tests let it meet all
 * others (decision 0008). The ways are those of the program: who calls the function that reserves money, who calls the
 * one that settles it, and so on up to the wiring.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'vite'
import { isNode, type Node, readSources, visit } from '../../tools/scripts/import-graph.ts'
import { nameOf } from '../../tools/scripts/syntax.ts'
import { ENDS, ENDS_OF_WORKERS, WAYS } from '../races/ways-to-a-charge.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Files that put surfaces together; what they take from is a surface. */
const WIRING = new Set(
  `app public-api serve open-context admin/admin api/account-api/account-api api/account-api/operator/routes mcp/routes
  mcp/toolbox worker/worker`
    .split(/\s+/)
    .map((name) => `src/${name}.ts`),
)

type Program = { file: string; program: Node }

const sources = readSources(ROOT, ['src']).filter(({ file }) => !file.endsWith('.test.ts'))

test('whoever starts a job is a way to a charge', () => {
  const entries = entriesTo(sources, 'src/store/started-job.ts#insertStarted')
  assert.deepEqual(entries, distinct(WAYS.map(({ entry }) => entry)))
})

test('whoever ends a job is an end of it', () => {
  const entries = entriesTo(sources, 'src/store/final-state.ts#setFinal')
  assert.deepEqual(entries, distinct([...ENDS.flatMap((end) => end.entries), ...ENDS_OF_WORKERS]))
})

test('rows are recorded by the run of a job alone', () => {
  assert.deepEqual(entriesTo(sources, 'src/store/record.ts#recordFinished'), [
    'src/worker/run-job.ts',
  ])
})

test('whatever posts entries does it by the function that remembers what was told', () => {
  const texts = sources.map(({ file }) => ({
    file,
    code: fs.readFileSync(path.join(ROOT, file), 'utf8'),
  }))
  const saying = (words: RegExp) =>
    texts.filter(({ code }) => words.test(code)).map(({ file }) => file)
  const files = ['src/store/final-state.ts', 'src/store/ledger.ts', 'src/store/started-job.ts']
  assert.deepEqual(saying(/\$\{postedBy\(/), files)
  assert.deepEqual(saying(/await postEntries\(/), files)
  assert.deepEqual(saying(/insert into ledger_entry/), ['src/store/ledger.ts'])
})

test('a way that is new is found, however many functions it calls through', () => {
  const surface = `
    import { order } from '../orders.ts'
    const again = (body) => order({}, body)
    export const importRoutes = () => ({ post: () => again(1) })`
  const app = `import { importRoutes } from './api/imports/routes.ts'\nexport const build = () => importRoutes()`
  const between = `export { orderJob as order } from './jobs/order-job.ts'`
  const more = [
    { file: 'src/api/orders.ts', code: between },
    { file: 'src/api/imports/routes.ts', code: surface },
    { file: 'src/app.ts', code: app },
  ].map(({ file, code }) => ({ file, program: parseSync(file, code).program as unknown as Node }))
  const entries = entriesTo([...sources, ...more], 'src/store/started-job.ts#insertStarted')
  assert.ok(entries.includes('src/api/imports/routes.ts'))
})

function distinct(names: string[]): string[] {
  return [...new Set(names)].sort()
}

/** Returns the files from which the wiring takes something that calls the function, by way of others or not. */
function entriesTo(programs: readonly Program[], name: string): string[] {
  const users = usersOf(programs)
  const seen = new Set([name])
  const entries: string[] = []
  for (const used of seen) {
    const file = fileOf(used)
    for (const user of users.get(used) ?? []) {
      if (!WIRING.has(fileOf(user))) seen.add(user)
      else if (!WIRING.has(file)) entries.push(file)
    }
  }
  return distinct(entries)
}

function fileOf(name: string): string {
  return name.split('#')[0] ?? ''
}

/** Returns, by `FILE#NAME`, which declarations at the top of files use it, of their own file or imported. */
function usersOf(programs: readonly Program[]): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  for (const { file, program } of programs) {
    const add = (used: string, user: string): void =>
      void users.set(used, (users.get(used) ?? new Set()).add(`${file}#${user}`))
    for (const [exported, used] of namesFrom(file, program, HANDED_ON)) add(used, exported)
    const declared = declarationsOf(program)
    const known = new Map([
      ...namesFrom(file, program, IMPORTED),
      ...[...declared.keys()].map((name): [string, string] => [name, `${file}#${name}`]),
    ])
    for (const [name, declaration] of declared)
      visit(declaration, (node) => {
        const used = node.type === 'Identifier' ? known.get(String(node['name'])) : undefined
        if (used !== undefined && used !== `${file}#${name}`) add(used, name)
      })
  }
  return users
}

function declarationsOf(program: Node): Map<string, Node> {
  const declared = new Map<string, Node>()
  for (const statement of program['body'] as Node[]) {
    const { declaration } = statement
    const node = isNode(declaration) ? declaration : statement
    for (const one of [node, ...((node['declarations'] as Node[] | undefined) ?? [])])
      if (isNode(one['id']) && one['id'].type === 'Identifier')
        declared.set(String(one['id']['name']), one)
  }
  return declared
}

/** Returns the names that a file imports, or exports of others, each with what it is there. */
function namesFrom(
  file: string,
  program: Node,
  [type, here, there]: typeof IMPORTED | typeof HANDED_ON,
): [string, string][] {
  return (program['body'] as Node[]).flatMap((node) => {
    if (node.type !== type || !isNode(node['source'])) return []
    const target = targetOf(file, node['source'])
    return (node['specifiers'] as Node[]).map((one): [string, string] => [
      nameOf(one[here]) ?? '',
      `${target}#${nameOf(one[there]) ?? ''}`,
    ])
  })
}

const IMPORTED = ['ImportDeclaration', 'local', 'imported'] as const
const HANDED_ON = ['ExportNamedDeclaration', 'exported', 'local'] as const

function targetOf(file: string, source: Node): string {
  return path.posix.join(path.posix.dirname(file), String(source['value']))
}

/** Which file imports which, as the parser sees it: types count, words in comments and strings do not. */
import fs from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

export type Node = { type: string; [field: string]: unknown }

export type Import = {
  /** Both ends are paths from the root; a module of Node or of a package has its name, `node:` left out. */
  from: string
  to: string
  /** True where the import is gone when the program runs. */
  isType: boolean
  /** Names of imported values; types are left out. */
  names: readonly string[]
}

export type Source = { file: string; lines: number; program: Node; imports: readonly Import[] }

/** Reads the sources below these folders of `root`. */
export function readSources(root: string, trees: readonly string[]): Source[] {
  return trees
    .flatMap((tree) =>
      fs.globSync(`${tree}/**/*.{ts,tsx,mjs}`, {
        cwd: root,
        exclude: (name) => name === 'node_modules' || name === 'dist',
      }),
    )
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.endsWith('.d.ts'))
    .sort()
    .map((file) => {
      const code = fs.readFileSync(path.join(root, file), 'utf8')
      const program = parseSync(file, code).program as unknown as Node
      return {
        file,
        lines: code.split('\n').length - 1,
        program,
        imports: importsOf(file, program),
      }
    })
}

function importsOf(file: string, program: Node): Import[] {
  const found: Import[] = []
  visit(program, (node) => {
    const { source } = node
    if (!isNode(source) || typeof source['value'] !== 'string') return
    const specifiers = (node['specifiers'] as Node[] | undefined) ?? []
    const values = specifiers.filter((one) => one['importKind'] !== 'type')
    const isType =
      node.type === 'TSImportType' ||
      [node['importKind'], node['exportKind']].includes('type') ||
      (specifiers.length > 0 && values.length === 0)
    const names = isType ? [] : values.map((one) => nameOf(one['imported'] ?? one['local']))
    found.push({ from: file, to: targetOf(file, source['value']), isType, names })
  })
  return found
}

function targetOf(file: string, name: string): string {
  if (!name.startsWith('.')) return name.replace(/^node:/, '')
  return path.posix.join(path.posix.dirname(file), name.replace(/\?.*$/, ''))
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node['name'] ?? '') : ''
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** Walks the whole tree; a visitor that returns false keeps the walk out of that node. */
export function visit(node: Node, see: (node: Node) => boolean | void): void {
  if (see(node) === false) return
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, see)
}

/** Returns the rings of arrows, each as the files from one back to itself. */
export function findRings(arrows: readonly { from: string; to: string }[]): string[][] {
  const next = Map.groupBy(arrows, ({ from }) => from)
  const done = new Set<string>()
  const way: string[] = []
  const rings: string[][] = []
  const walk = (name: string): void => {
    if (way.includes(name)) return void rings.push([...way.slice(way.indexOf(name)), name])
    if (done.has(name)) return
    done.add(name)
    way.push(name)
    for (const { to } of next.get(name) ?? []) walk(to)
    way.pop()
  }
  for (const name of next.keys()) walk(name)
  return rings
}

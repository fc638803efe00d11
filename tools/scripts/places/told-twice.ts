/** Lists that are told twice: names that two hand-written files write down side by side. */
import { parseSync } from 'vite'
import { type Node, visit } from '../syntax.ts'
import type { CodeFile } from './sources.ts'

/** So many names in common, within so many lines, are the same list. */
const SHARED_MIN = 6
const WITHIN_LINES = 30
/** The stand-in for the platform imports nothing of ours, so that it can be believed. */
const APART = /^emulator\//
const WORD = /^[\w.-]{2,40}$/
const ALTERNATIVES = /(?:\\?[\w.-]+\|){2,}\\?[\w.-]+/g
const PYTHON_LIST = /[[({](?:\s*["'][\w.-]+["']\s*(?:,|:[^,\n]*,?)){3,}[^\])}]*[\])}]/g

export type ToldTwice = { files: [string, string]; lines: [number, number]; names: string[] }

/** `line` is where the list begins. */
type List = { line: number; names: ReadonlySet<string> }

/** Returns the pairs of files that share a list, each once, by its longest one. */
export function findToldTwice(files: readonly CodeFile[]): ToldTwice[] {
  const told = files
    .filter(({ file }) => !APART.test(file))
    .map((file) => ({ file: file.file, lists: gathered(listsIn(file)) }))
    .filter(({ lists }) => lists.length > 0)
  return told.flatMap((one, at) =>
    told.slice(at + 1).flatMap((other) => {
      const pairs = one.lists.flatMap((list) =>
        other.lists.map((otherList): ToldTwice => ({
          files: [one.file, other.file],
          lines: [list.line, otherList.line],
          names: [...list.names].filter((name) => otherList.names.has(name)),
        })),
      )
      const longest = pairs.reduce((best, pair) =>
        pair.names.length > best.names.length ? pair : best,
      )
      return longest.names.length >= SHARED_MIN ? [longest] : []
    }),
  )
}

/** Returns a list that is told twice as a line of a report. */
export function inOneLine({ files: [one, other], lines, names }: ToldTwice): string {
  return `${one}:${lines[0]} ${other}:${lines[1]}  ${names.join(' ')}`
}

/** Joins lists that begin within `WITHIN_LINES` of each other, from each on. */
function gathered(lists: readonly List[]): List[] {
  return lists
    .map(({ line }) => {
      const near = lists.filter((other) => other.line >= line && other.line < line + WITHIN_LINES)
      return { line, names: new Set(near.flatMap(({ names }) => [...names])) }
    })
    .filter(({ names }) => names.size >= SHARED_MIN)
}

function listsIn({ file, code }: CodeFile): List[] {
  if (file.endsWith('.py')) return listsByPattern(code)
  const lists: List[] = []
  const lineAt = (place: number): number => code.slice(0, place).split('\n').length
  visit(parseSync(file, code).program as unknown as Node, (node) => {
    const names = namesIn(node)
    if (names.length > 1) lists.push({ line: lineAt(node.start), names: new Set(names) })
  })
  return lists
}

/** Returns the names of an array, an object, a union or a pattern; none for other nodes. */
function namesIn(node: Node): string[] {
  if (node.type === 'ArrayExpression') return (node['elements'] as Node[]).flatMap(wordOf)
  if (node.type === 'ObjectExpression')
    return (node['properties'] as Node[]).flatMap(({ key }) => wordOf(key as Node | undefined))
  if (node.type === 'TSUnionType')
    return (node['types'] as Node[]).flatMap(({ literal }) => wordOf(literal as Node | undefined))
  const pattern = (node['regex'] as { pattern: string } | undefined)?.pattern
  return pattern === undefined ? [] : alternativesOf(pattern)
}

function wordOf(node: Node | null | undefined): string[] {
  const value = node?.type === 'Literal' ? node['value'] : null
  return typeof value === 'string' && WORD.test(value) ? [value] : []
}

function alternativesOf(pattern: string): string[] {
  return (pattern.match(ALTERNATIVES) ?? []).flatMap((found) =>
    found.split('|').map((word) => word.replaceAll('\\', '')),
  )
}

function listsByPattern(code: string): List[] {
  return [...code.matchAll(PYTHON_LIST)].map(({ 0: found, index }) => ({
    line: code.slice(0, index).split('\n').length,
    names: new Set([...found.matchAll(/["']([\w.-]+)["']/g)].map(([, name = '']) => name)),
  }))
}

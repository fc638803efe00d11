/** What the checks read of a parsed file: nodes, their names, their texts and the numbers that stand for themselves. */
import fs from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

export type Node = { type: string; start: number; end: number; [key: string]: unknown }
export type ParsedFile = { code: string; program: Node }

export function parseFile(root: string, file: string): ParsedFile {
  const code = fs.readFileSync(path.join(root, file), 'utf8')
  return { code, program: parseSync(file, code).program as unknown as Node }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

export function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, see)
}

/** Returns whether the node, or a node in it, is one that `isSo`. */
export function holds(node: unknown, isSo: (node: Node) => boolean): boolean {
  let isFound = false
  if (isNode(node)) visit(node, (part) => (isFound ||= isSo(part)))
  return isFound
}

export function lineOf(code: string, node: Node): number {
  return code.slice(0, node.start).split('\n').length
}

export function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? String(node['name']) : null
}

export function textOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string'
    ? node['value']
    : null
}

/** Returns whether a node is a call of `object.property`, or of the function `property` where `object` is null. */
export function isCallOf(node: Node, object: string | null, property: string): boolean {
  const { callee } = node
  if (node.type !== 'CallExpression' || !isNode(callee)) return false
  if (object === null) return nameOf(callee) === property
  return (
    callee.type === 'MemberExpression' &&
    nameOf(callee['object']) === object &&
    nameOf(callee['property']) === property
  )
}

export function argumentsOf(node: Node): Node[] {
  return (node['arguments'] as Node[] | undefined) ?? []
}

/** Returns what `import` statements bring from a module: the imported names by the local ones. */
export function importsFrom(program: Node, module: string): Map<string, string> {
  const names = new Map<string, string>()
  visit(program, (node) => {
    if (node.type !== 'ImportDeclaration' || textOf(node['source']) !== module) return
    for (const { local, imported } of node['specifiers'] as Node[])
      names.set(nameOf(local) ?? '', nameOf(imported) ?? '')
  })
  return names
}

/** Returns the numbers that the file gives a name. */
export function constantsOf(program: Node): Map<string, number> {
  const constants = new Map<string, number>()
  visit(program, (node) => {
    if (node.type !== 'VariableDeclarator' || !isNode(node['init'])) return
    const name = nameOf(node['id'])
    const value = numberOf(node['init'], constants)
    if (name !== null && value !== null) constants.set(name, value)
  })
  return constants
}

/** Returns the number of a literal, a constant, or a sum or product of them; null where only running it would tell. */
export function numberOf(node: unknown, constants: ReadonlyMap<string, number>): number | null {
  if (!isNode(node)) return null
  if (node.type === 'Literal' && typeof node['value'] === 'number') return node['value']
  if (node.type === 'BinaryExpression') {
    const [left, right] = [numberOf(node['left'], constants), numberOf(node['right'], constants)]
    if (left === null || right === null) return null
    switch (node['operator']) {
      case '*':
        return left * right
      case '/':
        return left / right
      case '+':
        return left + right
      case '-':
        return left - right
      default:
        return null
    }
  }
  const name = nameOf(node)
  return name === null ? null : (constants.get(name) ?? null)
}

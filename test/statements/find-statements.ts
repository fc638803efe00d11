/** Finds every piece of SQL in the code: its place, its written text and what the code claims it returns. */
import fs from 'node:fs/promises'
import path from 'node:path'
import { parseSync } from 'vite'

export type WrittenSql = {
  file: string
  line: number
  /**
   * `statement`: run as it is. `fragment`: a part of others. `named`: text of `statement(name, …)`.
   * `query`: the argument of `.query<Row>(…)`.
   */
  kind: 'statement' | 'fragment' | 'named' | 'query'
  /** Name of a named statement, else null. */
  name: string | null
  /** Written texts between the inserted expressions; null where only running the code would tell. */
  chunks: string[] | null
  /** The type in `sql<…>`, and its position in the file; null where nothing is claimed. */
  claim: { start: number; end: number; text: string } | null
}

type Node = { type: string; start: number; end: number; [key: string]: unknown }

/** Returns all SQL in `folder` except in tests, in order of file and position. */
export async function findSql(folder: string): Promise<WrittenSql[]> {
  const names = await fs.readdir(folder, { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort()
  const found = await Promise.all(
    files.map(async (name) => {
      const file = path.join(folder, name)
      return sqlIn(file, await fs.readFile(file, 'utf8'))
    }),
  )
  return found.flat()
}

export function sqlIn(file: string, code: string): WrittenSql[] {
  const { program, errors } = parseSync(file, code)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  const run = new Set<unknown>()
  const found: WrittenSql[] = []
  visit(program, (node) => {
    const callee = node.type === 'CallExpression' && isNode(node['callee']) ? node['callee'] : null
    if (callee !== null && nameOf(callee['property']) === 'execute') run.add(callee['object'])
    const written = writtenIn(node, callee)
    if (written === null) return
    const line = code.slice(0, node.start).split('\n').length
    const kind = written.kind === 'fragment' && run.has(node) ? 'statement' : written.kind
    found.push({ name: null, ...written, file, line, kind, claim: claimOf(node, code) })
  })
  return found.filter(({ chunks }) => chunks?.join('').trim() !== '')
}

type Written = Pick<WrittenSql, 'kind' | 'chunks'> & { name?: string }

function writtenIn(node: Node, callee: Node | null): Written | null {
  const tag = node.type === 'TaggedTemplateExpression' ? nameOf(node['tag']) : null
  if (tag === 'sql') return { kind: 'fragment', chunks: chunksOf(node['quasi']) }
  if (tag === 'query') return { kind: 'statement', chunks: chunksOf(node['quasi']) }
  if (callee === null) return null
  const [first] = node['arguments'] as Node[]
  if (nameOf(callee) === 'statement' && first?.type === 'Literal') {
    return { kind: 'named', name: String(first['value']), chunks: null }
  }
  if (nameOf(callee['property']) === 'query' && isNode(node['typeArguments'])) {
    return { kind: 'query', chunks: chunksOf(first) }
  }
  return null
}

/** Returns the texts of a template or a literal between the expressions. */
function chunksOf(node: unknown): string[] | null {
  if (!isNode(node)) return null
  if (node.type === 'Literal') return [String(node['value'])]
  if (node.type !== 'TemplateLiteral') return null
  return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
}

function claimOf(node: Node, code: string): WrittenSql['claim'] {
  const given = node['typeArguments']
  const [type] = isNode(given) ? (given['params'] as Node[]) : []
  if (type === undefined || type.type === 'TSUnknownKeyword') return null
  return { start: type.start, end: type.end, text: code.slice(type.start, type.end) }
}

/** Visits a call before the object that it is made on, so that it is known whether a template is run. */
function visit(value: unknown, meet: (node: Node) => void): void {
  if (Array.isArray(value)) value.forEach((one) => visit(one, meet))
  if (!isNode(value)) return
  meet(value)
  for (const part of Object.values(value)) if (typeof part === 'object') visit(part, meet)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? String(node['name']) : null
}

/** Finds every regular expression written in a source file: literals, `new RegExp` and `pattern` texts. */
import { parseSync } from 'vite'

/** `source` is null where it is put together at run time, so that nothing can be said about it. */
export type FoundRegex = { line: number; source: string | null; flags: string; text: string }

type Node = { type: string; start: number; end: number; [key: string]: unknown }

/** Returns the expressions in the order of the file; `text` is the code there, cut to fit a message. */
export function findRegexes(file: string, code: string): FoundRegex[] {
  const { program, errors } = parseSync(file, code)
  const [error] = errors
  if (error !== undefined) throw new Error(`${file}: ${error.message}`)
  const texts = constantsOf(program as unknown as Node)
  const found: FoundRegex[] = []
  visit(program, (node) => {
    const regex = regexOf(node, texts)
    if (regex === null) return
    const line = code.slice(0, node.start).split('\n').length
    found.push({ line, ...regex, text: code.slice(node.start, node.end).slice(0, TEXT_CHARS_MAX) })
  })
  return found
}

const TEXT_CHARS_MAX = 100

type Written = { source: string | null; flags: string }

function regexOf(node: Node, texts: ReadonlyMap<string, string>): Written | null {
  if (node.type === 'Literal' && isObject(node.regex)) {
    const { pattern, flags } = node.regex as { pattern: string; flags: string }
    return { source: pattern, flags }
  }
  if (
    (node.type === 'NewExpression' || node.type === 'CallExpression') &&
    nameOf(node.callee) === 'RegExp'
  ) {
    const [source, flags] = node.arguments as unknown[]
    return { source: textOf(source, texts), flags: textOf(flags, texts) ?? '' }
  }
  // Patterns of schemas; typebox compiles them with the flag u.
  if (node.type === 'Property' && nameOf(node.key) === 'pattern' && !isRegex(node.value)) {
    return { source: textOf(node.value, texts), flags: 'u' }
  }
  return null
}

/** Returns the texts, and the sources of literals, that the file gives a name. */
function constantsOf(program: Node): Map<string, string> {
  const texts = new Map<string, string>()
  visit(program, (node) => {
    if (node.type !== 'VariableDeclarator') return
    const text = textOf(node.init, texts) ?? (isRegex(node.init) ? node.init.regex.pattern : null)
    const name = nameOf(node.id)
    if (text !== null && name !== null) texts.set(name, text)
  })
  return texts
}

/** Returns the text that an expression is certain to have; null where only running it would tell. */
function textOf(node: unknown, texts: ReadonlyMap<string, string>): string | null {
  if (!isNode(node)) return null
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'Identifier') return texts.get(String(node.name)) ?? null
  if (node.type === 'MemberExpression' && nameOf(node.property) === 'source')
    return textOf(node.object, texts)
  if (node.type === 'TaggedTemplateExpression') return templateOf(node.quasi, texts, 'raw')
  return node.type === 'TemplateLiteral' ? templateOf(node, texts, 'cooked') : null
}

function templateOf(
  node: unknown,
  texts: ReadonlyMap<string, string>,
  form: 'raw' | 'cooked',
): string | null {
  if (!isNode(node)) return null
  const quasis = node.quasis as { value: { raw: string; cooked: string } }[]
  const parts = (node.expressions as unknown[]).map((expression) => textOf(expression, texts))
  if (parts.includes(null)) return null
  return quasis.map(({ value }, at) => value[form] + (parts[at] ?? '')).join('')
}

function isRegex(node: unknown): node is Node & { regex: { pattern: string } } {
  return isNode(node) && isObject(node.regex)
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : null
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) return value.forEach((each) => visit(each, see))
  if (!isObject(value)) return
  if (isNode(value)) see(value)
  for (const part of Object.values(value)) visit(part, see)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isNode(value: unknown): value is Node {
  return isObject(value) && typeof value.type === 'string' && typeof value.start === 'number'
}

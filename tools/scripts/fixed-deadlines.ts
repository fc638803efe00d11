/**
 * Finds deadlines of the product that no setting reaches: a constant that src/features or src/mcp hands to a timer. An
 * answer depends on it, and a slow machine needs a longer one: so it stands in `LIMITS.deadlines`, and code has it from
 * its `Config`, multiplied by DATABASE_PATIENCE.
 */
import {
  argumentsOf,
  constantsOf,
  importsFrom,
  isCallOf,
  isNode,
  lineOf,
  nameOf,
  numberOf,
  type Node,
  type ParsedFile,
  textOf,
  visit,
} from './syntax.ts'

const PLACES = /^src\/(?:features|mcp)\//
/** Constants that no setting shall reach, by file and text, each with the reason. */
const KEPT: Record<string, string> = {
  'src/features/webhooks/sender.ts LIMITS.deliveryMs':
    'receivers are promised it, and the lease of a delivery is longer',
  'src/features/mail/transport.ts MAIL_SEND_MS':
    'no answer waits for it, and an email is due again after a minute',
  'src/features/follow/first-look.ts FIRST_LOOK_PAUSE_MS': 'a period: how often it looks',
  'src/features/search/answers.ts BEHIND_AGAIN_MS': 'a period: how often it looks',
  'src/mcp/tools/get-transcript.ts LIMITS.agentWaitSeconds':
    'clients give up a tool after 60 seconds, whatever the patience',
}

/** Names of what a deadline is handed on as. */
const DEADLINE_NAME =
  /(?:[dD]eadline|[wW]ait|[uU]ntil|[pP]atience|[tT]imeout)\w*(?:Ms|Seconds)$|[tT]imeout(?:Millis)?$/
const TIME_CONSTANT = /^[A-Z][A-Z0-9_]*_(?:MS|SECONDS)$/
/** Objects of constants, such as LIMITS. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/
const WRITTEN_IN_SQL = /(?:statement|lock|busy|session)_timeout\s*(?:=|to)\s*'?[1-9]/
const PUT_INTO_SQL = /(?:statement|lock|busy|session)_timeout\s*(?:=|to)\s*'?$/
const TOLD =
  'is a deadline that no setting reaches: put it into LIMITS.deadlines and take it from `config.deadlines`'

/** Returns a sentence for each, and for each row above that is of no use any more. */
export function findFixedDeadlines(sources: ReadonlyMap<string, ParsedFile>): string[] {
  const kept = new Set<string>()
  const found = [...sources].flatMap(([file, source]) => {
    if (!PLACES.test(file) || file.endsWith('.test.ts')) return []
    const { code } = source
    return [...fixedIn(source)].flatMap((node) => {
      const text = code.slice(node.start, node.end)
      const row = `${file} ${text}`
      if (!(row in KEPT)) return [`${file}:${lineOf(code, node)} ${text} ${TOLD}`]
      kept.add(row)
      return []
    })
  })
  const stale = Object.keys(KEPT).filter(
    (row) => sources.has(row.split(' ')[0] ?? '') && !kept.has(row),
  )
  return [
    ...new Set(found),
    ...stale.map((row) => `tools/scripts/fixed-deadlines.ts keeps ${row}, which is gone`),
  ]
}

/** Returns the constants that are handed to something that waits for so long. */
function fixedIn({ program }: ParsedFile): Set<Node> {
  const isFixed = fixedBy(program)
  const sleeps = importsFrom(program, 'node:timers/promises')
  const found = new Set<Node>()
  const take = (node: unknown): void => {
    if (isNode(node) && isFixed(node)) found.add(node)
  }
  visit(program, (node) => {
    const [first, second] = argumentsOf(node)
    const callee = nameOf(node['callee']) ?? ''
    if (sleeps.get(callee) === 'setTimeout') take(first)
    else if (isCallOf(node, null, 'setTimeout')) take(second)
    if (isCallOf(node, 'AbortSignal', 'timeout')) take(first)
    const terms = termsOf(node)
    if (terms.some((term) => isCallOf(term, 'performance', 'now'))) terms.forEach(take)
    if (node.type === 'Property' && DEADLINE_NAME.test(nameOf(node['key']) ?? ''))
      take(given(node['value']))
    if (node.type === 'AssignmentPattern' && DEADLINE_NAME.test(nameOf(node['left']) ?? ''))
      take(node['right'])
    const { texts, values } = deadlinesInSql(node)
    texts.forEach((text) => found.add(text))
    values.forEach(take)
  })
  return found
}

/** Returns the value of a property, or its default where a pattern takes it. */
function given(value: unknown): unknown {
  return isNode(value) && value.type === 'AssignmentPattern' ? value['right'] : value
}

/** Returns the terms of a sum. */
function termsOf(node: Node): Node[] {
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return []
  return [node['left'], node['right']].filter(isNode).flatMap((side) => {
    const terms = termsOf(side)
    return terms.length > 0 ? terms : [side]
  })
}

/** Returns the texts with a number behind `statement_timeout =` and the like, and the values that are put there. */
function deadlinesInSql(node: Node): { texts: Node[]; values: Node[] } {
  const text = textOf(node)
  if (text !== null) return { texts: WRITTEN_IN_SQL.test(text) ? [node] : [], values: [] }
  if (node.type !== 'TemplateLiteral') return { texts: [], values: [] }
  const quasis = node['quasis'] as Node[]
  const rawOf = ({ value }: Node): string => (value as { raw: string }).raw
  return {
    texts: quasis.filter((quasi) => WRITTEN_IN_SQL.test(rawOf(quasi))),
    values: (node['expressions'] as Node[]).filter((_, at) => {
      const before = quasis[at]
      return before !== undefined && PUT_INTO_SQL.test(rawOf(before))
    }),
  }
}

/** Returns a function that tells whether running the program changes nothing about an expression; 0 is no deadline. */
function fixedBy(program: Node): (node: Node) => boolean {
  const constants = constantsOf(program)
  const names = new Set<string>()
  const isFixed = (node: unknown): boolean => {
    if (!isNode(node)) return false
    const value = numberOf(node, constants)
    if (value !== null) return value !== 0
    switch (node.type) {
      case 'Identifier':
        return names.has(String(node['name'])) || TIME_CONSTANT.test(String(node['name']))
      case 'MemberExpression':
        return isOfConstants(node)
      case 'BinaryExpression':
        return [node['left'], node['right']].every(
          (side) => isFixed(side) || numberOf(side, constants) !== null,
        )
      case 'LogicalExpression':
        return isFixed(node['right'])
      case 'ConditionalExpression':
        return isFixed(node['consequent']) || isFixed(node['alternate'])
      default:
        return false
    }
  }
  visit(program, (node) => {
    if (node.type === 'AssignmentPattern' && isFixed(node['right']))
      names.add(nameOf(node['left']) ?? '')
    if (node.type !== 'VariableDeclarator' || !isNode(node['id'])) return
    const { id, init } = node
    if (nameOf(id) !== null && isFixed(init)) names.add(nameOf(id) ?? '')
    if (id.type === 'ObjectPattern' && (CONSTANT.test(nameOf(init) ?? '') || isOfConstants(init)))
      for (const { value } of id['properties'] as Node[]) names.add(nameOf(value) ?? '')
  })
  return isFixed
}

/** Returns whether a node is a part of constants, such as `LIMITS.deadlines.searchMs`. */
function isOfConstants(node: unknown): boolean {
  if (!isNode(node) || node.type !== 'MemberExpression') return false
  return CONSTANT.test(nameOf(node['object']) ?? '') || isOfConstants(node['object'])
}

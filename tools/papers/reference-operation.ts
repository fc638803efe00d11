/** One operation of the reference: what it takes, what it needs, and what it answers. */
import {
  type DocumentedAnswer,
  code,
  contextOf,
  errorName,
  exampleOf,
  heading,
  isUsual,
  type Named,
  type Operation,
  type Whole,
} from './reference-document.ts'
import { componentOf, fieldLine, fieldLines, typeOf } from './reference-fields.ts'

/** Returns the section of one operation. */
export function operationPart(operation: Named, whole: Whole): string {
  const { operationId, title, summary, description, responses } = operation
  const good = Object.entries(responses).filter(([status]) => status < '4')
  return [
    heading(2, operationId, title),
    `${summary}.\n\n`,
    description === undefined ? '' : `${description}\n\n`,
    `${needsOf(operation, whole)}\n\n`,
    ...['path', 'query', 'header'].map((place) => parametersPart(operation, { place, whole })),
    bodyPart(operation, whole),
    '**Answers**\n\n',
    ...good.map(([status, answer]) => answerLine({ status, answer }, whole)),
    ...errorLines(operation, whole),
    '\n',
    ...fieldsOfAnswers(good, whole),
  ].join('')
}

function needsOf(operation: Operation, { security }: Whole): string {
  const { operationId, 'x-action-class': kind, 'x-extension': isExtension } = operation
  const ways = (operation.security ?? security).flatMap((way) =>
    Object.entries(way).map(([scheme, scopes]) =>
      scopes.length === 0
        ? (KEYS[scheme] ?? scheme)
        : `OAuth with ${scopes.map(code).join(' and ')}`,
    ),
  )
  const needs = ways.length === 0 ? 'no key needed' : `needs ${ways.join(', or ')}`
  const more = [kind === undefined ? null : `class ${code(kind)}`, isExtension ? 'extension' : null]
  return `${[code(operationId), needs, ...more.filter((one) => one !== null)].join('; ')}.`
}

const KEYS: Record<string, string> = { apiKey: 'an API key', oauth2: 'OAuth' }

/** Returns the parameters of one place, under its title; nothing where there are none. */
export function parametersPart(
  { parameters = [] }: Operation,
  { place, whole }: { place: string; whole: Whole },
): string {
  const lines = parameters
    .filter((one) => one.in === place)
    .map((one) => {
      const { name, schema, description, required = false, 'x-extension': extension } = one
      const field = {
        ...schema,
        ...(description === undefined ? {} : { description }),
        ...(extension === undefined ? {} : { 'x-extension': extension }),
      }
      return fieldLine(name, field, { ...contextOf(whole, 'request'), isRequired: required })
    })
  if (lines.length === 0) return ''
  const title = { path: 'In the path', query: 'Query', header: 'Headers' }[place] ?? place
  return `**${title}**\n\n${lines.join('')}\n`
}

function bodyPart({ requestBody }: Operation, whole: Whole): string {
  if (requestBody === undefined) return ''
  return Object.entries(requestBody.content)
    .map(([type, { schema = {}, examples }]) => {
      const context = contextOf(whole, 'request')
      const lines = fieldLines(schema, context).join('')
      const kind = typeOf(schema, context)
      return `**Body** (${code(type)}: ${kind}; required)\n\n${lines}\n${exampleOf(examples)}`
    })
    .join('')
}

function answerLine(
  { status, answer }: { status: string; answer: DocumentedAnswer },
  whole: Whole,
): string {
  const { description, content = {}, headers = {} } = answer
  const usual = whole.usualHeaders.get(status)
  const named = Object.keys(headers).filter((field) => usual?.has(field) !== true)
  const types = Object.entries(content).map(([type, { schema = {} }]) => {
    const kind = schema.type === 'string' ? '' : ` (${typeOf(schema, contextOf(whole, 'answer'))})`
    return `\`${type}\`${kind}`
  })
  const facts = [
    types.join(', '),
    named.length === 0 ? '' : `headers ${named.map(code).join(', ')}`,
  ].filter((fact) => fact !== '')
  return `- ${status}: ${description}${facts.length === 0 ? '' : `; ${facts.join('; ')}`}\n`
}

/**
 * Returns a line for each error of which more is to be said than its code does, and one for the others, without those
 * that every operation with a key has.
 */
function errorLines({ responses, security }: Operation, whole: Whole): string[] {
  const errors = Object.entries(responses).filter(([status]) => status >= '4')
  const own = errors.filter(([, answer]) => !isUsual(answer, whole))
  const usual = errors.filter(([, answer]) => isUsual(answer, whole)).map(errorName)
  const left = usual.filter((name) => security?.length === 0 || !whole.usualErrors.has(name))
  const names = left.length === 0 ? 'those of every call' : left.join(', ')
  return [
    ...own.map((one) => `- ${errorName(one)}: ${one[1].description}\n`),
    usual.length === 0 ? '' : `- [Errors](#errors): ${names}\n`,
  ]
}

/** Returns the fields of the answers whose schemas have no section, each once, with an example. */
function fieldsOfAnswers(answers: [string, DocumentedAnswer][], whole: Whole): string[] {
  const seen = new Set<string>()
  return answers.flatMap(([status, { content = {} }]) =>
    Object.entries(content).map(([type, { schema = {}, examples }]) => {
      const lines = fieldLines(schema, contextOf(whole, 'answer')).join('')
      const example = whole.sections.has(componentOf(schema) ?? '') ? '' : exampleOf(examples)
      if (lines + example === '' || seen.has(lines + example)) return ''
      seen.add(lines + example)
      return `**Answer ${status}** (\`${type}\`)\n\n${lines}${lines === '' ? '' : '\n'}${example}`
    }),
  )
}

/**
 * The reference of the API as Markdown, written from the OpenAPI document: every operation with its parameters, fields,
 * answers and errors, every event, and each schema that several of them share.
 */
import { PROBLEMS, type ProblemCode } from '../../src/kit/problem.ts'
import { ERROR_GUIDE } from './error-guide.ts'
import {
  code,
  codesOf,
  contextOf,
  type Example,
  exampleOf,
  heading,
  isUsual,
  JSON_CONTENT,
  type Named,
  readOpenApi,
  codesSentence,
  type Whole,
} from './reference-document.ts'
import { componentOf, fieldLines, linkTo, typeOf } from './reference-fields.ts'
import { operationPart, parametersPart } from './reference-operation.ts'

/** Returns the reference. */
export function referenceOf(openapi: Record<string, unknown>): string {
  const whole = readOpenApi(openapi)
  const operations = whole.tags.flatMap(({ name }) => taggedWith(name, whole))
  const parts = [
    `# Scriptorium API\n\nPaths are below ${whole.servers[0]?.url ?? ''}.\n\n`,
    contentsOf(whole),
    `${heading(2, 'introduction', 'Introduction')}${whole.info.description.trim()}\n\n`,
    headersPart(whole),
    ...operations.map((operation) => operationPart(operation, whole)),
    webhooksPart(whole),
    errorsPart(whole),
    schemasPart(whole),
  ]
  return `${parts.join('').trimEnd()}\n`
}

function taggedWith(tag: string, { operations }: Whole): Named[] {
  return operations.filter(({ tags }) => tags?.[0] === tag)
}

function contentsOf(whole: Whole): string {
  const lines = whole.tags.map(({ name, description }) => {
    const links = taggedWith(name, whole).map(
      ({ title, operationId }) => `[${title}](#${operationId})`,
    )
    return `- ${name} (${description}): ${links.join(', ')}\n`
  })
  const more = ['introduction', 'headers', 'webhook-events', 'errors', 'schemas'].map(
    (anchor) => `[${anchor.replace('-', ' ')}](#${anchor})`,
  )
  return `${lines.join('')}- And ${more.join(', ')}\n\n`
}

// Headers that all answers of a status have are written once.

function headersPart(whole: Whole): string {
  const lines = Object.entries(fieldsOfHeaders(whole)).map(([field, component]) => {
    const { description = '', example } = whole.components.headers[component] ?? {}
    const shown = example === undefined ? '' : `, such as ${code(String(example))}`
    return `- ${code(field)} (${answersWith(field, whole)}): ${description}${shown}\n`
  })
  const about = 'Operations that need no key count no requests.\n\n'
  return `${heading(2, 'headers', 'Headers of answers')}${about}${lines.join('')}\n`
}

/** Returns which answers always have a header, in words. */
function answersWith(field: string, { usualHeaders }: Whole): string {
  const has = [...usualHeaders].filter(([, fields]) => fields.has(field)).map(([status]) => status)
  if (has.length === 0) return 'where it is named'
  const [kind, all] = has.some((status) => status < '4')
    ? ['answer', [...usualHeaders.keys()]]
    : ['error', [...usualHeaders.keys()].filter((status) => status >= '4')]
  const lacks = all.filter((status) => !has.includes(status)).sort()
  if (lacks.length === 0) return `every ${kind}`
  return lacks.length < has.length ? `every ${kind} but ${lacks.join(', ')}` : has.sort().join(', ')
}

/** Returns the component of each header by its field. */
function fieldsOfHeaders({ operations }: Whole): Record<string, string> {
  const all = operations.flatMap(({ responses }) => Object.values(responses))
  return Object.fromEntries(
    all.flatMap(({ headers = {} }) =>
      Object.entries(headers).map(([field, { $ref }]) => [field, $ref.split('/').at(-1) ?? '']),
    ),
  )
}

// Events, errors and schemas.

function webhooksPart(whole: Whole): string {
  const events = Object.entries(whole.webhooks)
  const [, first] = events[0] ?? []
  if (first === undefined) return ''
  const lines = events.map(([type, { post }]) => {
    const schema = post.requestBody?.content[JSON_CONTENT]?.schema ?? {}
    return `- \`${type}\` (${typeOf(schema, contextOf(whole, 'answer'))}): ${post.summary}\n`
  })
  const answers = Object.entries(first.post.responses).map(
    ([status, { description }]) => `- ${status}: ${description}\n`,
  )
  return [
    heading(2, 'webhook-events', 'Webhook events'),
    'Each is sent by POST to the addresses of your webhooks that want it, as JSON.\n\n',
    `**Events**\n\n${lines.join('')}\n`,
    parametersPart(first.post, { place: 'header', whole }),
    `**What your answer means**\n\n${answers.join('')}\n`,
  ].join('')
}

function errorsPart(whole: Whole): string {
  const codes = Object.keys(PROBLEMS) as ProblemCode[]
  return [
    heading(2, 'errors', 'Errors'),
    `Every error is JSON of the form ${linkTo('Error')}. Codes are stable; sentences are for people and may change. `,
    'The header `Link` of an error leads to its code here.\n\n',
    `Every call that needs a key may also answer ${[...whole.usualErrors].join(', ')}.\n\n`,
    ...codes.map((one) => errorPart(one, whole)),
  ].join('')
}

function errorPart(problem: ProblemCode, whole: Whole): string {
  const { status, sentence } = PROBLEMS[problem]
  const { when, todo, again } = ERROR_GUIDE[problem]
  const answers = whole.operations
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([, answer]) => codesOf(answer).includes(problem))
  const others = answers
    .filter(([, answer]) => answer.description !== codesSentence(answer) && isUsual(answer, whole))
    .map(([other, { description }]) => `- ${other}: ${description}\n`)
  const own = answers.find(([given]) => given === String(status))
  const { value } = own?.[1].content?.[JSON_CONTENT]?.examples?.[problem] ?? {}
  return [
    heading(3, `error-${problem}`, problem),
    `- ${status}: ${sentence}\n${[...new Set(others)].sort().join('')}`,
    `- When: ${when}\n- What to do: ${todo}\n- Send it again: ${again}\n\n`,
    value === undefined ? '' : exampleOf({ own: { value } }),
  ].join('')
}

function schemasPart(whole: Whole): string {
  const parts = [...whole.sections].sort().map((name) => {
    const schema = whole.components.schemas[name] ?? {}
    const about = schema.description === undefined ? '' : `${schema.description}.\n\n`
    const lines = fieldLines(schema, contextOf(whole, 'answer')).join('')
    return `${heading(3, `schema-${name}`, name)}${about}${lines}\n${exampleOf(examplesOf(name, whole))}`
  })
  return `${heading(2, 'schemas', 'Schemas')}Fields are always there unless they may be missing.\n\n${parts.join('')}`
}

/** Returns the examples of the first answer that is this component. */
function examplesOf(component: string, { operations }: Whole): Record<string, Example> | undefined {
  if (component === 'Error') return undefined
  const answers = operations.flatMap(({ responses }) => Object.values(responses))
  const found = answers.find(
    ({ content }) => componentOf(content?.[JSON_CONTENT]?.schema ?? {}) === component,
  )
  return found?.content?.[JSON_CONTENT]?.examples
}

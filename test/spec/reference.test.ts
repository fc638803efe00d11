/** The reference in Markdown tells all that the schemas of the routes hold, and leads nowhere that is not there. */
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { after, test } from 'node:test'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { parsers } from 'prettier/plugins/markdown'
import type { Json } from '../../tools/conformance/http.ts'
import { referenceOf } from '../../tools/papers/reference.ts'
import { PROBLEMS } from '../../src/kit/problem.ts'
import type { ApiDocument } from '../../web/src/reference/openapi.ts'
import { chaptersOf, chaptersWith } from '../../web/src/reference/parts.ts'
import { testService } from '../support/service.ts'

const routes: RouteOptions[] = []
diagnostics.subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', (route) => void routes.push(route))
})
const { address } = await testService({ after }, { env: { ROLES: 'api' } })
const read = async (url: string): Promise<string> => (await fetch(address + url)).text()
const openapi = JSON.parse(await read('/api/v1/openapi.json')) as Json
const text = await read('/docs.md')

/** Most bytes: what an agent reads before it has asked anything. 148,200 on 2026-11-30, 37,000 tokens or so. */
const REFERENCE_BYTES_MAX = 150_000

const documented = routes.flatMap(({ method, url, schema }) => {
  const isDocumented = url.startsWith('/api/v1/') && schema !== undefined && schema.hide !== true
  const [only] = [method].flat()
  return isDocumented && only !== 'HEAD' ? [schema] : []
})

/** What a text says, by anchor: lines of fields by path, and all of it. */
type Section = { fields: Map<string, string>; text: string }

function sectionsIn(reference: string): Map<string, Section> {
  const [, ...parts] = reference.split('<a id="')
  return new Map(
    parts.map((part) => {
      const [anchor = '', whole = ''] = part.split(/"><\/a>([^]*)/)
      const fields = [...whole.matchAll(/^- `([^`]+)` \(.*$/gm)].map(
        ([line, path = '']) => [path, line] as const,
      )
      return [anchor, { fields: new Map(fields), text: whole }]
    }),
  )
}

/** Returns the fields and values of the routes' schemas that a reference does not have. */
function missingIn(reference: string): string[] {
  const sections = sectionsIn(reference)
  const missing: string[] = []
  const told = new Set<string>()

  const check = (schema: Json, place: { anchor: string; path: string }): void => {
    const { anchor, path } = place
    const own = `schema-${schema['title']}`
    if (sections.has(own) && own !== anchor && lineOf(place).includes(`(#${own})`)) {
      if (told.has(own)) return
      told.add(own)
      return check(schema, { anchor: own, path: '' })
    }
    const line = lineOf(place)
    for (const value of [...(schema['enum'] ?? []), schema['const'] ?? []].flat())
      if (!line.includes(`\`${value}\``)) missing.push(`${anchor} ${path} ${value}`)
    for (const one of schema['anyOf'] ?? []) check(one, place)
    if (schema['items'] !== undefined) check(schema['items'], { anchor, path: `${path}[]` })
    for (const value of Object.values<Json>(schema['patternProperties'] ?? {}))
      check(value, { anchor, path: inside(path, '*') })
    for (const [name, field] of Object.entries<Json>(schema['properties'] ?? {})) {
      const to = { anchor, path: inside(path, name) }
      if (sections.get(anchor)?.fields.has(to.path) !== true) missing.push(`${anchor} ${to.path}`)
      check(field, to)
    }
  }
  /** Items and values have no line of their own: their field's says what they are. */
  const lineOf = ({ anchor, path }: { anchor: string; path: string }): string => {
    const field = path.replace(/(\[\]|\.?\*)+$/, '')
    const section = sections.get(anchor)
    return (field === '' ? section?.text : section?.fields.get(field)) ?? ''
  }

  for (const schema of documented) {
    const anchor = schema.operationId ?? ''
    if (!sections.has(anchor)) missing.push(anchor)
    const headers = { properties: schema.documentedHeaders ?? {} }
    for (const one of [schema.params, schema.querystring, headers, schema.body])
      check({ ...(one as Json), title: undefined }, { anchor, path: '' })
    for (const answered of answersOf(schema)) check(answered, { anchor, path: '' })
  }
  return missing
}

function inside(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** Returns the schemas of a route's good answers. */
function answersOf({ response }: FastifySchema): Json[] {
  return Object.entries(response as Record<string, Json>)
    .filter(([status]) => status < '4')
    .flatMap(([, answer]) => {
      const content = answer['content'] as Record<string, Json> | undefined
      return content === undefined ? [answer] : Object.values(content).map(({ schema }) => schema)
    })
}

test('every field and every value of every route is told where it belongs', () => {
  assert.ok(documented.length > 50)
  assert.deepEqual(missingIn(text), [])
})

test('a field, a value, a parameter, an operation or a schema that is left out is noticed', () => {
  for (const [left, instead] of [
    [/^- `urls` .*\n/m, ''],
    [/, `interrupted`\)/, ')'],
    [/^- `Idempotency-Key` .*\n/m, ''],
    [/^- `billing\.charged` .*\n/m, ''],
    [/^- `sources\[\]\.ownedFrom\.since` .*\n/m, ''],
    [/<a id="listMentions"><\/a>/, ''],
    [/<a id="schema-Subscription"><\/a>/, ''],
  ] as const) {
    const without = text.replace(left, instead)
    assert.notEqual(without, text, String(left))
    assert.notDeepEqual(missingIn(without), [], String(left))
  }
})

test('every answer is told, and every error with its codes and, where it has one, its own sentence', () => {
  const sections = sectionsIn(text)
  const [, ofEveryCall = ''] =
    /^Every call that needs a key may also answer (.*)\.$/m.exec(text) ?? []
  for (const methods of Object.values<Json>(openapi.paths))
    for (const { operationId, responses, security } of Object.values<Json>(methods))
      for (const [status, answer] of Object.entries<Json>(responses)) {
        const told = sections.get(operationId)?.text ?? ''
        if (status < '4') assert.ok(told.includes(`- ${status}: ${answer.description}`), told)
        const types = status < '4' ? Object.keys(answer.content ?? {}) : []
        for (const type of types) assert.ok(told.includes(`\`${type}\``), `${operationId} ${type}`)
        if (status < '4') continue
        const codes = Object.keys(answer.content['application/json'].examples)
        const names = codes.map((code) => `\`${code}\``).join(' or ')
        const errors = security?.length === 0 ? told : `${told}${ofEveryCall}`
        assert.ok(errors.includes(`${status} ${names}`), `${operationId} ${status} ${names}`)
        const sentences = [operationId, ...codes.map((code) => `error-${code}`)].map(
          (anchor) => sections.get(anchor)?.text ?? '',
        )
        for (const sentence of answer.description.split(' Or: '))
          assert.ok(
            sentences.some((one) => one.includes(sentence)),
            `${operationId} ${status} ${sentence}`,
          )
      }
})

test('every code has a part with its status, its advice and an example', () => {
  const sections = sectionsIn(text)
  for (const [code, { status, sentence }] of Object.entries(PROBLEMS)) {
    const part = sections.get(`error-${code}`)?.text ?? ''
    assert.ok(part.includes(`### ${code}\n\n- ${status}: ${sentence}\n`), code)
    for (const word of ['When', 'What to do', 'Send it again'])
      assert.match(part, new RegExp(`\n- ${word}: [A-Z].+\\.\n`), `${code} ${word}`)
    assert.ok(part.includes(`"code":"${code}"`), code)
  }
})

test('every event and every header of an answer is told', () => {
  const { text: events = '' } = sectionsIn(text).get('webhook-events') ?? {}
  for (const [type, { post }] of Object.entries<Json>(openapi.webhooks)) {
    const { $ref } = post.requestBody.content['application/json'].schema
    const schema = $ref.split('/').at(-1)
    assert.ok(events.includes(`- \`${type}\` ([${schema}](#schema-${schema})): ${post.summary}`))
    for (const { name } of post.parameters) assert.ok(events.includes(`- \`${name}\` (`), name)
    for (const [status, { description }] of Object.entries<Json>(post.responses))
      assert.ok(events.includes(`- ${status}: ${description}`))
  }
  const { text: headers = '' } = sectionsIn(text).get('headers') ?? {}
  for (const { description } of Object.values<Json>(openapi.components.headers))
    assert.ok(headers.includes(description), description)
})

test('it is Markdown whose links lead to its own parts, and whose examples are JSON', async () => {
  const nodes: Json[] = []
  const walk = (node: Json): void => {
    nodes.push(node)
    for (const child of node['children'] ?? []) walk(child)
  }
  walk((await parsers.markdown.parse(text, { originalText: text } as never)) as Json)
  const anchors = nodes.flatMap(({ type, value }) => {
    if (type !== 'html') return []
    const [, anchor] = /^<a id="([\w-]+)">$/.exec(value) ?? []
    assert.ok(anchor !== undefined || value === '</a>', `only anchors are HTML: ${value}`)
    return anchor === undefined ? [] : [anchor]
  })
  assert.equal(new Set(anchors).size, anchors.length)
  const links = nodes.filter(({ type }) => type === 'link').map(({ url }) => String(url))
  const inner = links.filter((url) => url.startsWith('#')).map((url) => url.slice(1))
  assert.ok(inner.length > 100)
  assert.deepEqual(
    inner.filter((anchor) => !anchors.includes(anchor)),
    [],
  )
  const examples = nodes.filter(({ type, lang }) => type === 'code' && lang === 'json')
  assert.ok(examples.length > 40)
  for (const { value } of examples) JSON.parse(value)
  assert.equal(nodes.filter(({ type, depth }) => type === 'heading' && depth === 1).length, 1)
  const bytes = Buffer.byteLength(text)
  assert.ok(bytes <= REFERENCE_BYTES_MAX, `${bytes} bytes`)
})

test('what a call needs is told as the document says it', () => {
  const operation = { summary: 'Act', tags: ['Acts'], responses: {} }
  const told = (more: Json): string =>
    referenceOf({
      info: { description: 'Some.' },
      servers: [{ url: 'https://texts.example/api/v1' }],
      security: [{ apiKey: [] }],
      tags: [{ name: 'Acts', description: 'All' }],
      paths: { '/acts': { post: { ...operation, operationId: 'act', ...more } } },
      webhooks: {},
      components: { schemas: {}, headers: {} },
    })
  const isBoth = {
    security: [{ apiKey: [] }, { oauth2: ['jobs:write'] }],
    'x-action-class': 'spend',
  }
  assert.match(
    told(isBoth),
    /\n`act`; needs an API key, or OAuth with `jobs:write`; class `spend`\.\n/,
  )
  assert.match(told({ security: [] }), /\n`act`; no key needed\.\n/)
  assert.match(told({}), /\n`act`; needs an API key\.\n/)
})

test('the website takes the reference apart without losing anything', () => {
  const chapters = chaptersOf(text, openapi as unknown as ApiDocument)
  const parts = chapters.flatMap(({ head, parts }) => [...(head === null ? [] : [head]), ...parts])
  assert.deepEqual(parts.map(({ id }) => id).toSorted(), [...sectionsIn(text).keys()].toSorted())
  const pages = chapters.flatMap(({ group }) => (group === '' ? [] : [group]))
  assert.deepEqual(new Set(pages).size, pages.length, 'no two chapters share a page but the first')
  const tags = chapters.filter(({ head }) => head === null)
  assert.deepEqual(
    tags.map(({ title }) => title),
    openapi.tags.map(({ name }: Json) => name),
  )
  for (const { id, operation } of tags.flatMap(({ parts }) => parts))
    assert.equal(operation?.operationId, id)
  const kinds = new Set(parts.flatMap(({ pieces }) => pieces.map(({ type }) => type)))
  assert.deepEqual([...kinds].toSorted(), ['label', 'list', 'paragraph'])

  const found = chaptersWith(' Last-Event-ID  connection ', chapters)
  assert.deepEqual(
    found.map(({ title }) => title),
    ['Introduction'],
  )
  assert.deepEqual(chaptersWith('', chapters), chapters)
})

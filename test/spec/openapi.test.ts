/** The OpenAPI document beyond the conformance kit: examples and names. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Compile } from 'typebox/schema'
import { documentOf } from '../../src/api/openapi.ts'
import { PROBLEMS } from '../../src/kit/problem.ts'
import type { Json } from '../../conformance/http.ts'
import { testService } from '../support/service.ts'

const { address } = await testService(
  { after },
  { env: { ROLES: 'api', PUBLIC_URL: 'https://transcripts.test' } },
)
const document = (await (await fetch(`${address}/api/v1/openapi.json`)).json()) as Json
const operations: Json[] = Object.entries<Json>(document.paths).flatMap(([url, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ ...operation, url, method })),
)

test('links and servers begin with the public address', () => {
  assert.deepEqual(
    document.servers.map((server: Json) => server.url),
    ['https://transcripts.test/api/v1'],
  )
  assert.ok(
    Object.keys(document.paths).every((url) => url.startsWith('/') && !url.startsWith('/api')),
  )
})

test('every answer has a description, and every JSON answer an example that its schema takes', () => {
  let checked = 0
  for (const { operationId, responses } of operations) {
    for (const [status, answer] of Object.entries<Json>(responses)) {
      assert.match(answer.description, /\S/, `${operationId} ${status}`)
      const content = answer.content?.['application/json']
      if (
        content === undefined ||
        (operationId === 'getFile' && status.startsWith('2')) ||
        (operationId === 'getReceipt' && status === '200')
      )
        continue
      const checker = Compile({ ...content.schema, components: document.components })
      const examples = Object.entries<Json>(content.examples ?? {})
      assert.ok(examples.length > 0, `${operationId} ${status} has no example`)
      for (const [name, { value }] of examples) {
        const faults = checker.Check(value) ? [] : checker.Errors(value)
        assert.deepEqual(faults, [], `${operationId} ${status} ${name}`)
        checked += 1
      }
    }
  }
  assert.ok(checked > 30)
})

test('every error code has an example with its own status', () => {
  const seen = new Set<string>()
  for (const { responses } of operations) {
    for (const [status, answer] of Object.entries<Json>(responses)) {
      for (const [code, { value }] of Object.entries<Json>(
        answer.content?.['application/json']?.examples ?? {},
      )) {
        if (value.error?.code !== code) continue
        seen.add(code)
        const { status: own } = PROBLEMS[code as keyof typeof PROBLEMS]
        assert.ok(Number(status) === own || code === 'invalid_request', `${code} under ${status}`)
      }
    }
  }
  assert.deepEqual([...seen].sort(), Object.keys(PROBLEMS).sort())
})

test('request examples are requests that the schema takes', () => {
  const { content } = operations.find(({ operationId }) => operationId === 'createJob')!.requestBody
  const checker = Compile({
    ...content['application/json'].schema,
    components: document.components,
  })
  for (const { value } of Object.values<Json>(content['application/json'].examples))
    assert.ok(checker.Check(value))
})

test('operations have names fit for generators, a summary, a tag, and a key unless they need none', () => {
  const names = operations.map(({ operationId }) => operationId)
  assert.equal(new Set(names).size, names.length)
  for (const {
    operationId,
    summary,
    tags,
    security,
    responses,
    parameters = [],
    url,
  } of operations) {
    assert.match(operationId, /^[a-z][A-Za-z]+$/)
    assert.match(summary, /\S/)
    assert.ok(tags.every((tag: string) => document.tags.some(({ name }: Json) => name === tag)))
    assert.deepEqual(security, operationId === 'getOpenApi' ? [] : undefined)
    assert.ok(Object.keys(responses).some((status) => status.startsWith('4')))
    const inPath = parameters.filter((one: Json) => one.in === 'path').map((one: Json) => one.name)
    assert.deepEqual(
      inPath,
      [...url.matchAll(/\{(\w+)\}/g)].map((found) => found[1]),
    )
  }
})

test('every component is used, and every reference leads to one', () => {
  const text = JSON.stringify(document)
  const used = new Set(
    [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(
      ([, kind, name]) => `${kind}/${name}`,
    ),
  )
  const made = ['schemas', 'headers'].flatMap((kind) =>
    Object.keys(document.components[kind]).map((name) => `${kind}/${name}`),
  )
  assert.deepEqual([...used].sort(), made.sort())
})

test('a route without a documented schema is not in the document', () => {
  const routes = [
    { method: 'GET', url: '/api/v1/hidden', schema: { hide: true } },
    { method: 'GET', url: '/api/v1/bare', schema: undefined },
  ]
  assert.deepEqual(documentOf(routes, 'https://x.test')['paths'], {})
})

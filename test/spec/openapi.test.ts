/** The OpenAPI document beyond the conformance kit: examples and names. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Compile } from 'typebox/schema'
import { readExamples } from '../../tools/papers/examples.ts'
import { documentOf } from '../../tools/papers/openapi.ts'
import {
  FIELDS_BEYOND,
  VERSION_1_HEADERS,
  VERSION_1_PARAMETERS,
} from '../../tools/papers/version-1.ts'
import { readDescription } from '../../src/api/documents/printed.ts'
import { termsUrlOf } from '../../src/api/site-settings.ts'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { PROBLEMS } from '../../src/kit/problem.ts'
import { APP_SCOPES } from '../../src/model/oauth/authorization.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { liftLimits } from '../support/rate-limits.ts'
import { testService } from '../support/service.ts'

const { address, customer, database } = await testService(
  { after },
  { env: { ROLES: 'api', PUBLIC_URL: 'https://transcripts.test' } },
)
const document = (await (await fetch(`${address}/api/v1/openapi.json`)).json()) as Json
const operations: Json[] = Object.entries<Json>(document.paths).flatMap(([url, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ ...operation, url, method })),
)

/** How an operation gets its examples. */
const RECORD = 'ask it in tools/papers/example-walk.ts, then `npm run print -- --examples`'

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
      assert.ok(examples.length > 0, `${operationId} ${status} has no example: ${RECORD}`)
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

test('every body has an example, and every example is a body that its schema takes', () => {
  const asking = operations.filter(({ requestBody }) => requestBody !== undefined)
  assert.ok(asking.length > 10)
  for (const { operationId, requestBody } of asking) {
    const { schema, examples = {} } = requestBody.content['application/json']
    const checker = Compile({ ...schema, components: document.components })
    assert.ok(Object.keys(examples).length > 0, `${operationId} has no example: ${RECORD}`)
    for (const [name, { value }] of Object.entries<Json>(examples)) {
      const faults = checker.Check(value) ? [] : checker.Errors(value)
      assert.deepEqual(faults, [], `${operationId} ${name}`)
    }
  }
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
    assert.equal(tags?.length, 1, `${operationId} stands in one group of the reference`)
    assert.ok(
      document.tags.some(({ name }: Json) => name === tags[0]),
      operationId,
    )
    assert.equal(security?.length === 0, operationId === 'getOpenApi')
    assert.ok(Object.keys(responses).some((status) => status.startsWith('4')))
    const inPath = parameters.filter((one: Json) => one.in === 'path').map((one: Json) => one.name)
    assert.deepEqual(
      inPath,
      [...url.matchAll(/\{(\w+)\}/g)].map((found) => found[1]),
    )
  }
})

test('the document says who answers for the service, and how apps get a token', async () => {
  assert.deepEqual(document.info.contact, {
    name: 'The operator of this service',
    url: 'https://transcripts.test',
  })
  assert.equal(document.info.termsOfService, undefined, 'this operator has no page of terms')
  const legal = [{ path: '/terms', title: 'Terms', text: '', isTemplate: false }]
  const termsUrl = termsUrlOf({ publicUrl: 'https://x.test', legal })
  const served = readDescription({ publicUrl: 'https://x.test', termsUrl }).toString()
  assert.equal((JSON.parse(served) as Json).info.termsOfService, 'https://x.test/terms')

  const { flows } = document.components.securitySchemes.oauth2
  const metadata = (await (
    await fetch(`${address}/.well-known/oauth-authorization-server`)
  ).json()) as Json
  assert.deepEqual(
    [flows.authorizationCode.authorizationUrl, flows.authorizationCode.tokenUrl],
    [metadata.authorization_endpoint, metadata.token_endpoint],
  )
  assert.deepEqual(Object.keys(flows.authorizationCode.scopes), metadata.scopes_supported)
})

test('each operation lets in the scopes that the document says, and no others', async () => {
  const buyer = await customer()
  const { accountId } = buyer
  for (const scope of APP_SCOPES) {
    const key = { accountId, name: scope, limits: { scopes: [scope], monthlyCapMicros: null } }
    const { apiKey } = await transact(database.db, (tx) => issueKey(tx, key))
    await liftLimits(database.pool, accountId)
    const caller = new Customer({ address, accountId, apiKey })
    for (const { method, url, operationId, security, requestBody } of operations) {
      const scopes = security?.flatMap((one: Json) => one.oauth2 ?? [])
      const isAllowed = security?.length === 0 || scopes?.includes(scope) === true
      const path = url.replaceAll(/\{\w+\}/g, 'unknown')
      const body = requestBody === undefined ? {} : { body: {} }
      const { status } = await caller.asks(method.toUpperCase(), path, body)
      assert.equal(status !== 403, isAllowed, `${operationId} with ${scope}: ${status}`)
    }
  }
})

test('what an operation does at most is said of each, and what spends or destroys is named here', () => {
  const of = (action: string): string[] =>
    operations
      .filter((operation) => operation['x-action-class'] === action)
      .map(({ operationId }) => operationId)
      .sort()
  assert.deepEqual(of('spend'), [
    'changeBatch',
    'changeSubscription',
    'createBatch',
    'createJob',
    'createSubscription',
  ])
  assert.deepEqual(of('destroy'), [
    'cancelJob',
    'deleteCollectionTexts',
    'deleteJobTexts',
    'deleteProject',
    'deleteSelectionTexts',
    'deleteSubscription',
    'deleteText',
    'deleteWebhook',
    'rotateWebhookSecret',
  ])
  const reads = new Set(of('read'))
  const writes = new Set(of('write'))
  for (const { operationId, method, security } of operations) {
    if (method === 'get') assert.ok(reads.has(operationId), operationId)
    // What takes anything away is no mere write, but for the place in a list, which is put back by the same name.
    if (method === 'delete' && operationId !== 'takeFromProject')
      assert.ok(!writes.has(operationId) && !reads.has(operationId), operationId)
    // An app that may only read does no more.
    const scopes = security?.flatMap((one: Json) => one.oauth2 ?? []) ?? []
    if (!reads.has(operationId)) assert.ok(!scopes.includes('transcripts:read'), operationId)
  }
  for (const action of ['read', 'write', 'spend', 'destroy'])
    assert.match(
      document.info.description,
      new RegExp(`\\*\\*Classes\\.\\*\\*[^]*\`${action}\``),
      action,
    )
  assert.equal(
    of('read').length + of('write').length + of('spend').length + of('destroy').length,
    operations.length,
  )
})

test('the introduction says how version 1 may change, and why errors have a form of their own', () => {
  for (const promise of ['Version 1 is frozen', 'at least 12 months before', 'RFC 9457'])
    assert.ok(document.info.description.includes(promise), promise)
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

test('what version 1 names is in the document, and is no extension', () => {
  const unmarked = (named: Json[], key: (one: Json) => string): string[] =>
    named.filter((one) => one['x-extension'] !== true).map(key)
  const ofVersion1 = operations.filter(({ operationId }) => operationId in VERSION_1_PARAMETERS)
  assert.deepEqual(
    unmarked(operations, ({ operationId }) => operationId).sort(),
    Object.keys(VERSION_1_PARAMETERS).sort(),
  )
  for (const { operationId, parameters = [] } of ofVersion1)
    assert.deepEqual(
      unmarked(parameters, ({ name }) => name).sort(),
      [...VERSION_1_PARAMETERS[operationId]!].sort(),
      operationId,
    )
  const { schemas, headers } = document.components
  const namedIn = (part: Json): Json[] =>
    Object.entries<Json>(part).map(([name, one]) => ({ ...one, name }))
  const marked = Object.entries<Json>(schemas).flatMap(([component, { properties = {} }]) => {
    const fields = namedIn(properties).filter((one) => one['x-extension'] === true)
    return fields.map(({ name }) => `${component}.${name}`)
  })
  const beyond = Object.entries(FIELDS_BEYOND).flatMap(([component, fields]) =>
    fields.map((name) => `${component}.${name}`),
  )
  assert.deepEqual(marked.sort(), beyond.sort())
  assert.deepEqual(
    unmarked(namedIn(headers), ({ name }) => name).sort(),
    [...VERSION_1_HEADERS].sort(),
  )
})

test('every example that is kept is one of an operation', () => {
  const answered = operations.flatMap(({ operationId, requestBody, responses }) => [
    ...(requestBody === undefined ? [] : [operationId]),
    ...Object.keys(responses).map((status) => `${operationId} ${status}`),
  ])
  assert.deepEqual(
    Object.keys(readExamples()).filter((key) => !answered.includes(key)),
    [],
    '`npm run print -- --examples` records them anew',
  )
})

test('a route without a documented schema is not in the document', () => {
  const routes = [
    { method: 'GET', url: '/api/v1/hidden', schema: { hide: true } },
    { method: 'GET', url: '/api/v1/bare', schema: undefined },
  ]
  assert.deepEqual(documentOf(routes)['paths'], {})
})

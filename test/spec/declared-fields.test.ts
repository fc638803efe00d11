/** Every field that a request can have is declared in the schema of its route, where attacks are made from it. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { blindSpotsOf, collectRoutes, placesIn, type Schema } from '../attack/declared-fields.ts'
import { OF_PAYMENTS } from '../attack/attacks/stripe-stories.ts'
import { ATTACKED_HEADERS } from '../attack/hostile-values.ts'
import { MCP_METHODS } from '../attack/mcp-requests.ts'
import { testService } from '../support/service.ts'

const routes = collectRoutes()
await testService({ after }, { env: { ...OF_PAYMENTS, ROLES: 'api' } })

test('the schemas of all routes name what can be sent, and each part of a path has a form', () => {
  assert.ok(routes.size > 100, `${routes.size} routes were seen`)
  const spots = [...routes.values()].flatMap((route) =>
    blindSpotsOf(route).map((spot) => `${route.method} ${route.url}: ${spot}`),
  )
  assert.deepEqual(spots, [])
})

test('a route whose fields cannot be seen is reported', () => {
  const spots = (schema: object): string[] =>
    blindSpotsOf({ method: 'POST', url: '/x/:id', schema })
  assert.equal(spots({ body: {} }).length, 1)
  assert.equal(spots({ querystring: { type: 'object', properties: {} } }).length, 1)
  assert.equal(spots({ params: { properties: { id: { type: 'string' } } } }).length, 1)
  assert.equal(spots({ params: { properties: { other: { enum: ['a'] } } } }).length, 1)
  assert.equal(spots({ body: { properties: { a: { type: 'date' } } } }).length, 1)
  assert.deepEqual(spots({ body: { properties: { a: { type: 'string' } } } }), [])
})

test('the places of a body are found in lists, in unions and below each other', () => {
  const schema: Schema = {
    properties: {
      a: { anyOf: [{ type: 'array', items: { properties: { b: {} } } }, { type: 'null' }] },
    },
  }
  assert.deepEqual(placesIn(schema), [['a'], ['a', '0'], ['a', '0', 'b']])
})

/** Methods of Headers, and headers of which HTTP itself decides. */
const ASKED_OTHERWISE = new Set(['get', 'set', 'has', 'host', 'content-length'])

test('nothing reads the address or the headers of a request by itself', () => {
  const readers = sources(['api', 'mcp']).filter(({ text }) =>
    /URLSearchParams\(|new URL\(request|request\.raw\.url|rawHeaders/.test(text),
  )
  assert.deepEqual(
    readers.map(({ file }) => file).sort(),
    ['api/library/deletions.ts', 'api/oauth/answers.ts'],
    'of which one refuses names that are not declared, and one unpacks a question that came as one declared word',
  )
})

test('the methods of agents that the service answers are attacked', () => {
  const [server] = sources(['mcp']).filter(({ file }) => file === 'mcp/server.ts')
  const answered = Array.from(
    (server?.text ?? '').matchAll(/setRequestHandler\('([^']+)'/g),
    ([, method]) => String(method),
  )
  assert.ok(answered.length > 3)
  assert.deepEqual(
    answered.filter((method) => !MCP_METHODS.includes(method)),
    [],
  )
})

test('the headers that the service reads are the ones that are attacked', () => {
  const files = sources(['api', 'mcp', 'kit/http', 'features/accounts'])
  const read = files.flatMap(({ text }) =>
    Array.from(text.matchAll(/(?<![-/\w])headers(?:\.([a-z]+)|\['([a-z-]+)'\])/g), (found) =>
      String(found[1] ?? found[2]),
    ),
  )
  const documented = [...routes.values()].flatMap(({ schema }) =>
    Object.keys(schema.documentedHeaders ?? {}).map((name) => name.toLowerCase()),
  )
  const seen = new Set([...read, ...documented])
  const unknown = [...seen].filter(
    (name) => !ATTACKED_HEADERS.includes(name) && !ASKED_OTHERWISE.has(name),
  )
  assert.ok(read.length > 3 && documented.length > 2)
  assert.deepEqual(unknown, [])
})

/** Returns the sources in folders of `src`, without tests. */
function sources(folders: string[]): { file: string; text: string }[] {
  const cwd = path.resolve(import.meta.dirname, '../../src')
  return folders
    .flatMap((name) => fs.globSync(`${name}/**/*.ts`, { cwd }))
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: fs.readFileSync(path.join(cwd, file), 'utf8') }))
}

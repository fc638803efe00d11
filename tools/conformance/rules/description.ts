/** Rules of GET /openapi.json (specification 4.7). */
import assert from 'node:assert/strict'
import type { Json } from '../http.ts'
import { type Rule, rule } from '../rule.ts'

const OPERATIONS = {
  'POST /jobs': ['200', '201', '400', '401', '402', '409', '413', '415', '429', '500', '503'],
  'GET /jobs': ['200', '400', '401', '429', '500'],
  'GET /jobs/{id}': ['200', '401', '404', '429', '500'],
  'GET /jobs/{id}/results': ['200', '400', '401', '404', '429', '500'],
  'GET /jobs/{id}/files/{file}': ['200', '401', '404', '429', '500'],
  'GET /balance': ['200', '401', '429', '500'],
  'GET /openapi.json': ['200'],
}

export const descriptionRules: Rule[] = [
  rule(
    'GET /openapi.json needs no key and answers an OpenAPI 3.1 document of version 1.0.0',
    async (kit) => {
      const reply = await kit.ask('GET', '/openapi.json', { key: null })
      assert.equal(reply.status, 200)
      assert.match(reply.headers.get('content-type') ?? '', /^application\/json/)
      assert.match(reply.body['openapi'], /^3\.1\./)
      assert.equal(reply.body['info'].version, '1.0.0')
      assert.match(reply.body['servers'][0].url, /\/api\/v1$/)
      kit.balanceMicrosBefore = (await kit.get('/balance'))['balanceMicros']
    },
  ),
  rule(
    'The document describes every endpoint with every status of the specification',
    async (kit) => {
      const { paths } = await kit.get('/openapi.json', { key: null })
      for (const [name, statuses] of Object.entries(OPERATIONS)) {
        const [method = '', path = ''] = name.split(' ')
        const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {}
        assert.deepEqual(
          statuses.filter((status) => !(status in responses)),
          [],
          name,
        )
      }
    },
  ),
  rule('What goes beyond the specification is marked x-extension', async (kit) => {
    const { paths } = await kit.get('/openapi.json', { key: null })
    for (const [path, methods] of Object.entries<Json>(paths)) {
      for (const [method, operation] of Object.entries<Json>(methods)) {
        const isSpecified = `${method.toUpperCase()} ${path}` in OPERATIONS
        assert.equal(operation['x-extension'] === true, !isSpecified, `${method} ${path}`)
      }
    }
    const { parameters } = paths['/jobs/{id}/results'].get
    const marked = parameters
      .filter((one: Json) => one['x-extension'] === true)
      .map((one: Json) => one['name'])
    assert.deepEqual(marked.sort(), ['include', 'q', 'status', 'view'])
  }),
  rule('The document has an ETag and answers 304 to who holds it', async (kit) => {
    const etag = (await kit.ask('GET', '/openapi.json', { key: null })).headers.get('etag')
    assert.ok(etag !== null)
    const same = await kit.ask('GET', '/openapi.json', {
      key: null,
      headers: { 'If-None-Match': etag },
    })
    assert.deepEqual([same.status, same.bytes.length, same.headers.get('etag')], [304, 0, etag])
    assert.equal(
      (
        await kit.ask('GET', '/openapi.json', {
          key: null,
          headers: { 'If-None-Match': '"other"' },
        })
      ).status,
      200,
    )
  }),
]

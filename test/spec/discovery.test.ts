/** Where programs find the service: each document against what its standard or proposal asks for. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Compile } from 'typebox/schema'
import { parse } from 'yaml'
import type { Json } from '../../tools/conformance/http.ts'
import { type DiscoveryParts, discoveryDocuments } from '../../src/api/documents/discovery.ts'
import { openDocuments } from '../../src/api/documents/routes.ts'
import { testService } from '../support/service.ts'

const PUBLIC_URL = 'https://texts.example'
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'legal-'))
after(() => fs.rmSync(folder, { recursive: true }))
for (const name of ['terms', 'privacy', 'imprint'])
  fs.writeFileSync(path.join(folder, `${name}.md`), `# ${name}\n\nWords.\n`)

const { address, customer } = await testService(
  { after },
  { env: { ROLES: 'api', PUBLIC_URL, LEGAL_DIR: folder } },
)
const CATALOG = '/.well-known/api-catalog'
const CARD = '/mcp/server-card'
const AI_CATALOG = '/.well-known/ai-catalog.json'
const SKILLS = '/.well-known/agent-skills/index.json'
const SKILL = '/.well-known/agent-skills/scriptorium-transcripts/SKILL.md'
const TYPES = {
  [CATALOG]: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  [CARD]: 'application/mcp-server-card+json',
  [AI_CATALOG]: 'application/ai-catalog+json',
  '/server.json': 'application/json',
  [SKILLS]: 'application/json',
  [SKILL]: 'text/markdown; charset=utf-8',
}
const read = async (url: string): Promise<Json> => (await fetch(address + url)).json() as never

const schemaOf = (name: string): Json =>
  JSON.parse(fs.readFileSync(path.join(import.meta.dirname, `../recorded/schemas/${name}`), 'utf8'))
const CARD_SCHEMA = schemaOf('server-card.schema.json')
const isCard = Compile({ ...CARD_SCHEMA, $ref: '#/$defs/ServerCard' })
const isRegistryEntry = Compile(schemaOf('server.schema.json'))

for (const [url, type] of Object.entries(TYPES)) {
  test(`${url} is open to every page, also by HEAD, and a kept copy is checked by its tag`, async () => {
    const answer = await fetch(address + url)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), type)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
    const etag = answer.headers.get('etag') ?? ''
    assert.match(etag, /^W\/"[\w-]{22}"$/)
    const head = await fetch(address + url, { method: 'HEAD' })
    assert.equal(head.status, 200)
    for (const name of ['content-type', 'etag', 'link'])
      assert.equal(head.headers.get(name), answer.headers.get(name))
    const again = await fetch(address + url, { headers: { 'If-None-Match': etag } })
    assert.equal(again.status, 304)
    const preflight = await fetch(address + url, {
      method: 'OPTIONS',
      headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' },
    })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  })
}

test('the API catalog is a set of links (RFC 9264) of each interface, all of which lead somewhere', async () => {
  const { linkset, ...rest } = await read(CATALOG)
  assert.deepEqual(rest, {})
  const targets: Json[] = []
  for (const { anchor, ...relations } of linkset) {
    assert.ok(new URL(anchor).href.startsWith(PUBLIC_URL))
    assert.ok(Object.keys(relations).length > 0)
    for (const [relation, links] of Object.entries<Json[]>(relations as never)) {
      assert.match(relation, /^[a-z][a-z0-9.-]*$/, 'a registered relation')
      assert.ok(Array.isArray(links) && links.length > 0, relation)
      targets.push(...links.map((link) => ({ ...link, relation })))
    }
  }
  for (const { href, type, relation } of targets) {
    assert.equal(typeof href, 'string')
    const { origin, pathname } = new URL(href)
    if (relation === 'profile' || relation === 'item') continue
    assert.equal(origin, PUBLIC_URL)
    const answer = await fetch(address + pathname, { headers: { Accept: type } })
    // The website need not be built where this test runs.
    const isPage = ['/docs', '/status'].includes(pathname)
    assert.ok(answer.status === 200 || isPage, `${pathname}: ${answer.status}`)
    if (answer.status === 200)
      assert.equal(answer.headers.get('content-type')?.split(';')[0], type, pathname)
  }
  const items = linkset.find(({ anchor }: Json) => anchor === PUBLIC_URL + CATALOG).item
  const anchors = linkset.map(({ anchor }: Json) => anchor)
  assert.deepEqual(items.map(({ href }: Json) => href).sort(), anchors.slice(1).sort())
  const api = linkset.find(({ anchor }: Json) => anchor === `${PUBLIC_URL}/api/v1`)
  assert.equal(api['terms-of-service'][0].href, `${PUBLIC_URL}/terms`)
  assert.equal(api['privacy-policy'][0].href, `${PUBLIC_URL}/privacy`)
  assert.deepEqual(
    api.status.map(({ href }: Json) => href),
    [`${PUBLIC_URL}/status`, `${PUBLIC_URL}/readyz`],
  )
})

test('headers of the catalog and of pages say where it is, and the index of documents names what there is', async () => {
  const { headers } = await fetch(address + CATALOG, { method: 'HEAD' })
  assert.match(headers.get('link') ?? '', /^<\/\.well-known\/api-catalog>; rel="api-catalog"/)
  const mcp = { path: '/mcp', info: { name: 's', title: 'S', version: '1' } }
  const parts = { publicUrl: PUBLIC_URL, legal: [], hasStatusPage: true, mcp }
  for (const { link } of Object.values(openDocuments(parts).ofPages))
    assert.match(link, /<\/\.well-known\/api-catalog>; rel="api-catalog"/)
  const index = await (await fetch(`${address}/llms.txt`)).text()
  for (const url of [CATALOG, CARD, SKILLS]) assert.ok(index.includes(`(${PUBLIC_URL}${url})`), url)
})

test('the server card is valid, and says what the server says when a client connects', async () => {
  const card = await read(CARD)
  assert.ok(isCard.Check(card), JSON.stringify(isCard.Errors(card)))
  assert.equal(card['name'], 'example.texts/scriptorium')
  assert.deepEqual(card['remotes'], [{ type: 'streamable-http', url: `${PUBLIC_URL}/mcp` }])
  const { body } = await (
    await customer()
  ).asks('POST', `${address}/mcp`, {
    headers: { Accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    },
  })
  const { serverInfo } = body['result']
  assert.deepEqual(
    { title: card['title'], version: card['version'] },
    { title: serverInfo.title, version: serverInfo.version },
  )
  const manifest = path.resolve(import.meta.dirname, '../../package.json')
  const release = JSON.parse(fs.readFileSync(manifest, 'utf8')) as Json
  assert.equal(card['version'], release['version'])
  const [entry] = (await read(AI_CATALOG))['entries']
  assert.equal(entry.url, PUBLIC_URL + CARD)
  assert.equal(entry.type, TYPES[CARD])
})

test('the entry of a registry is valid under its schema', async () => {
  const entry = await read('/server.json')
  assert.ok(isRegistryEntry.Check(entry), JSON.stringify(isRegistryEntry.Errors(entry)))
  assert.equal(entry['$schema'], schemaOf('server.schema.json')['$id'])
})

test('what these schemas refuse is noticed here', async () => {
  const [card, entry] = [await read(CARD), await read('/server.json')]
  for (const wrong of [
    { name: 'scriptorium' },
    { description: 'x'.repeat(101) },
    { remotes: [{}] },
  ]) {
    assert.equal(isCard.Check({ ...card, ...wrong }), false, JSON.stringify(wrong))
    assert.equal(isRegistryEntry.Check({ ...entry, ...wrong }), false, JSON.stringify(wrong))
  }
})

test('names are made of the host, whatever it is', () => {
  const nameAt = (publicUrl: string): string => {
    const mcp = {
      path: '/mcp',
      info: { name: 's', title: 'S', version: '1.0.0' },
      capabilities: {},
    }
    const parts: DiscoveryParts = { publicUrl, legal: [], hasStatusPage: false, mcp }
    const entry = discoveryDocuments(parts).find(({ url }) => url === '/server.json')
    const value = JSON.parse(entry?.text ?? '') as Json
    assert.ok(isRegistryEntry.Check(value), publicUrl)
    return value['name']
  }
  assert.equal(nameAt('https://api.texts.example'), 'example.texts.api/s')
  assert.equal(nameAt('http://localhost:8080'), 'localhost/s')
  assert.equal(nameAt('http://192.0.2.7:8080'), '192.0.2.7/s')
  assert.equal(nameAt('http://[2001:db8::1]'), '-2001-db8--1-/s')
})

test('the index of skills has the digest of the skill, whose head is valid', async () => {
  const index = await read(SKILLS)
  assert.equal(index['$schema'], 'https://schemas.agentskills.io/discovery/0.2.0/schema.json')
  const [{ name, type, description, url, digest, ...rest }, ...others] = index['skills']
  assert.deepEqual([rest, others], [{}, []])
  assert.match(name, /^(?!.{65})[a-z0-9]+(?:-[a-z0-9]+)*$/)
  assert.equal(type, 'skill-md')
  assert.ok(description.length > 0 && description.length <= 1024)
  assert.equal(url, PUBLIC_URL + SKILL)
  assert.equal(url.split('/').at(-2), name, 'a skill stands in a folder of its name')
  const bytes = Buffer.from(await (await fetch(address + SKILL)).arrayBuffer())
  assert.equal(digest, `sha256:${createHash('sha256').update(bytes).digest('hex')}`)
  const [, head = ''] = /^---\n([^]*?)\n---\n/.exec(bytes.toString()) ?? []
  assert.deepEqual(parse(head), { name, description })
  assert.equal(bytes.toString(), await (await fetch(`${address}/SKILL.md`)).text())
})

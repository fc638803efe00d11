/**
 * Both clients against the OpenAPI document: each operation has a method that asks it and can send all that it takes,
 * or is left out by name, with the reason.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Scriptorium } from '../../clients/typescript/src/index.ts'
import { needs } from '../support/needs.ts'
import { EVERY_CALL } from './every-call.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const OF_A_COLLECTION =
  'library.file gives it for all of a collection; for one job the address does'
const OF_LISTS = 'for lists in which somebody chooses; a program takes each part by itself'
/** Operations without a method. */
const LEFT_OUT: Record<string, string> = {
  getOpenApi: 'the document itself',
  getPreview: 'preview waits for its own answer',
  getMarkdown: OF_A_COLLECTION,
  getPassages: OF_A_COLLECTION,
  getVideoLines: OF_A_COLLECTION,
  getFourCatTable: OF_A_COLLECTION,
  getRisEntries: OF_A_COLLECTION,
  getCslEntries: OF_A_COLLECTION,
  getNotebookSources: OF_A_COLLECTION,
  getVault: OF_A_COLLECTION,
  getSelectionFile: OF_LISTS,
  deleteSelectionTexts: OF_LISTS,
}
/** Groups without methods. */
const LEFT_OUT_TAGS: Record<string, string> = { Webhooks: 'set up once, by hand or the CLI' }
/** Parameters that no method sends. */
const LEFT_OUT_PARAMETERS: Record<string, string> = {
  separator: 'for spreadsheets that people open',
  bom: 'for spreadsheets that people open',
  'createJob view': 'the TypeScript client sends it; the Python client answers version 1',
  'listJobs view': 'as for createJob',
  'getJob view': 'as for createJob',
  'getFile seconds': 'of passages, which are read by collection',
  'addToProject jobs': OF_LISTS,
  'addToProject batches': OF_LISTS,
  'addToProject collections': OF_LISTS,
  'getBatchFile seconds': 'of passages, which are read by collection',
  'getBatchFile parts': 'of a notebook, which is read by collection',
  'getBatchFile words': 'of a notebook, which is read by collection',
  'getWords names': 'a name for browsers that save it',
  'getWordsVtt names': 'a name for browsers that save it',
}

type Parameter = { name: string; in: string }
type Operation = {
  operationId?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Schema = { $ref?: string; properties?: Record<string, unknown>; anyOf?: Schema[] }
type Asked = { method: string; path: string; takes: string[] }
type Sent = { method: string; path: string; sends: string[] }

const file = path.join(ROOT, 'src/api/documents/printed/openapi.json')
const document = JSON.parse(fs.readFileSync(file, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Returns each operation, with the names of what it takes in its query and body. */
function operations(): Map<string, Asked> {
  const all = new Map<string, Asked>()
  for (const [address, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId, tags = [] } = operation
      if (operationId === undefined || tags.some((tag) => tag in LEFT_OUT_TAGS)) continue
      const takes = fieldsTaken(operation).filter(
        (name) => !(name in LEFT_OUT_PARAMETERS || `${operationId} ${name}` in LEFT_OUT_PARAMETERS),
      )
      all.set(operationId, { method: method.toUpperCase(), path: address, takes })
    }
  return all
}

/** Returns the names of what an operation takes in its query and body. */
function fieldsTaken({ parameters = [], requestBody }: Operation): string[] {
  const schema = requestBody?.content['application/json']?.schema
  return [
    ...parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    ...(schema === undefined ? [] : fieldsOf(schema)),
  ]
}

function fieldsOf({ $ref, properties = {}, anyOf = [] }: Schema): string[] {
  const named =
    $ref === undefined ? [] : fieldsOf(document.components.schemas[$ref.split('/').at(-1)!]!)
  return [...new Set([...named, ...Object.keys(properties), ...anyOf.flatMap(fieldsOf)])]
}

/** A service that refuses everything and notes the first request of each call, which its path begins with. */
const sent = new Map<string, Sent>()
const server = http.createServer((request, response) => {
  const [, call = '', ...rest] = (request.url ?? '').split('/')
  const url = new URL(`/${rest.join('/')}`, 'http://host')
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    const fields = body === '' ? [] : Object.keys(JSON.parse(body) as object)
    const names = [...url.searchParams.keys(), ...fields]
    const path = url.pathname.replace(/^\/api\/v1/, '')
    if (!sent.has(call)) sent.set(call, { method: request.method ?? '', path, sends: names })
    response.writeHead(404, { 'Content-Type': 'application/json' }).end('{}')
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

test('every operation has a method in both clients, or is left out by name', () => {
  const named = [...Object.keys(EVERY_CALL), ...Object.keys(LEFT_OUT)]
  assert.deepEqual(named.toSorted(), [...operations().keys()].toSorted())
  const tags = new Set(Object.values(document.paths).flatMap(tagsOf))
  assert.deepEqual(
    Object.keys(LEFT_OUT_TAGS).filter((tag) => !tags.has(tag)),
    [],
  )
})

test('a method of the TypeScript client asks its operation, and can send all that it takes', async () => {
  for (const [id, [call]] of Object.entries(EVERY_CALL)) {
    const baseUrl = `${address}/typescript-${id}`
    const client = new Scriptorium({ apiKey: 'sk', baseUrl, maxRetries: 0 })
    await assert.rejects(Promise.resolve(call(client)), { status: 404 }, id)
  }
  assert.deepEqual(problemsOf('typescript'), [])
})

test('so does one of the Python client', needs('python3'), async () => {
  const lines = Object.entries(EVERY_CALL).map(
    ([id, [, call]]) => `refused("${id}", lambda c: ${call})`,
  )
  const program = `
import sys
import scriptorium_client as sc
def refused(name, call):
    client = sc.Scriptorium(api_key="sk", base_url=sys.argv[1] + "/python-" + name, max_retries=0)
    try:
        call(client)
    except sc.NotFoundError:
        return
    raise AssertionError(name)
${lines.join('\n')}
`
  await promisify(execFile)('python3', ['-c', program, address], {
    env: {
      ...process.env,
      PYTHONPATH: path.join(ROOT, 'clients/python'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  })
  assert.deepEqual(problemsOf('python'), [])
})

test('what is left out is there to be left out', () => {
  const names = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) =>
      fieldsTaken(operation).flatMap((name) => [name, `${operation.operationId} ${name}`]),
    )
  assert.deepEqual(
    Object.keys(LEFT_OUT_PARAMETERS).filter((name) => !names.includes(name)),
    [],
  )
})

function tagsOf(methods: Record<string, Operation>): string[] {
  return Object.values(methods).flatMap(({ tags = [] }) => tags)
}

function problemsOf(client: string): string[] {
  const all = operations()
  return Object.keys(EVERY_CALL).flatMap((id) => {
    const asked = all.get(id)!
    const one = sent.get(`${client}-${id}`)
    if (one === undefined) return [`${id}: nothing was asked`]
    const isThere = one.method === asked.method && isAt(one.path.split('/'), asked.path.split('/'))
    const missing = asked.takes.filter((name) => !one.sends.includes(name))
    return [
      ...(isThere ? [] : [`${id}: asked ${one.method} ${one.path}`]),
      ...missing.map((name) => `${id}: does not send ${name}`),
    ]
  })
}

/** Returns whether a path is one of a pattern with `{names}`. */
function isAt(parts: string[], pattern: string[]): boolean {
  return (
    parts.length === pattern.length &&
    pattern.every((part, at) => part.startsWith('{') || part === parts[at])
  )
}

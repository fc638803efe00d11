/**
 * The protocol under other authors' checks: the official conformance sets of both revisions, and the official inspector
 * in both eras. A proxy is in front, since the sets send no key and more requests than a key may. It also replaces the
 * tools and resources that the sets expect by ours.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { bareEnvironment } from '../support/service-process.ts'
import { testService } from '../support/service.ts'
import { NOT_OFFERED } from './not-offered.ts'
import { TOOLS } from '../../src/mcp/toolbox.ts'

const MODULES = path.resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol')
const SUITE = path.join(MODULES, 'conformance/dist/index.js')
const INSPECTOR = path.join(MODULES, 'inspector/clients/launcher/build/index.js')
const KEYS = 10

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-conformance-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))
const { address, customer } = await testService({ after })
const customers = await Promise.all(Array.from({ length: KEYS }, () => customer()))
const who = customers[0]!
const { job, rows } = await who.orders({ urls: ['TKWVJ9FIq-8'] })
assert.equal(rows[0]?.['status'], 'success')
const uri = `scriptorium://jobs/${job['id']}/transcripts/1.txt`
/** Names that the sets ask for, and what of ours is asked for instead. */
const STAND_INS: Record<string, { name?: string; uri?: string; arguments?: object }> = {
  test_simple_text: { name: 'get_balance' },
  test_error_handling: { name: 'get_job', arguments: { jobId: 'none' } },
  'test://static-text': { uri },
}

const proxy = await startProxy()

for (const [revision, passesMin] of [
  ['2025-11-25', 8],
  ['2026-07-28', 50],
] as const) {
  test(`the official set of ${revision} finds nothing wrong in what is offered`, async () => {
    const out = path.join(folder, revision)
    await run(SUITE, ['server', '--url', proxy, '--requirements', revision, '-o', out])
    const checks = fs.readdirSync(out).flatMap((scenario) => checksOf(out, scenario))
    const failed = checks.filter(({ status }) => status === 'FAILURE')
    assert.deepEqual(
      failed.filter(({ key }) => reasonOf(key) === null),
      [],
    )
    const passed = checks.filter(({ status }) => status === 'SUCCESS')
    assert.ok(passed.length >= passesMin, `${passed.length} checks passed`)
    const offered = ['tools-call-simple-text', 'tools-call-error', 'resources-read-text']
    for (const name of [...offered, 'dns-rebinding-protection'])
      assert.ok(
        passed.some(({ key }) => key.startsWith(`${name}/`)),
        name,
      )
  })
}

test('nothing is excused that no set asks for', () => {
  const keys = fs
    .readdirSync(folder)
    .flatMap((revision) =>
      fs
        .readdirSync(path.join(folder, revision))
        .flatMap((one) => checksOf(path.join(folder, revision), one)),
    )
    .filter(({ status }) => status === 'FAILURE')
    .map(({ key }) => key)
  const idle = Object.keys(NOT_OFFERED).filter((one) => !keys.some((key) => key.startsWith(one)))
  assert.deepEqual(idle, [])
})

for (const era of ['legacy', 'modern']) {
  test(`the official inspector (${era}) finds every tool portable, and reads a text`, async () => {
    const { tools } = await inspects(era, ['--method', 'tools/list', '--strict'])
    assert.equal(tools.length, TOOLS.size)
    const named = Object.entries({ jobId: job['id'], index: 1 }).map(
      ([name, value]) => `${name}=${value}`,
    )
    const call = [
      '--method',
      'tools/call',
      '--tool-name',
      'read_transcript',
      '--tool-arg',
      ...named,
    ]
    const { content } = await inspects(era, call)
    const file = (await who.downloads(`/jobs/${job['id']}/files/1.txt`)).toString()
    const page = content[0].text.slice(content[0].text.indexOf('\n\n') + 2)
    assert.ok(page.length > 10_000 && file.startsWith(page), content[0].text.slice(0, 200))
  })
}

async function inspects(era: string, args: string[]): Promise<any> {
  const to = ['--cli', `${address}/mcp`, '--transport', 'http', '--protocol-era', era]
  const key = ['--header', `Authorization: Bearer ${who.apiKey}`]
  const { code, out } = await run(INSPECTOR, [...to, ...key, ...args, '--format', 'json'])
  assert.equal(code, 0, out)
  const said = JSON.parse(out)
  return said.result ?? said
}

type Check = { key: string; status: string; why?: string }

/** Returns the checks of one scenario, whose folder is `server-NAME-TIME`. */
function checksOf(out: string, scenario: string): Check[] {
  const name = scenario.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
  const file = path.join(out, scenario, 'checks.json')
  const checks: { id: string; status: string; errorMessage?: string }[] = JSON.parse(
    fs.readFileSync(file, 'utf8'),
  )
  return checks.map(({ id, status, errorMessage }) => ({
    key: `${name}/${id}`,
    status,
    ...(errorMessage === undefined ? {} : { why: errorMessage }),
  }))
}

function reasonOf(key: string): string | null {
  return Object.entries(NOT_OFFERED).find(([beginning]) => key.startsWith(beginning))?.[1] ?? null
}

function run(program: string, args: string[]): Promise<{ code: number; out: string }> {
  const env = { ...bareEnvironment(), HOME: folder }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { env, maxBuffer: 1e8 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : 1, out: error === null ? stdout : stdout + stderr }),
    )
  })
}

/**
 * Starts a proxy that sends each request with the next key; a host other than the proxy's own is passed on as it is.
 */
async function startProxy(): Promise<string> {
  let turn = 0
  const target = new URL(address)
  const server = http.createServer(async (request, response) => {
    const { body, name } = withStandIn(await text(request))
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const asked = request.headers.host ?? ''
    const isOwn = asked === own || asked === own.replace('127.0.0.1', 'localhost')
    const headers: http.OutgoingHttpHeaders = {
      ...request.headers,
      host: isOwn ? target.host : asked,
      authorization: `Bearer ${(name === uri ? who : customers[(turn += 1) % KEYS]!).apiKey}`,
      'content-length': Buffer.byteLength(body),
    }
    if (name !== null && headers['mcp-name'] !== undefined) headers['mcp-name'] = name
    const { hostname, port } = target
    const passed = http.request(
      { hostname, port, path: request.url, method: request.method, headers },
      (reply) => {
        response.writeHead(reply.statusCode ?? 500, reply.headers)
        reply.pipe(response)
      },
    )
    passed.on('error', () => response.destroy())
    passed.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

function withStandIn(body: string): { body: string; name: string | null } {
  const message = body.startsWith('{') ? readJson(body) : null
  const params = message?.params
  const ours = STAND_INS[params?.name ?? params?.uri]
  if (ours === undefined) return { body, name: null }
  const changed = { ...message, params: { ...params, ...ours } }
  return { body: JSON.stringify(changed), name: ours.name ?? ours.uri ?? null }
}

function readJson(body: string): any {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

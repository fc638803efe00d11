/** A wrong address is named, whatever answers there, and a wrong key is called wrong: the same in every client. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Scriptorium } from '../../clients/typescript/src/index.ts'
import { revokeKey } from '../../src/features/accounts/keys.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { needs } from '../support/needs.ts'
import { sharedService } from '../support/shared-service.ts'
import { cliUser } from './cli-command.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../clients/python')
const run = promisify(execFile)
const { address, customer, database } = await sharedService({ after })

const PROGRAM = `
import sys, scriptorium_client as sc
try:
    print(sc.Scriptorium(api_key=sys.argv[1], base_url=sys.argv[2], max_retries=0).balance())
except sc.ScriptoriumError as error:
    print(error.code, error, sep="\\n")
`

type Told = { code: string; message: string }

async function toldByTypeScript(apiKey: string, baseUrl: string): Promise<Told> {
  const client = new Scriptorium({ apiKey, baseUrl, maxRetries: 0 })
  return client.balance().then(
    () => assert.fail('it answered'),
    (error: Told) => error,
  )
}

async function toldByPython(apiKey: string, baseUrl: string): Promise<Told> {
  const env = { ...process.env, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await run('python3', ['-c', PROGRAM, apiKey, baseUrl], { env })
  const [code = '', message = ''] = stdout.split('\n')
  return { code, message }
}

async function toldByCommand(apiKey: string, baseUrl: string): Promise<Told> {
  const env = { SCRIPTORIUM_URL: baseUrl, SCRIPTORIUM_API_KEY: apiKey }
  const { stderr } = await cliUser({ after }, env).runs('balance', '--json')
  return (JSON.parse(stderr) as { error: Told }).error
}

/** Returns the address of a server that answers everything with one text; null for one that is gone. */
async function somethingElse(answer: [status: number, body: string] | null): Promise<string> {
  const server = createServer((_request, reply) => {
    reply.writeHead(answer?.[0] ?? 200).end(answer?.[1])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  if (answer === null) await new Promise((resolve) => server.close(resolve))
  else after(() => server.close())
  return `http://127.0.0.1:${port}`
}

const ELSEWHERE: [answer: [status: number, body: string] | null, code: string, said: RegExp][] = [
  [null, 'connection_lost', /cannot be reached/],
  [[200, '<!doctype html><p>Welcome'], 'connection_lost', /no JSON. Check the address/],
  [
    [404, '<!doctype html><p>Not found'],
    'not_found',
    /answered with status 404; check the address/,
  ],
  [[404, '{"error":"Not Found"}'], 'not_found', /answered with status 404; check the address/],
  [
    [400, '{"error":{"code":17}}'],
    'invalid_request',
    /answered with status 400; check the address/,
  ],
  [[403, 'null'], 'invalid_request', /answered with status 403; check the address/],
]

test(
  'the error for a wrong address names it, whatever answers there',
  needs('python3'),
  async () => {
    for (const [answer, code, said] of ELSEWHERE) {
      const wrong = await somethingElse(answer)
      for (const told of [toldByTypeScript, toldByPython, toldByCommand]) {
        const error = await told('sk_0', wrong)
        const where = `${told.name} ${JSON.stringify(answer)}: ${error.message}`
        assert.equal(error.code, code, where)
        assert.match(error.message, said, where)
        assert.equal(error.message.split(wrong).length, 2, where)
      }
    }
  },
)

test('a wrong key is called wrong, and no more is said of it', needs('python3'), async () => {
  const revoked = await customer('1')
  const { accountId } = revoked
  const keys = await database.pool.query('select id from api_key where account_id = $1', [
    accountId,
  ])
  await transact(database.db, (tx) => revokeKey(tx, { accountId, keyId: keys.rows[0].id }))
  const said = async (headers: Record<string, string>, at = '/api/v1/balance'): Promise<string> => {
    const reply = await fetch(address + at, { method: at === '/mcp' ? 'POST' : 'GET', headers })
    assert.equal(reply.status, 401)
    return ((await reply.json()) as { error: Told }).error.message
  }
  const wrong = await said({ Authorization: 'Bearer sk_wrong' })
  assert.match(wrong, /^This API key is not known here, or it was revoked/)
  const wrongKeys = [`sk_${'a'.repeat(43)}`, revoked.apiKey, 'sk_wrong', 'other']
  for (const key of wrongKeys) {
    for (const at of ['/api/v1/balance', '/mcp'])
      assert.equal(await said({ Authorization: `Bearer ${key}` }, at), wrong)
    assert.equal((await toldByTypeScript(key, address)).message, wrong)
    assert.equal((await toldByPython(key, address)).message, wrong)
    assert.match(
      (await toldByCommand(key, address)).message,
      /does not know this API key .*revoked/,
    )
  }
  for (const headers of [{}, { Authorization: 'Basic c2s6' }, { Authorization: revoked.apiKey }])
    assert.match(await said(headers as Record<string, string>), /^Send `Authorization: Bearer /)
})

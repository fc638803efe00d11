/**
 * The examples of the reference run: each operation's curl, JavaScript and Python, as they stand there, against the
 * service.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { after, test } from 'node:test'
import { codeSample } from '../../web/src/reference/code-samples.ts'
import { type ApiDocument, operationsOf } from '../../web/src/reference/openapi.ts'
import { needs } from '../support/needs.ts'
import { testService } from '../support/service.ts'

const { address, customer } = await testService(
  { after },
  { env: { ROLES: 'api' }, leavesOpenJobs: true },
)
const document = (await (await fetch(`${address}/api/v1/openapi.json`)).json()) as ApiDocument
const operations = operationsOf(document)
const TIMEOUT_MS = 120_000
const run = promisify(execFile)

/** Returns the examples of the operations that a new customer asks first, in one language. */
function samplesIn(language: 'curl' | 'js'): string[] {
  return ['getBalance', 'createJob', 'listJobs', 'getOpenApi'].map((operationId) => {
    const operation = operations.find((one) => one.operationId === operationId)
    assert.ok(operation, operationId)
    return codeSample(operation, { base: `${address}/api/v1`, keyStart: 'sk_12', language })
  })
}

async function customerOptions() {
  const { apiKey } = await customer('1')
  return { env: { ...process.env, SCRIPTORIUM_API_KEY: apiKey }, timeout: TIMEOUT_MS }
}

test('an error leads to its code, whatever was asked', async () => {
  for (const path of ['/api/v1/balance', '/api/v1/nowhere', '/account/nowhere']) {
    const answer = await fetch(address + path)
    const { error } = (await answer.json()) as { error: { code: string } }
    assert.equal(answer.headers.get('link'), `</docs#error-${error.code}>; rel="help"`)
  }
})

test('every example in curl runs as it is copied', needs('curl'), async () => {
  const options = await customerOptions()
  for (const sample of samplesIn('curl')) {
    const { stdout } = await run('sh', ['-c', sample.replace('$(uuidgen)', 'one')], options)
    assert.equal(JSON.parse(stdout).error ?? null, null, stdout)
  }
})

test('every example in JavaScript runs as it is copied', async () => {
  const options = await customerOptions()
  for (const sample of samplesIn('js'))
    await run(process.execPath, ['--input-type=module-typescript', '-e', sample], options)
})

test('examples in Python are valid', needs('python3'), async () => {
  const programs = operations.map((operation) =>
    codeSample(operation, { base: address, keyStart: 'sk_12', language: 'python' }),
  )
  const check = 'import ast, json, sys\nfor one in json.loads(sys.argv[1]): ast.parse(one)'
  await run('python3', ['-c', check, JSON.stringify(programs)])
})

/** Both clients judge the same receipts alike, genuine and forged. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { ScriptoriumError, verifyReceipt } from '../../clients/typescript/src/index.ts'
import { needs } from '../support/needs.ts'
import { type ReceiptCase, receiptCases } from './forged-receipts.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../clients/python')
const HOLDS = 'it holds'

const PROGRAM = `
import json, sys
import scriptorium_client as sc

said = []
for one in json.load(sys.stdin):
    trusted = {"keys": one["keys"]} if one["trusts"] == "keys" else {"issuer": one["issuer"]}
    try:
        sc.verify_receipt(one["receipt"], videos=one["videos"], **trusted)
        said.append("${HOLDS}")
    except sc.ScriptoriumError as error:
        said.append(f"{error.code}: {error}")
    except Exception as error:
        said.append(f"a fault: {error!r}")
print(json.dumps(said))
`

const published = new Map<string, unknown>()
const server = createServer((request, response) => {
  const [, place = ''] = request.url?.split('/') ?? []
  if (place === 'elsewhere') {
    // The redirect leads to this server by a name that is not one of this machine's own.
    response
      .writeHead(302, {
        Location: request.headers.host?.replace('127.0.0.1', 'http://0.0.0.0') + '/1/',
      })
      .end()
    return
  }
  response.end(JSON.stringify({ keys: published.get(place) }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
let places = 0
const cases = receiptCases(() => `${address}/${(places += 1)}`)
for (const { issuer, keys } of cases) published.set(issuer.split('/')[3] ?? '', keys)

test('the TypeScript client tells each forged receipt from a genuine one', async () => {
  for (const one of cases) {
    const said = await saidOf(one)
    if (one.says === null) assert.equal(said, HOLDS, one.name)
    else assert.match(said, one.says, one.name)
  }
})

test('the Python client says the same of each', needs('python3'), async () => {
  const heard = await python(cases)
  const [first] = cases
  assert.ok(first !== undefined && heard.length === cases.length)
  for (const [at, one] of cases.entries()) assert.equal(heard[at], await saidOf(one), one.name)
})

test('keys to which plain http leads are not taken', needs('python3'), async () => {
  const [genuine] = cases
  assert.ok(genuine !== undefined)
  const led = { ...genuine, issuer: `${address}/elsewhere` }
  const said = [await saidOf(led), ...(await python([led]))]
  for (const one of said) assert.match(one, /^keys_unreadable: .* leads to http:\/\/0\.0\.0\.0:/)
})

async function saidOf(one: ReceiptCase): Promise<string> {
  const { trusts, issuer, videos } = one
  const trusted = trusts === 'keys' ? { keys: one.keys as never } : { issuer }
  try {
    await verifyReceipt(one.receipt as never, { ...trusted, videos })
    return HOLDS
  } catch (error) {
    return error instanceof ScriptoriumError
      ? `${error.code}: ${error.message}`
      : `a fault: ${error}`
  }
}

async function python(asked: readonly ReceiptCase[]): Promise<string[]> {
  const env = { ...process.env, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn('python3', ['-c', PROGRAM], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(asked))
  return JSON.parse(await text(child.stdout)) as string[]
}

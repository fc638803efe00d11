/** The client as it is served, on each other runtime that is at hand: Bun, Deno, Node 20. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Customer } from '../../tools/conformance/customer.ts'
import { packClients } from '../../tools/scripts/pack-clients.ts'
import { testService, type TestService } from '../support/service.ts'
import { programOnPath, versionOf } from './other-runtimes.ts'

/** A program that uses every way to the network, a stream and WebCrypto once. */
const PROGRAM = `
const [address, apiKey] = globalThis.Deno?.args ?? process.argv.slice(2)
const { NotFoundError, Scriptorium, verifyReceipt } = await import('./scriptorium-client.js')
const client = new Scriptorium({ apiKey, baseUrl: address })
const seen = { texts: 0, rows: 0, events: [], zip: 0 }
const transcripts = client.transcripts('https://www.youtube.com/@smallworkshop', { maxVideos: 10 })
for await (const { text } of transcripts) seen.texts += text.length > 0 ? 1 : 0
const { jobs } = await client.jobs.list()
const [{ id, progress }] = jobs
seen.delivered = progress.delivered
const rows = []
for await (const row of client.jobs.results(id)) rows.push(row)
seen.rows = rows.length
for await (const { type } of client.jobs.events(id)) seen.events.push(type)
const zip = await client.files.zip(id)
for await (const chunk of zip) seen.zip += chunk.length
seen.isWhole = seen.zip === zip.sizeBytes
const receipt = await client.jobs.receipt(id)
const { issuer } = receipt
await verifyReceipt(receipt, { issuer, videos: rows })
seen.forged = await verifyReceipt({ ...receipt, charged: '9.000' }, { issuer }).catch((error) => error.code)
seen.isNone = await client.jobs.get('none').catch((error) => error instanceof NotFoundError)
const signal = AbortSignal.abort(new Error('enough'))
seen.aborted = await client.balance({ signal }).catch((error) => error.message)
console.log(JSON.stringify(seen))
`

const RUNTIMES = [
  { name: 'bun', title: 'bun', args: ['run'] },
  { name: 'deno', title: 'deno', args: ['run', '--quiet', '--allow-net', '--allow-read'] },
  {
    name: 'node',
    title: 'Node 20',
    args: [],
    willDo: (version: string) => version.startsWith('v20.'),
  },
]

const ending: (() => Promise<void>)[] = []
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'runtimes-'))
let it: TestService
let customer: Customer

before(async () => {
  assert.ok(await packClients())
  it = await testService({ after: (end) => void ending.push(end) })
  const served = await fetch(`${it.address}/clients/scriptorium-client.js`)
  fs.writeFileSync(path.join(folder, 'scriptorium-client.js'), await served.text())
  fs.writeFileSync(path.join(folder, 'program.mjs'), PROGRAM)
})
after(async () => {
  fs.rmSync(folder, { recursive: true, force: true })
  for (const end of ending.reverse()) await end()
})

for (const { name, title, args, willDo } of RUNTIMES) {
  test(`the served client orders, reads and checks on another runtime: ${title}`, async (t) => {
    const file = programOnPath(name, willDo)
    if (file === null) return t.skip(`${title} is not installed`)
    t.diagnostic(`${name} ${versionOf(file)}`)
    customer = await it.customer()
    const { stdout } = await promisify(execFile)(
      file,
      [...args, 'program.mjs', it.address, customer.apiKey],
      { cwd: folder, env: { ...process.env, HOME: folder, DENO_NO_UPDATE_CHECK: '1' } },
    )
    const { zip, rows, events, delivered, ...seen } = JSON.parse(stdout)
    assert.deepEqual(seen, {
      texts: delivered,
      isWhole: true,
      forged: 'receipt_invalid',
      isNone: true,
      aborted: 'enough',
    })
    assert.ok(delivered > 0 && zip > 0)
    assert.equal(events.at(-1), 'end')
    assert.equal(events.filter((type: string) => type === 'video').length, rows)
  })
}

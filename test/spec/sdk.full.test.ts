/** A client generated from /openapi.json by a public generator: it type-checks and runs a job. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { truthOf } from '../../emulator/truth.ts'
import { sharedService } from '../support/shared-service.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** A program that uses only names and types of the document: where one is missing or wrong, it does not compile. */
const PROGRAM = `
import { createClient, createConfig } from './sdk/client/index.ts'
import { createJob, getBalance, getFile, getJob, getResults, listJobs, type Job, type Video } from './sdk/index.ts'

export async function order(baseUrl: string, apiKey: string, urls: string[]): Promise<{ job: Job; videos: Video[]; spent: number; zip: number; code: string }> {
  const client = createClient(createConfig({ baseUrl, auth: apiKey }))
  const { data: balance } = await getBalance({ client })
  const { data: started, error, response } = await createJob({
    client,
    headers: { 'Idempotency-Key': 'sdk', Prefer: 'wait=60' },
    body: { urls, language: 'original', maxVideos: 5, formats: ['text', 'srt'] },
  })
  if (started === undefined) throw new Error(\`\${response?.status} \${error?.error.code}\`)

  const { id } = started
  const { data: job } = await getJob({ client, path: { id }, query: { wait: 60 } })
  const { data: results } = await getResults({ client, path: { id }, query: { limit: 50, view: 'full' } })
  const { data: list } = await listJobs({ client, query: { limit: 1 } })
  const { data: zip } = await getFile({ client, path: { id, file: 'zip' }, parseAs: 'arrayBuffer' })
  const { error: missing } = await getJob({ client, path: { id: 'none' } })
  if (job === undefined || results === undefined || balance === undefined || list?.jobs[0]?.id !== job.id) throw new Error('an answer is missing')

  const state: 'queued' | 'running' | 'cancelling' | 'finished' | 'cancelled' | 'failed' | 'interrupted' = job.state
  const charged: string | null = job.billing.charged
  const code: 'not_found' | 'rate_limited' | 'unauthorized' | string | undefined = missing?.error.code
  if (state !== 'finished' || charged === null) throw new Error(state)
  const zipBytes: unknown = zip
  return { job, videos: results.videos, spent: balance.balanceMicros, zip: (zipBytes as ArrayBuffer).byteLength, code: code ?? '' }
}
`
const CONFIG = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    types: [],
    lib: ['es2024', 'dom', 'dom.iterable'],
  },
  files: ['order.ts'],
}

const { platform, address, customer } = await sharedService({ after })
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sdk-'))
after(() => fs.rmSync(folder, { recursive: true }))

test('a client generated from the description type-checks and runs a job', async () => {
  const document = await (await fetch(`${address}/api/v1/openapi.json`)).text()
  const written = spawnSync(
    process.execPath,
    [path.join(ROOT, 'tools/openapi-types/sdk.ts'), path.join(folder, 'sdk')],
    { input: document, encoding: 'utf8' },
  )
  assert.equal(written.status, 0, written.stderr)
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(CONFIG))
  fs.writeFileSync(path.join(folder, 'order.ts'), PROGRAM)
  const checked = spawnSync(
    process.execPath,
    [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder],
    { encoding: 'utf8' },
  )
  assert.equal(checked.status, 0, checked.stdout)

  const { videos } = truthOf(platform.world, { limit: 5 })
  const buyer = await customer('1')
  const { order } = await import(pathToFileURL(path.join(folder, 'order.ts')).href)
  const done = await order(
    `${address}/api/v1`,
    buyer.apiKey,
    videos.map(({ videoId }) => videoId),
  )
  assert.deepEqual(
    done.videos.map(({ status }: { status: string }) => status),
    videos.map(({ status }) => status),
  )
  assert.deepEqual([done.spent, done.code], [1_000_000, 'not_found'])
  assert.ok(done.zip > 0)
})

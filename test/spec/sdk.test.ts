/** A client generated from /openapi.json by a public generator: it type-checks and runs a job. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { truthOf } from '../../emulator/truth.ts'
import { testService } from '../support/service.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Only names and types of the document: where one is missing or wrong, this does not compile. */
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

type Job = components['schemas']['Job']
type Video = components['schemas']['Video']

export async function order(baseUrl: string, apiKey: string, urls: string[]): Promise<{ job: Job; videos: Video[]; spent: number; zip: number; code: string }> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${apiKey}\` } })
  const { data: balance } = await client.GET('/balance')
  const body = { urls, language: 'original', maxVideos: 5, formats: ['text', 'srt'] satisfies components['schemas']['Format'][] }
  const { data: started, error, response } = await client.POST('/jobs', { params: { header: { 'Idempotency-Key': 'sdk', Prefer: 'wait=60' } }, body })
  if (started === undefined) throw new Error(\`\${response.status} \${error.error.code}\`)

  const { data: job } = await client.GET('/jobs/{id}', { params: { path: { id: started.id }, query: { wait: 60 } } })
  const { data: results } = await client.GET('/jobs/{id}/results', { params: { path: { id: started.id }, query: { limit: 50, view: 'full' } } })
  const { data: list } = await client.GET('/jobs', { params: { query: { limit: 1 } } })
  const { data: zip } = await client.GET('/jobs/{id}/files/{file}', { params: { path: { id: started.id, file: 'zip' } }, parseAs: 'arrayBuffer' })
  const { error: missing } = await client.GET('/jobs/{id}', { params: { path: { id: 'none' } } })
  if (job === undefined || results === undefined || balance === undefined || list?.jobs[0]?.id !== job.id) throw new Error('an answer is missing')

  const state: 'queued' | 'running' | 'cancelling' | 'finished' | 'cancelled' | 'failed' | 'interrupted' = job.state
  const charged: string | null = job.billing.charged
  const code: components['schemas']['Error']['error']['code'] | undefined = missing?.error.code
  if (state !== 'finished' || charged === null) throw new Error(state)
  return { job, videos: results.videos, spent: balance.balanceMicros, zip: zip?.byteLength ?? 0, code: code ?? '' }
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

const { platform, address, customer } = await testService({ after })
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sdk-'))
after(() => fs.rmSync(folder, { recursive: true }))

test('a client generated from the description type-checks and runs a job', async () => {
  const document = await (await fetch(`${address}/api/v1/openapi.json`)).text()
  const printed = spawnSync(process.execPath, [path.join(ROOT, 'tools/openapi-types/print.ts')], {
    input: document,
    encoding: 'utf8',
  })
  assert.equal(printed.status, 0, printed.stderr)
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(CONFIG))
  fs.writeFileSync(path.join(folder, 'schema.ts'), printed.stdout)
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

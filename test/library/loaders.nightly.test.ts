/**
 * The loaders that people use read an export of ours: those of LangChain and LlamaIndex, installed for this test alone.
 * Together they take 140 MB, so that they are no packages of this repository.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Json } from '../../tools/conformance/http.ts'
import { testService } from '../support/service.ts'
import { bareEnvironment } from '../support/service-process.ts'

const LOADERS = ['@langchain/classic@1.0.50', '@llamaindex/readers@3.1.22']
const ANSWER_MS = 30_000
const INSTALL_MS = 600_000

/** Both loaders write to standard output; the last line is ours. */
const PROGRAM = `
import { JSONLinesLoader } from '@langchain/classic/document_loaders/fs/json'
import { JSONReader } from '@llamaindex/readers/json'
const langchain = await new JSONLinesLoader('export.jsonl', '/text').load()
const reader = new JSONReader({ isJsonLines: true, cleanJson: false })
const llamaindex = await reader.loadData('export.jsonl')
console.log()
console.log(JSON.stringify({
  langchain: langchain.map(({ pageContent }) => pageContent),
  llamaindex: llamaindex.map(({ text }) => JSON.parse(text)),
}))
`

const run = promisify(execFile)

/** Settings of the person who runs the test: a registry of their own, and certificates that their network needs. */
const OWN = ['npm_config_registry', 'NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'NO_PROXY']
const own = OWN.flatMap((name) => {
  const value = process.env[name]
  return value === undefined ? [] : [[name, value] as const]
})
const env = { ...bareEnvironment(), HOME: os.homedir(), ...Object.fromEntries(own) }

/**
 * Returns why the test is skipped: a machine without a registry cannot try. With one, a failed installation is a
 * failure.
 */
async function noRegistry(): Promise<string | false> {
  try {
    await run('npm', ['ping', '--fetch-retries=0'], { env, timeout: ANSWER_MS })
    return false
  } catch {
    return 'no registry of packages answers `npm ping`, so the loaders cannot be installed'
  }
}

const skip = await noRegistry()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loaders-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

before(async () => {
  if (skip !== false) return
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}')
  fs.writeFileSync(path.join(folder, 'load.js'), PROGRAM)
  const flags = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', ...flags, ...LOADERS], { cwd: folder, env, timeout: INSTALL_MS })
})

test("LangChain's and LlamaIndex's loaders read every passage of an export", { skip }, async () => {
  const { customer } = await testService({ after })
  const who = await customer()
  const { job } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 5 })
  const exported = await who.downloads(`/jobs/${job['id']}/export.jsonl?seconds=30`)
  fs.writeFileSync(path.join(folder, 'export.jsonl'), exported)

  const { stdout } = await run(process.execPath, ['load.js'], { cwd: folder })
  const { langchain, llamaindex } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Json
  const lines = exported.toString().trimEnd().split('\n')
  const passages = lines.map((line) => JSON.parse(line) as Json)
  assert.ok(passages.length > 20)
  assert.deepEqual(
    langchain,
    passages.map(({ text }) => text),
  )
  assert.deepEqual(llamaindex, passages)
})

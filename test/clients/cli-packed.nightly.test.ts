/** The command line as the service serves it: by `npx` from its address, quick, on the oldest Node. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Customer } from '../../tools/conformance/customer.ts'
import { packClients } from '../../tools/scripts/pack-clients.ts'
import { testService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { cliUser } from './cli-command.ts'
import { programOnPath } from './other-runtimes.ts'
import { inTerminal, screenOf } from './terminal-screen.ts'

const VIDEO = 'https://www.youtube.com/watch?v=QIyCJblUw9E'
/** Most milliseconds above an empty program of the same Node; the best of many counts, so that other load does not. */
const START_MS_MAX = 40
const STARTS = 15

const ending: (() => Promise<void>)[] = []
const scope = { after: (end: () => Promise<void>) => void ending.push(end) }
let it: TestService
let customer: Customer
let file: string
let folder: string

before(async () => {
  assert.ok(await packClients())
  it = await testService(scope)
  customer = await it.customer()
  const served = (await (await fetch(`${it.address}/clients/`)).json()) as Record<string, string>[]
  file = served.find(({ name }) => name === '@scriptorium/cli')?.['file'] ?? ''
  assert.match(file, /^scriptorium-cli-\d+\.\d+\.\d+\.tgz$/)
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cli-packed-'))
  const packed = Buffer.from(await (await fetch(`${it.address}/clients/${file}`)).arrayBuffer())
  fs.writeFileSync(path.join(folder, file), packed)
  execFileSync('tar', ['xzf', file], { cwd: folder })
  assert.ok(gunzipSync(packed).length > 0)
})
after(async () => {
  fs.rmSync(folder, { recursive: true, force: true })
  for (const end of ending.reverse()) await end()
})

test('one line is enough: npx with the address of the service, which is asked then', async () => {
  const user = cliUser(
    scope,
    { SCRIPTORIUM_API_KEY: customer.apiKey, npm_config_cache: path.join(folder, 'npm') },
    ['npx', '--yes', `${it.address}/clients/${file}`],
  )
  const { code, stderr } = await user.runs('get', VIDEO, '--out', 'talks', '--names', 'id')
  assert.equal(code, 0, stderr)
  assert.deepEqual(user.files('talks'), ['QIyCJblUw9E.txt'])
})

test('help is there within 40 ms of the time that Node itself takes', () => {
  const bare = bestOf(() => spawnSync(process.execPath, ['-e', '0']))
  const help = bestOf(() => {
    const { stdout } = spawnSync(process.execPath, [unpacked('dist/main.js'), '--help'])
    assert.match(String(stdout), /scriptorium get/)
  })
  assert.ok(help - bare < START_MS_MAX, `${help} ms, and ${bare} ms of an empty program`)
})

test('an older program is told of the newer one, once a day, on a terminal only', async () => {
  const old = path.join(folder, 'old')
  fs.cpSync(path.join(folder, 'package'), old, { recursive: true })
  const manifest = path.join(old, 'package.json')
  const { version, ...rest } = JSON.parse(fs.readFileSync(manifest, 'utf8'))
  fs.writeFileSync(manifest, JSON.stringify({ ...rest, version: '0.9.0' }))
  const env = { SCRIPTORIUM_URL: it.address, SCRIPTORIUM_API_KEY: customer.apiKey }
  const program = [process.execPath, path.join(old, 'dist/main.js')]
  const user = cliUser(scope, env, program)
  const told = `Version ${version} is available: npx ${it.address}/clients/${file}`
  const prints = async (): Promise<string[]> => {
    const run = inTerminal(user, { columns: 200 }, [...program, 'get', VIDEO, '--out', 'talks'])
    assert.equal(await run.ended, 0, run.raw())
    return screenOf(run.raw())
  }
  // A command that ends before the look for a newer version leaves it to the next one.
  await until('the newer version is told', async () => (await prints()).includes(told))
  assert.ok(!(await user.runs('balance')).stderr.includes('Version'))
})

test('Node 20 runs it', async (t) => {
  const node = programOnPath('node', (version) => version.startsWith('v20.'))
  if (node === null) return t.skip('Node 20 is not installed')
  const env = { SCRIPTORIUM_URL: it.address, SCRIPTORIUM_API_KEY: customer.apiKey }
  const user = cliUser(scope, env, [node, unpacked('dist/main.js')])
  const { code, stdout, stderr } = await user.runs('get', VIDEO, '--stdout')
  assert.equal(code, 0, stderr)
  assert.ok(stdout.length > 100)
  const { jobs } = await customer.gets('/jobs')
  const receipt = await user.runs('receipt', 'get', jobs.at(-1).id)
  fs.writeFileSync(path.join(user.folder, 'receipt.json'), receipt.stdout)
  const keys = await (await fetch(`${it.address}/.well-known/scriptorium-keys.json`)).text()
  fs.writeFileSync(path.join(user.folder, 'keys.json'), keys)
  const held = await user.runs('receipt', 'verify', 'receipt.json', '--keys', 'keys.json')
  assert.equal(held.code, 0, held.stderr)
  assert.equal(held.stderr, '')
})

function unpacked(name: string): string {
  return path.join(folder, 'package', name)
}

function bestOf(run: () => void): number {
  const times = Array.from({ length: STARTS }, () => {
    const startedAt = performance.now()
    run()
    return performance.now() - startedAt
  })
  return Math.min(...times)
}

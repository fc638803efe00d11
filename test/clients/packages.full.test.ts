/**
 * The packed clients: packing gives the same bytes again, the service serves them with checksums, and they work where
 * they are installed.
 */
import assert from 'node:assert/strict'
import { COMMANDS } from '../../clients/cli/src/commands.ts'
import { programOnPath } from './other-runtimes.ts'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { CLIENT_PACKAGES } from '../../tools/scripts/clients/packages.ts'
import { packClients } from '../../tools/scripts/pack-clients.ts'
import { needs } from '../support/needs.ts'
import { testService } from '../support/service.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Raised when texts could be deleted. */
const CODE_BYTES_MAX = 61_700
/** Most bytes of the command line, unpacked. */
const PROGRAM_BYTES_MAX = 150_000
/** A typed program that uses the client; `never` marks types that lost something. */
const CONSUMER = `
import { Scriptorium, NotFoundError, type Transcript, type JobEvent } from '@scriptorium/client'
const client = new Scriptorium({ apiKey: 'sk', baseUrl: 'https://host' })
export async function use(): Promise<string[]> {
  const texts: string[] = []
  for await (const one of client.transcripts(['a'], { maxVideos: 2 })) texts.push((one satisfies Transcript).text)
  for await (const event of client.jobs.events('id') satisfies AsyncIterable<JobEvent>) texts.push(event.type)
  const size: number | null = (await client.files.zip('id', { names: 'title' })).sizeBytes
  // @ts-expect-error there is no such field
  await client.jobs.start({ urls: 'a', maxVideo: 2 })
  return size === null ? [] : texts
}
export const isMissing = (error: unknown): boolean => error instanceof NotFoundError && error.status === 404
`
const CONSUMER_CONFIG = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
    noEmit: true,
    skipLibCheck: false,
  },
  files: ['consumer.ts'],
}

type Listed = { name: string; version: string; file: string; sha256: string }

assert.ok(await packClients(), 'the clients can be packed')
const { address } = await testService({ after }, { env: { ROLES: 'api' } })
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clients-'))
after(() => fs.rmSync(folder, { recursive: true }))
const list = (await (await fetch(`${address}/clients/`)).json()) as Listed[]
const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Listed

test('every client is listed with the version and checksum of what is served', async () => {
  assert.ok(list.length >= CLIENT_PACKAGES.length)
  for (const { file, sha256, ...client } of list) {
    const response = await fetch(`${address}/clients/${file}`)
    assert.equal(response.status, 200, file)
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256)
    assert.equal(client.version, version)
    const headers = { 'If-None-Match': response.headers.get('ETag') ?? '' }
    assert.equal((await fetch(`${address}/clients/${file}`, { headers })).status, 304)
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.writeFileSync(path.join(folder, file), bytes)
  }
  assert.deepEqual(await (await fetch(`${address}/clients`)).json(), list)
  assert.equal((await fetch(`${address}/clients/none.tgz`)).status, 404)
})

test('the same sources are packed to the same bytes', async () => {
  const read = (): string => fs.readFileSync(path.join(ROOT, 'clients/dist/list.json'), 'utf8')
  const before = read()
  assert.ok(await packClients({ isForced: true }))
  assert.equal(read(), before)
})

test('the command line knows the service that it was installed from for good', async () => {
  const file = list.find(({ name }) => name === '@scriptorium/cli')?.file ?? ''
  const prefix = path.join(folder, 'global')
  const npm = ['install', '-g', '--prefix', prefix, '--no-audit', '--no-fund']
  await promisify(execFile)('npm', [...npm, `${address}/clients/${file}`])
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_CONFIG_HOME: path.join(folder, 'none'),
  }
  const { stdout } = await promisify(execFile)(
    path.join(prefix, 'bin/scriptorium'),
    ['config', '--json'],
    { env },
  )
  const { server, serverFrom } = JSON.parse(stdout)
  assert.equal(new URL(server).port, new URL(address).port)
  assert.equal(serverFrom, 'the service that served this program')
})

test('the command line needs no package and fits into 150 KB', () => {
  const home = path.join(folder, 'cli')
  fs.mkdirSync(home)
  execFileSync('tar', ['-xzf', path.join(folder, `scriptorium-cli-${version}.tgz`), '-C', home])
  const names = fs.readdirSync(home, { recursive: true, encoding: 'utf8' })
  const stats = names.map((name) => fs.statSync(path.join(home, name)))
  const bytes = stats.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
  assert.ok(bytes < PROGRAM_BYTES_MAX, `${bytes} bytes`)
  const manifest = fs.readFileSync(path.join(home, 'package/package.json'), 'utf8')
  assert.equal(JSON.parse(manifest).dependencies, undefined)
})

test('the command line starts on the oldest Node that it promises, and tells every command', async (t) => {
  const node = programOnPath('node', (found) => found.startsWith('v20.'))
  if (node === null) return t.skip('Node 20 is not installed')
  const main = path.join(folder, 'cli/package/dist/main.js')
  for (const command of COMMANDS.map(({ name }) => name)) {
    const { stdout } = await promisify(execFile)(node, [main, command, '--help'])
    assert.ok(stdout.startsWith(`scriptorium ${command}`), stdout)
  }
})

test('the packed library is typed and runs where it is installed', async () => {
  const home = path.join(folder, 'node_modules/@scriptorium/client')
  fs.mkdirSync(home, { recursive: true })
  const tarball = path.join(folder, `scriptorium-client-${version}.tgz`)
  execFileSync('tar', ['-xzf', tarball, '-C', home, '--strip-components=1'])
  assert.ok(fs.statSync(path.join(home, 'dist/index.js')).size < CODE_BYTES_MAX)
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  fs.writeFileSync(path.join(folder, 'consumer.ts'), CONSUMER)
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(CONSUMER_CONFIG))
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const checked = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  assert.equal(checked.status, 0, checked.stdout)

  const program = `
    import { Scriptorium } from '@scriptorium/client'
    const client = new Scriptorium({ apiKey: 'sk_none', baseUrl: '${address}' })
    await client.balance().catch((error) => console.log(error.name, error.status))`
  for (const specifier of ['@scriptorium/client', `${folder}/scriptorium-client.js`])
    assert.match(
      await ran(program.replace('@scriptorium/client', specifier)),
      /UnauthorizedError 401/,
    )
  const file = `file://${folder}/scriptorium-client.js`
  const worker = encodeURIComponent(program.replace('@scriptorium/client', file))
  const inWorker = `
    import { Worker } from 'node:worker_threads'
    new Worker(new URL('data:text/javascript,${worker.replaceAll("'", '%27')}'))`
  assert.match(await ran(inWorker), /UnauthorizedError 401/)
})

test('the wheel is installed by pip alone', needs('python3'), () => {
  const wheel = path.join(folder, `scriptorium_client-${version}-py3-none-any.whl`)
  const target = path.join(folder, 'site')
  const options = ['--no-index', '--no-deps', '--quiet', '--disable-pip-version-check']
  const pip = spawnSync(
    'python3',
    ['-m', 'pip', 'install', ...options, '--target', target, wheel],
    {
      encoding: 'utf8',
    },
  )
  if (/No module named pip/.test(pip.stderr)) execFileSync('unzip', ['-q', wheel, '-d', target])
  else assert.equal(pip.status, 0, pip.stderr)
  const program = 'import scriptorium_client as s; print(s.__version__, s.__file__)'
  const env = { ...process.env, PYTHONPATH: target }
  const said = execFileSync('python3', ['-c', program], { env, encoding: 'utf8' })
  assert.ok(said.startsWith(`${version} ${target}`), said)
})

/** Runs in a process of its own, while the service answers in this one. */
async function ran(program: string): Promise<string> {
  const file = path.join(folder, 'program.mjs')
  fs.writeFileSync(file, program)
  const { stdout } = await promisify(execFile)(process.execPath, [file])
  return stdout
}

/**
 * What a release publishes: npm takes the packed files, they are what the service serves but for its address, the wheel
 * says what it is, and the lists of packages name all that runs.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { CLIENT_PACKAGES } from '../../tools/scripts/clients/packages.ts'
import { packNpm } from '../../tools/scripts/clients/pack-npm.ts'
import { packPython } from '../../tools/scripts/clients/pack-python.ts'
import { packClients } from '../../tools/scripts/pack-clients.ts'
import { productionModules } from '../../tools/scripts/production-modules.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { testService } from '../support/service.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const DIST = path.join(ROOT, 'clients/dist')
/** The only member of a package that a service changes: the file for its address. */
const CHANGED = 'package/server.json'

type Served = { name: string; version: string; file: string; sha256: string }

assert.ok(await packClients(), 'the clients can be packed')
const folder = temporaryFolder({ after })
const { address } = await testService({ after }, { env: { ROLES: 'api' } })
const served = (await (await fetch(`${address}/clients/`)).json()) as Served[]
const packed = fs.readdirSync(DIST).filter((name) => /\.(?:tgz|whl)$/.test(name))
const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Served

async function download(file: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${address}/clients/${file}`)).arrayBuffer())
}

/** Returns the files of a package by their paths. */
function membersOf(tarball: Buffer): Map<string, Buffer> {
  const home = fs.mkdtempSync(path.join(folder, 'members-'))
  execFileSync('tar', ['-xz', '-C', home], { input: tarball })
  const names = fs.readdirSync(home, { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => fs.statSync(path.join(home, name)).isFile())
      .map((name) => [name.replaceAll(path.sep, '/'), fs.readFileSync(path.join(home, name))]),
  )
}

test('npm would publish the packed files, under the names that the documents say', async () => {
  const names: string[] = []
  for (const file of packed.filter((one) => one.endsWith('.tgz'))) {
    const args = ['publish', '--dry-run', '--force', '--offline', '--json', '--access', 'public']
    const { stdout } = await promisify(execFile)('npm', [...args, `./${file}`], { cwd: DIST })
    type Said = { name: string; version: string; integrity: string }
    const [said] = Object.values(JSON.parse(stdout) as Record<string, Said>)
    assert.ok(said !== undefined, stdout)
    const digest = createHash('sha512').update(fs.readFileSync(path.join(DIST, file)))
    assert.equal(said.integrity, `sha512-${digest.digest('base64')}`, 'the very file')
    assert.equal(said.version, version)
    names.push(said.name)
  }
  assert.deepEqual(names.sort(), ['@scriptorium/cli', '@scriptorium/client'])
})

test('what is published is what the service serves: of the command line all but the address', async () => {
  const changed: string[] = []
  for (const file of packed) {
    const published = fs.readFileSync(path.join(DIST, file))
    const fetched = await download(file)
    if (fetched.equals(published)) continue
    const [before, now] = [membersOf(published), membersOf(fetched)]
    assert.deepEqual([...now.keys()].sort(), [...before.keys()].sort())
    for (const [name, content] of before)
      if (!now.get(name)?.equals(content)) changed.push(`${file} ${name}`)
    assert.deepEqual(JSON.parse(`${before.get(CHANGED)}`), { address: null })
    assert.deepEqual(Object.keys(JSON.parse(`${now.get(CHANGED)}`)), ['address'])
    const untouched = served.find((one) => one.file === `as-published/${file}`)
    const again = await download(untouched?.file ?? '')
    assert.ok(again.equals(published), 'the untouched file is served beside it')
    assert.equal(createHash('sha256').update(again).digest('hex'), untouched?.sha256)
  }
  assert.deepEqual(changed, [`scriptorium-cli-${version}.tgz ${CHANGED}`])
})

test('the packages name the repository that they come from, once the project does', async () => {
  const repository = { type: 'git', url: 'git+https://code.example/us/texts.git' }
  for (const one of CLIENT_PACKAGES) {
    const release = { version, repository }
    const [tarball] =
      one.kind === 'npm' ? await packNpm(ROOT, release, one) : packPython(ROOT, release, one)
    const content = tarball?.file.content ?? Buffer.alloc(0)
    if (one.kind === 'python') {
      assert.match(`${content}`, /\nProject-URL: Source, https:\/\/code\.example\/us\/texts\n/)
      continue
    }
    const manifest = JSON.parse(`${membersOf(content).get('package/package.json')}`)
    assert.deepEqual(manifest.repository, { ...repository, directory: one.folder })
  }
})

test(
  'the wheel has the metadata that PyPI asks for, its licence, and a true record',
  needs('python3'),
  () => {
    const wheel = path.join(DIST, packed.find((name) => name.endsWith('.whl')) ?? '')
    const program = `
import base64, email, hashlib, json, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
info = next(n for n in wheel.namelist() if n.endswith('/METADATA')).rsplit('/', 1)[0]
record = [line.split(',') for line in wheel.read(info + '/RECORD').decode().splitlines()]
wrong = [n for n, digest, _ in record if digest and digest != 'sha256=' +
  base64.urlsafe_b64encode(hashlib.sha256(wheel.read(n)).digest()).rstrip(b'=').decode()]
fields = email.message_from_bytes(wheel.read(info + '/METADATA'))
print(json.dumps({'wrong': wrong, 'recorded': sorted(n for n, _, _ in record), 'names': sorted(wheel.namelist()),
  'licence': info + '/licenses/' + fields['License-File'], 'fields': dict(fields.items())}))`
    const said = JSON.parse(execFileSync('python3', ['-c', program, wheel], { encoding: 'utf8' }))
    assert.deepEqual(said.wrong, [])
    assert.deepEqual(said.recorded, said.names)
    assert.ok(said.names.includes(said.licence), said.licence)
    const { Name, Version, ...fields } = said.fields
    assert.deepEqual([Name, Version], ['scriptorium-client', version])
    assert.equal(fields['License-Expression'], 'Apache-2.0')
    assert.equal(fields['Description-Content-Type'], 'text/markdown')
    assert.equal(fields['Requires-Python'], '>=3.9')
  },
)

test('each README says where else its package is', () => {
  const places: [string, RegExp][] = [
    ['clients/typescript', /\[npm\]\(https:\/\/www\.npmjs\.com\/package\/@scriptorium\/client\)/],
    ['clients/cli', /\[npm\]\(https:\/\/www\.npmjs\.com\/package\/@scriptorium\/cli\)/],
    ['clients/python', /\[PyPI\]\(https:\/\/pypi\.org\/project\/scriptorium-client\/\)/],
  ]
  for (const [client, registry] of places) {
    const text = fs.readFileSync(path.join(ROOT, client, 'README.md'), 'utf8')
    for (const place of [registry, /`\/clients\/`/, new RegExp(`\`${client}\``)])
      assert.match(text, place, client)
  }
})

test('the lists of packages (CycloneDX) name all that runs, with the version of the lock file', async () => {
  type List = {
    bomFormat: string
    components: { name: string; version: string; hashes: object[] }[]
  }
  const listOf = async (script: string): Promise<Map<string, List['components']>> => {
    const env = { ...process.env, npm_config_offline: 'true' }
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', script], {
      cwd: ROOT,
      env,
    })
    const { bomFormat, components } = JSON.parse(stdout) as List
    assert.equal(bomFormat, 'CycloneDX')
    return Map.groupBy(components, ({ name }) => name)
  }
  // The project itself has no packages for development: they are in workspaces. npm's own --omit=dev would leave out
  // what another package also takes for development.
  const service = await listOf('sbom')
  for (const [place, { version: locked }] of productionModules(ROOT)) {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const found = service.get(name)?.find((one) => one.version === locked)
    assert.ok(found !== undefined && found.hashes.length > 0, `${name} ${locked}`)
  }
  const website = await listOf('sbom:website')
  const { dependencies } = JSON.parse(
    fs.readFileSync(path.join(ROOT, 'web/package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> }
  for (const name of Object.keys(dependencies)) assert.ok(website.has(name), name)
})

/**
 * The files that describe the image and its operation, without a container engine: each is what its own format allows
 * (by linters that read Dockerfiles, Compose files, workflows and Kubernetes objects), and names only settings that the
 * code knows.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import { type CollectionTag, parse, type YAMLMap } from 'yaml'
import { productionModules } from '../../tools/scripts/production-modules.ts'
import { readConfig, SETTINGS } from '../../src/config/config.ts'
import { commandOf, imageEnvironment, lastStage, CHECKOUT } from '../images/stages.ts'
import { faultsOfObjects, readObjects } from './kubernetes-objects.ts'
import { faultsOfWorkflow } from './workflows.ts'
import { nameOfHost, readDatabaseUrl } from '../../src/kit/postgres/address.ts'
import { STOP_MARGIN_MS } from '../../src/serve.ts'

const MANIFESTS = path.join(CHECKOUT, 'docs/operating/kubernetes')
const read = (name: string): string => fs.readFileSync(path.join(CHECKOUT, name), 'utf8')
/** Settings that compose gives to a service by itself, and those without a meaning in a container. */
const GIVEN = ['PORT', 'HOST', 'HEALTH_PORT', 'DATA_DIR', 'MAIL_DIR', 'ROLES', 'TRUSTED_PROXIES']

test('the Dockerfile has no fault, and its last stage is small, unprivileged and without a shell’s work', () => {
  assert.deepEqual(validate(read('Dockerfile')), [])
  assert.equal(validate('FROM a\nCMD ["a"]\nCMD ["b"]').length > 0, true, 'it finds faults')
  const keywords = lastStage().map(({ keyword }) => keyword)
  assert.ok(!keywords.includes('RUN'), 'another platform would have to be emulated')
  assert.deepEqual(lastStage().find(({ keyword }) => keyword === 'USER')?.words, ['1000:1000'])
  assert.deepEqual(commandOf('HEALTHCHECK'), ['node', 'src/main.ts', 'health'])
  for (const name of Object.keys(imageEnvironment()))
    assert.ok(name in SETTINGS || name.startsWith('NODE_'), name)
  for (const ROLES of ['api', 'worker']) {
    const { HOST, PORT, HEALTH_PORT } = readConfig({ ...imageEnvironment(), ROLES })
    assert.deepEqual([HOST, PORT, HEALTH_PORT], ['0.0.0.0', 8080, 8080])
  }
})

test('no package of the image is for one platform only, or has to build something', () => {
  const modules = productionModules(CHECKOUT)
  assert.ok(modules.has('node_modules/fastify') && modules.size > 100)
  for (const [folder, { os, cpu, hasInstallScript }] of modules)
    assert.deepEqual([os, cpu, hasInstallScript], [undefined, undefined, undefined], folder)
})

test('compose.yaml is a Compose file, and hands on every setting that there is', () => {
  assert.deepEqual(faultsOfCompose('compose.yaml'), [])
  const { services } = parse(read('compose.yaml'), { merge: true })
  for (const [name, { environment, image }] of Object.entries<any>(services)) {
    if (!image.startsWith('scriptorium:') || name === 'emulator') continue
    const handed = Object.keys(environment)
    assert.deepEqual(
      Object.keys(SETTINGS).filter((one) => !handed.includes(one) && !GIVEN.includes(one)),
      [],
      `missing in ${name}`,
    )
    for (const one of handed) {
      assert.ok(one in SETTINGS, `${name} names ${one}, which is no setting`)
      const text = String(environment[one])
      assert.ok(one === 'ROLES' || text.includes(`\${${one}:-`) || one === 'DATABASE_URL', text)
    }
    const config = readConfig({ TRUSTED_PROXIES: '172.30.77.0/24', ROLES: environment.ROLES })
    assert.equal(config.ROLES.has(name as 'api'), true)
    const grace = Number.parseInt(services[name].stop_grace_period) * 1000
    assert.ok(grace >= stopMs(config), `${name} has time to stop`)
  }
})

test('compose.cluster.yaml leaves no service of compose.yaml without what it needs', () => {
  const folder = 'docs/operating/cluster'
  assert.deepEqual(faultsOfCompose('docs/operating/compose.cluster.yaml'), [])
  assert.deepEqual(validate(read(`${folder}/Dockerfile`)), [])
  const { services, volumes } = overridden(
    parse(read('compose.yaml'), { merge: true }),
    parse(read('docs/operating/compose.cluster.yaml'), {
      merge: true,
      customTags: TAGS,
    }),
  )
  assert.equal(services.database, undefined)
  for (const [name, one] of Object.entries<any>(services)) {
    assert.match(one.image, /:[\w.-]+$/, name)
    assert.ok(name === 'proxy' || one.healthcheck.test.length > 1, `${name} says how it is`)
    assert.ok(one.read_only && one.cap_drop.includes('ALL'), name)
    const needed = [one.depends_on ?? []].flat().flatMap(namesOf)
    assert.deepEqual(
      needed.filter((other) => !(other in services)),
      [],
      `${name} waits for what is not there`,
    )
    for (const volume of one.volumes ?? [])
      assert.ok(volume.startsWith('/') || volume.split(':')[0] in volumes, `${name}: ${volume}`)
    if (/^(?:pg|etcd)\d$/.test(name)) assert.equal(one.build.context, folder)
  }
  for (const name of ['api', 'worker'])
    assert.deepEqual(namesOf(services[name].depends_on), ['pg1', 'pg2'])
  const { DATABASE_URL } = services.api.environment
  const { hosts } = readDatabaseUrl(DATABASE_URL.replace(/\$\{[^}]*\}/, 'secret'))
  assert.deepEqual(hosts.map(nameOfHost), ['pg1:5432', 'pg2:5432'])

  // The image has each file that is copied, and the servers each setting that patroni.yml asks for.
  const [, copied = ''] = /^COPY (.+) \/cluster\/$/m.exec(read(`${folder}/Dockerfile`)) ?? []
  for (const file of copied.split(' '))
    assert.ok(fs.existsSync(path.join(CHECKOUT, folder, file)), file)
  const asked = read(`${folder}/patroni.yml`).match(
    /PATRONI_\w+|SCRIPTORIUM_PASSWORD|CREATE_DATABASE/g,
  )
  assert.ok(asked !== null && asked.length > 8)
  for (const name of ['pg1', 'pg2'])
    assert.deepEqual(
      Object.keys(services[name].environment).toSorted(),
      [...new Set(asked)].toSorted(),
    )
  assert.ok(copied.split(' ').includes(path.basename(services.pg1.environment.CREATE_DATABASE)))
})

test('the workflows are what GitHub takes', async () => {
  for (const name of fs.readdirSync(path.join(CHECKOUT, '.github/workflows')))
    assert.deepEqual(await faultsOfWorkflow(read(`.github/workflows/${name}`)), [], name)
  const wrong = 'on: push\njobs: { a: { runs-in: x, steps: [{ run: "${{ githu.ref }}" }] } }'
  assert.ok((await faultsOfWorkflow(wrong)).length > 0, 'it finds faults')
})

test('what the gate installs is in the container for development, and the tests have memory for databases', () => {
  const [, wanted = ''] = /local wanted=\(([^)]+)\)/.exec(read('.ci/run')) ?? []
  const { features } = JSON.parse(read('.devcontainer/devcontainer.json'))
  const [{ packages }] = Object.values<{ packages: string }>(features) as [{ packages: string }]
  assert.deepEqual(packages.split(','), wanted.split(' '))
  for (const name of ['check', 'nightly']) {
    const { jobs } = parse(read(`.github/workflows/${name}.yml`))
    assert.equal(jobs[name].container.options, '--shm-size=6g', name)
  }
})

test('the manifests are Kubernetes objects without an unknown field, and name settings that the code knows', async () => {
  const objects = readObjects(MANIFESTS)
  assert.deepEqual(await faultsOfObjects(objects), [])
  const wrong = structuredClone(objects.find(({ kind }) => kind === 'Job')!)
  wrong.spec.template.spec.containers[0].envFrom[0].configMapRef.nam = 'x'
  wrong.spec.backoffLimit = 'many'
  assert.equal((await faultsOfObjects([wrong])).length, 2, 'it finds faults')

  const told: Record<string, string> = {}
  for (const { kind, data, stringData } of objects)
    if (kind === 'ConfigMap' || kind === 'Secret') Object.assign(told, data, stringData)
  assert.deepEqual(
    Object.keys(told).filter((name) => !(name in SETTINGS)),
    [],
  )
  const config = readConfig({ ...imageEnvironment(), ...told })
  for (const { kind, spec } of objects) {
    if (kind !== 'Deployment') continue
    const pod = spec.template.spec
    assert.ok(pod.terminationGracePeriodSeconds * 1000 >= stopMs(config))
    assert.equal(pod.containers[0].ports[0].containerPort, config.PORT)
    assert.ok(config.SEARCH_INDEX_MB < 5 * 1024, 'the volume holds the indexes')
  }
})

const RESET = Symbol('reset')
const OVERRIDE = '!override'
const TAGS: CollectionTag[] = [
  { tag: '!reset', collection: 'map', resolve: () => RESET },
  { tag: '!reset', collection: 'seq', resolve: () => RESET },
  {
    tag: OVERRIDE,
    collection: 'map',
    resolve: (map) => ((map as YAMLMap).set(OVERRIDE, true), map),
  },
]

/** Returns a file of Compose with another one over it: maps are joined, lists too, and the tags obeyed. */
function overridden(base: any, over: any): any {
  if (Array.isArray(base) && Array.isArray(over)) return [...base, ...over]
  if (!isMap(base) || !isMap(over)) return over
  const { [OVERRIDE]: isInstead, ...rest } = over
  const joined: any = isInstead ? {} : { ...base }
  for (const [key, value] of Object.entries(rest))
    if (value === RESET) delete joined[key]
    else joined[key] = key in joined ? overridden(joined[key], value) : value
  return joined
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function namesOf(value: string | object): string[] {
  return typeof value === 'string' ? [value] : Object.keys(value)
}

/** Returns the longest that a process may take from the signal to its end, in milliseconds. */
function stopMs({ STOP_NOTICE, STOP_GRACE }: { STOP_NOTICE: number; STOP_GRACE: number }): number {
  return (STOP_NOTICE + STOP_GRACE) * 1000 + STOP_MARGIN_MS
}

type Told = { rule: string; message: string; line: number }

/** Returns faults by the Compose specification and its linter, the order of entries excepted. */
function faultsOfCompose(name: string): string[] {
  const ORDERS = ['service-keys-order', 'services-alphabetical-order', 'top-level-properties-order']
  const asTheyAre = ['no-quotes-in-volumes', 'require-quotes-in-ports', ...ORDERS]
  const rules = Object.fromEntries(asTheyAre.map((rule) => [rule, 0]))
  const linter = new DCLinter({ rules, quiet: true })
  const [linted]: { messages: Told[] }[] = linter.lintFiles([path.join(CHECKOUT, name)], false)
  return (linted?.messages ?? []).map(({ rule, message, line }) => `${line} ${rule}: ${message}`)
}

/** Releases: what the changelog tells of each, and what must never change of it. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { findReleases, git, RELEASES } from '../support/releases.ts'
import { trackedFiles } from '../support/tracked-files.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** What fits on two screens: lines, each of that many characters. */
const LINES_MAX = 2 * 50
const COLUMNS = 120
const MIGRATIONS = 'src/store/migrations'

/** The image and packed clients, as documents, manifests and workflows name them. */
const NAMED = /(?:scriptorium:|scriptorium[-_](?:client|cli)-)\d+\.\d+\.\d+/g

const versions = RELEASES.map(({ version }) => version)
const read = (name: string): string => fs.readFileSync(path.join(ROOT, name), 'utf8')

function versionIn(packageJson: string): unknown {
  return (JSON.parse(packageJson) as { version: unknown }).version
}

/** Returns a text's parts by their headings of the second level. */
function partsOf(text: string): { heading: string; body: string }[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      return { heading: part.slice(0, end), body: part.slice(end).trim() }
    })
}

/** Returns the number of lines on a screen of `COLUMNS`. */
function linesOn(body: string): number {
  const lines = body.split('\n')
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / COLUMNS)), 0)
}

/** Returns, for each migration, the hash of the file that is here, and its name. */
function hashesOf(names: string[]): string[] {
  const hashes = git('hash-object', ...names.map((name) => `${MIGRATIONS}/${name}`)) ?? ''
  return hashes.split('\n').map((hash, at) => `${hash} ${names[at]}`)
}

test('the changelog tells of each release in at most two screens, the newest first', () => {
  const [unreleased, ...parts] = partsOf(read('CHANGELOG.md'))
  assert.equal(unreleased?.heading, 'Unreleased')
  const headings = parts.map(({ heading }) =>
    /^(\d+\.\d+\.\d+) \(\d{4}-\d{2}-\d{2}\)$/.exec(heading),
  )
  assert.ok(headings.every((found) => found !== null))
  assert.deepEqual(
    headings.slice(0, versions.length).map((found) => found?.[1]),
    versions.toReversed(),
  )
  for (const { heading, body } of parts) {
    const lines = linesOn(body)
    assert.ok(lines <= LINES_MAX, `${heading}: ${lines} lines, ${LINES_MAX} are two screens`)
  }
})

test('the program is that of the newest release, and has the migrations of each', () => {
  assert.equal(versionIn(read('package.json')), versions.at(-1))
  const files = fs.readdirSync(path.join(ROOT, MIGRATIONS))
  for (const { version, lastMigration } of RELEASES)
    assert.ok(files.includes(lastMigration), `${version}: ${lastMigration}`)
})

test('whatever names a version of the program, the image or a packed client names that one', () => {
  const version = versions.at(-1)
  const files = trackedFiles()
  const manifests = files.filter((file) => /(?:^|\/)package\.json$/.test(file))
  for (const name of manifests.filter((file) => !/^(clients|test)\//.test(file)))
    assert.equal(versionIn(read(name)), version, name)
  assert.ok(read('clients/python/scriptorium_client.py').includes(`__version__ = "${version}"`))
  const named = files
    .filter((file) => file !== 'CHANGELOG.md')
    .flatMap((file) => [...read(file).matchAll(NAMED)].map(([words]) => `${file}:${words}`))
  assert.ok(named.length > 10)
  assert.deepEqual(
    named.filter((line) => !line.endsWith(`${version}`)),
    [],
  )
})

test('what a release brought the database to has not changed since, and its tag is where it was made', (t) => {
  if (git('rev-parse', '--is-shallow-repository') !== 'false')
    return t.skip('this copy has no history, or a part of it')
  const released = findReleases('HEAD')
  const head = versionIn(git('show', 'HEAD:package.json') ?? '{}')
  const expected = versions.filter((version) => version !== versions.at(-1) || version === head)
  assert.deepEqual(
    released.map(({ version }) => version),
    expected.toReversed(),
    'every release has its commit',
  )
  for (const { version, commit } of released) {
    assert.equal(versionIn(git('show', `${commit}:package.json`) ?? '{}'), version, commit)
    const before = git('ls-tree', '--format=%(objectname) %(path)', `${commit}:${MIGRATIONS}`) ?? ''
    const names = before.split('\n').map((line) => line.slice(line.indexOf(' ') + 1))
    assert.equal(names.at(-1), RELEASES.find((one) => one.version === version)?.lastMigration)
    assert.deepEqual(
      hashesOf(names),
      before.split('\n'),
      `${version}: migrations are never changed`,
    )
    const tagged = git('rev-parse', '--verify', '--quiet', `v${version}^{commit}`)
    if (tagged !== null) assert.equal(tagged, commit, `v${version}`)
  }
})

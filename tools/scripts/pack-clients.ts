/**
 * `npm run pack:clients`: packs the clients into clients/dist with a list of their checksums, from which
 * the service serves them. `npm start` does the same where they are missing or older than their sources.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { CLIENT_PACKAGES, type Release } from './clients/packages.ts'
import { newestOf } from './build-web.ts'
import { type Packed, packNpm } from './clients/pack-npm.ts'
import { packPython } from './clients/pack-python.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const DIST = path.join(ROOT, 'clients/dist')
/** The list is written last, so that a packing that was stopped is repeated. */
const LIST = path.join(DIST, 'list.json')
/** Names of packed files; the drafts of another process end in its number. */
const PACKED = /\.(tgz|whl|js|py)$/
const SOURCES = [
  'clients',
  'tools/scripts/clients',
  'tools/scripts/pack-clients.ts',
  'src/api/documents/served-address.ts',
  'src/kit/text',
  'src/model/files',
  'package.json',
  'LICENSE',
]
const PACKED_OR_NOT_OURS = new Set(['dist', 'node_modules', '__pycache__'])

/** Packs the clients where they are older than their sources. Returns whether the packages are up to date now. */
export async function packClients({ isForced = false } = {}): Promise<boolean> {
  const packedAt = fs.statSync(LIST, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = SOURCES.map((name) => path.join(ROOT, name))
  if (!isForced && packedAt > 0 && newestOf(sources, PACKED_OR_NOT_OURS) <= packedAt) return true
  if (!isForced) process.stderr.write('scriptorium: packing the clients…\n')
  const tools = ['node_modules/rolldown', 'node_modules/typescript']
  if (!tools.every((folder) => fs.existsSync(path.join(ROOT, folder)))) {
    process.stderr.write(
      'scriptorium: the clients are not packed because their build tools are not installed; the API works without them\n',
    )
    return false
  }
  const { version, repository } = JSON.parse(
    fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  ) as Release
  const release: Release = repository === undefined ? { version } : { version, repository }
  const packed: Packed[] = []
  for (const one of CLIENT_PACKAGES) {
    packed.push(
      ...(one.kind === 'npm' ? await packNpm(ROOT, release, one) : packPython(ROOT, release, one)),
    )
  }
  write(version, packed)
  return true
}

/**
 * Writes each file as a whole: a service that starts meanwhile finds the old one or the new one, and every file that
 * its list names.
 */
function write(version: string, packed: readonly Packed[]): void {
  fs.mkdirSync(DIST, { recursive: true })
  for (const { file } of packed) put(file.name, file.content)
  const list = packed.map(({ name, file }) => ({
    name,
    version,
    file: file.name,
    sha256: createHash('sha256').update(file.content).digest('hex'),
  }))
  put(path.basename(LIST), Buffer.from(`${JSON.stringify(list, null, 2)}\n`))
  const current = new Set([path.basename(LIST), ...list.map(({ file }) => file)])
  for (const name of fs.readdirSync(DIST))
    if (!current.has(name) && PACKED.test(name)) fs.rmSync(path.join(DIST, name), { force: true })
}

function put(name: string, content: Buffer): void {
  const draft = path.join(DIST, `${name}.${process.pid}`)
  fs.writeFileSync(draft, content)
  fs.renameSync(draft, path.join(DIST, name))
}

// run.mjs may have imported this file: then the process began with another one, and argv names this one.
if (process.argv[1] === import.meta.filename) {
  process.exitCode = (await packClients({ isForced: true })) ? 0 : 1
  process.stdout.write(fs.existsSync(LIST) ? fs.readFileSync(LIST, 'utf8') : '')
}

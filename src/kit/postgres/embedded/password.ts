/**
 * The password of an embedded server, in a file beside the cluster that only the service's user may read. A server that
 * root starts runs as `nobody`, and so may other processes, which must not read it.
 */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { DataFolderError } from './errors.ts'
import { NOBODY, type OsUser } from './os-user.ts'

/** The data folder and the cluster in it. */
export type Folders = { dataDir: string; cluster: string }

const PASSWORD_BYTES = 24
const FORM = /^[0-9a-f]{48}$/

/**
 * Returns the password, which is made where there is none. Throws a `DataFolderError` where this user may not read it.
 */
export function ensurePassword(site: Folders): string {
  const file = path.join(site.dataDir, 'postgres-password')
  ensurePrivateFile(file, site, `${randomBytes(PASSWORD_BYTES).toString('hex')}\n`)
  const password = readPassword(file).trim()
  if (FORM.test(password)) return password
  throw new DataFolderError(
    `${file} contains no password: stop every process of the service, remove the file and start again`,
  )
}

/**
 * Makes a file of the service's user where there is none: whole or not at all, and never over another one, since many
 * processes may start at once.
 */
export function ensurePrivateFile(file: string, site: Folders, content: string): void {
  if (fs.existsSync(file)) return
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    fs.writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true })
    const owner = ownerOf(site)
    if (owner !== null) fs.chownSync(draft, owner.uid, owner.gid)
    fs.linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

function readPassword(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error
    throw new DataFolderError(
      `the password of the database in ${file} may not be read by uid ${process.geteuid?.()}: ` +
        'start as the user who owns that folder or as root, or set DATA_DIR',
    )
  }
}

/** Returns the ordinary user whose service uses the cluster, where root only helps; null means the present user. */
function ownerOf({ dataDir, cluster }: Folders): OsUser | null {
  if (process.geteuid?.() !== 0) return null
  const made = fs.statSync(cluster, { throwIfNoEntry: false })
  if (made !== undefined && made.uid !== NOBODY.uid) return made
  const folder = fs.statSync(dataDir)
  return folder.uid === NOBODY.uid ? folder : null
}

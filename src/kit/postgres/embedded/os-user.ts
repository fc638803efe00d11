/**
 * The system user as whom PostgreSQL runs: the service's own, or, since PostgreSQL refuses root, one without rights.
 */
import fs from 'node:fs'
import path from 'node:path'
import { DataFolderError } from './errors.ts'

/** The user without rights, "nobody" on every Linux, as whom root runs the server. */
export const NOBODY = { uid: 65_534, gid: 65_534 }

export type OsUser = { uid: number; gid: number }

/**
 * Returns null where PostgreSQL runs as the present user. For root it returns the owner of the cluster, so that an
 * administrator's command works on a service that runs as an ordinary user, and `nobody` for a new cluster. Throws a
 * `DataFolderError` where the cluster belongs to another user.
 */
export function chooseOsUser(site: { cluster: string }): OsUser | null {
  const self = process.geteuid?.()
  if (self === undefined) return null
  const found = fs.statSync(site.cluster, { throwIfNoEntry: false })

  if (self !== 0) {
    if (found === undefined || found.uid === self) return null
    throw new DataFolderError(
      `the database in ${site.cluster} belongs to the user with uid ${found.uid}, this is uid ` +
        `${self}: start as that user or as root, or set DATA_DIR`,
    )
  }
  if (found === undefined || fs.readdirSync(site.cluster).length === 0) return NOBODY
  if (found.uid !== 0) return { uid: found.uid, gid: found.gid }
  throw new DataFolderError(
    `the database in ${site.cluster} belongs to root, as whom PostgreSQL does not run: ` +
      `give it back with \`chown -R ${NOBODY.uid}:${NOBODY.gid} '${site.cluster}'\``,
  )
}

/** Whether `osUser` may search every folder above `file` and read it, and run it where it is executable. */
export function mayUse(file: string, osUser: OsUser | null): boolean {
  if (osUser === null) return isReadable(file)
  for (let at = file; ; at = path.dirname(at)) {
    const found = fs.statSync(at, { throwIfNoEntry: false })
    if (found === undefined) return false
    const needed = found.isDirectory() || (found.mode & 0o111) !== 0 ? 0o5 : 0o4
    const shift = found.uid === osUser.uid ? 6 : found.gid === osUser.gid ? 3 : 0
    if (((found.mode >> shift) & needed) !== needed) return false
    if (at === path.dirname(at)) return true
  }
}

function isReadable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.R_OK)
    return true
  } catch {
    return false
  }
}

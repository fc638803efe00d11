/**
 * Which of the installed packages, and which of their files, a running service loads: the part of `node_modules` that
 * the container image keeps.
 */
import fs from 'node:fs'
import path from 'node:path'

export type LockedPackage = {
  version?: string
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  os?: string[]
  cpu?: string[]
  hasInstallScript?: boolean
}

type Lock = Record<string, LockedPackage>

/**
 * Types, maps and pages for people. Node refuses to run TypeScript inside `node_modules`, so `.ts` files are never
 * loaded.
 */
const NEVER_LOADED = /\.(?:[cm]?ts|map|md)$/i
const LICENCE = /^(?:licen[cs]e|notice|copying)/i

/**
 * Returns the folders of the packages that our dependencies need, each with its entry of the lock file. npm also keeps
 * packages that another part of the project brings along and a dependency could use, such as the website's React.
 */
export function productionModules(root: string): Map<string, LockedPackage> {
  const text = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')
  const lock: Lock = JSON.parse(text).packages
  const found = new Map<string, LockedPackage>()
  const visit = (folder: string): void => {
    const locked = lock[folder]
    if (locked === undefined || found.has(folder)) return
    if (folder !== '') found.set(folder, locked)
    for (const name of needsOf(locked)) {
      const there = placeOf(lock, { name, from: folder })
      if (there !== null) visit(there)
    }
  }
  visit('')
  return found
}

/** Returns what a package needs, without optional packages and those for development or one platform. */
function needsOf({
  dependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}: LockedPackage) {
  const peers = Object.keys(peerDependencies).filter(
    (name) => peerDependenciesMeta[name]?.optional !== true,
  )
  return [...Object.keys(dependencies), ...peers]
}

/** Returns where Node finds a package: in the nearest `node_modules` on the way up. */
function placeOf(lock: Lock, { name, from }: { name: string; from: string }): string | null {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const place = path.posix.join(folder, 'node_modules', name)
    if (lock[place] !== undefined) return place
    if (folder === '') return null
  }
}

/** Returns the files of a package that may be loaded, relative to its folder; packages inside it are left out. */
export function loadedFiles(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return []
    if (entry.isDirectory())
      return loadedFiles(path.join(folder, entry.name)).map((file) => path.join(entry.name, file))
    return NEVER_LOADED.test(entry.name) && !LICENCE.test(entry.name) ? [] : [entry.name]
  })
}

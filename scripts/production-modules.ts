/**
 * Which of the installed packages, and which of their files, a running service loads: what the container image
 * keeps of `node_modules`.
 */
import fs from 'node:fs'
import path from 'node:path'

export type LockedPackage = {
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  os?: string[]
  cpu?: string[]
  hasInstallScript?: boolean
}

type Lock = Record<string, LockedPackage>

/** Types, maps and pages for people: Node refuses to run TypeScript inside `node_modules`. */
const NEVER_LOADED = /\.(?:[cm]?ts|map|md)$/i
const LICENCE = /^(?:licen[cs]e|notice|copying)/i

/**
 * The folders of the packages that our dependencies need, with what is locked of each. npm also keeps what
 * another part of the project brings along and a dependency could use: React, since the website has it.
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

/** Without what is only offered to be used, and without what only development and one platform need. */
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

/** Where Node finds a package: in the nearest `node_modules` on the way up. */
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

/** The files of a package that may be loaded, relative to its folder; packages inside it are others. */
export function loadedFiles(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return []
    if (entry.isDirectory())
      return loadedFiles(path.join(folder, entry.name)).map((file) => path.join(entry.name, file))
    return NEVER_LOADED.test(entry.name) && !LICENCE.test(entry.name) ? [] : [entry.name]
  })
}

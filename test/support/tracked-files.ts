/** The files of the project: those that git knows or would take, also in a copy that came without its history. */
import fs from 'node:fs'
import path from 'node:path'
import { git } from './releases.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Returns the paths from the project's root, in no particular order; what is deleted and not committed is left out. */
export function trackedFiles(): string[] {
  // Without this question git would answer for a repository around a downloaded archive.
  const isRepository = fs.existsSync(path.join(ROOT, '.git'))
  const listed = isRepository ? git('ls-files', '-co', '--exclude-standard') : null
  if (listed === null) return filesBelow(ROOT)
  return listed.split('\n').filter((name) => fs.existsSync(path.join(ROOT, name)))
}

/** Returns the files below `root` that its .gitignore does not name; of git's patterns, those that ours has. */
export function filesBelow(root: string): string[] {
  const ignored = fs
    .readFileSync(path.join(root, '.gitignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const isIgnored = (name: string, isFolder: boolean): boolean =>
    ignored.some((line) => {
      if (line.endsWith('/') && !isFolder) return false
      const pattern = line.replace(/\/$/, '')
      return pattern.startsWith('/')
        ? name === pattern.slice(1)
        : path.matchesGlob(path.basename(name), pattern)
    })
  const walk = (folder: string): string[] =>
    fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = path.posix.join(folder, entry.name)
      if (name === '.git' || isIgnored(name, entry.isDirectory())) return []
      return entry.isDirectory() ? walk(name) : [name]
    })
  return walk('')
}

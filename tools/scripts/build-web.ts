/**
 * Builds the website into web/dist where it is missing or older than its sources, and says so. Without the build tools
 * it says so and leaves things as they are: the API needs none.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const WEB = path.join(ROOT, 'web')
const DIST = path.join(WEB, 'dist')
/** A page of every build of today's kind: one of an older kind is repeated. */
const PAGE = path.join(DIST, 'index.html.gz')
/** Where a process builds, so that several may at once, and a service goes on with what there is. */
const DRAFT = path.join(ROOT, `node_modules/.cache/website-${process.pid}`)
const SOURCES = [
  'index.html',
  'vite.config.ts',
  'precompress.ts',
  'package.json',
  'tsconfig.json',
  'src',
  'public',
  '../src/kit/text',
  '../src/model',
  '../clients/typescript/src',
]

/** Builds the website where it is older than its sources. Returns whether it is up to date now. */
export function buildWeb(): boolean {
  const builtAt = changedAt(PAGE)
  if (builtAt > 0 && newestOf(SOURCES.map((name) => path.join(WEB, name))) <= builtAt) return true
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js')
  if (!fs.existsSync(vite)) {
    process.stderr.write(
      'scriptorium: the website is not built because its build tools are not installed; the API works without it\n',
    )
    return false
  }
  process.stderr.write('scriptorium: building the website (once)…\n')
  const options = ['build', '--logLevel', 'warn', '--outDir', DRAFT, '--emptyOutDir']
  const built = spawnSync(process.execPath, [vite, ...options], { cwd: WEB, encoding: 'utf8' })
  if (built.status === 0) {
    takeDraft()
    return true
  }
  process.stderr.write(
    `scriptorium: the website could not be built; the API works without it\n${built.stderr}${built.stdout}`,
  )
  return false
}

/** Puts the draft in the place of the build; where another process has just done so, either will do. */
function takeDraft(): void {
  const before = `${DRAFT}-before`
  try {
    fs.renameSync(DIST, before)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  try {
    fs.renameSync(DRAFT, DIST)
  } catch (error) {
    if (changedAt(PAGE) === 0) throw error
  }
  for (const folder of [DRAFT, before]) fs.rmSync(folder, { recursive: true, force: true })
}

/** Returns when the newest of these files, or of the files in these folders, was changed; 0 where there is none. */
export function newestOf(names: readonly string[], passedOver = new Set<string>()): number {
  return Math.max(
    0,
    ...names.map((name) => {
      if (!fs.existsSync(name) || !fs.statSync(name).isDirectory()) return changedAt(name)
      const inside = fs.readdirSync(name).filter((inner) => !passedOver.has(inner))
      return newestOf(
        inside.map((inner) => path.join(name, inner)),
        passedOver,
      )
    }),
  )
}

function changedAt(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

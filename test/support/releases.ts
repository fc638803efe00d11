/** Releases: how far each brought the database, and its program, taken out of this copy's history. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** A release, and the name of its last migration. */
export type Release = { version: string; lastMigration: string }

/** The releases that can be upgraded from, the oldest first. The commit `Release X.Y.Z` adds its own line. */
export const RELEASES: readonly Release[] = [
  { version: '2.0.0', lastMigration: '0068-what-requests-came-with.sql' },
]

/** A release in this copy's history; `commit` is a whole hash. */
export type ReleaseCommit = { version: string; commit: string }

/**
 * Returns the releases that a commit contains, the newest first; none where there is no history. They are known by
 * their subjects, `Release X.Y.Z`: copies often come without tags.
 */
export function findReleases(at: string): ReleaseCommit[] {
  const named = (git('log', '--format=%H %s', '--grep=^Release ', at) ?? '').split('\n')
  return named.flatMap((line) => {
    const [, commit, version] = /^(\w{40}) Release (\d+\.\d+\.\d+)$/.exec(line) ?? []
    return commit === undefined || version === undefined ? [] : [{ version, commit }]
  })
}

/** Returns what git prints, without the last line's end; null where it fails, as in a copy without history. */
export function git(...args: string[]): string | null {
  try {
    const options = { cwd: ROOT, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 } as const
    return execFileSync('git', args, options).trimEnd()
  } catch {
    return null
  }
}

/** Unpacks the release and installs its own packages, as its lock file names them; returns the file to start. */
export function unpackRelease({ commit }: ReleaseCommit, folder: string): string {
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const { npm_execpath: npm } = process.env
  const [program, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const install = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync(program, [...first, ...install], { cwd: folder, env: ownEnvironment() })
  return path.join(folder, 'src/main.ts')
}

/** Returns the environment without what `npm run` hands down, which names this folder. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(config_(prefix|local_prefix)|package|lifecycle)/i.test(name),
    ),
  )
}

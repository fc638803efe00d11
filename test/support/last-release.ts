/** The program of the last release, taken out of this copy's history. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Commit of what the CHANGELOG calls 1.0.0, which has no tag. */
const FIRST_RELEASE = '9e6333bae4f7'

/**
 * Returns the newest tag of a release before this commit, or the commit of the first; null where there is no history.
 */
export function findRelease(): string | null {
  const git = (...args: string[]): string | null => {
    try {
      return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim()
    } catch {
      return null
    }
  }
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
  return tag ?? git('rev-parse', '--verify', '--quiet', `${FIRST_RELEASE}^{commit}`)
}

/** Unpacks the release and installs its own packages, as its lock file names them; returns the file to start. */
export function unpackRelease(release: string, folder: string): string {
  const archive = execFileSync('git', ['archive', release], { cwd: ROOT, maxBuffer: 2 ** 28 })
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

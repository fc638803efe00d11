/** The program of the last release, taken out of this copy's history. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** What the CHANGELOG calls 1.0.0, which has no tag. */
const FIRST_RELEASE = '9e6333bae4f7'

/** The newest tag of a release before this commit, or the commit of the first; null where there is no history. */
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

/** Its program, on the packages of today: returns the file to start. */
export function unpackRelease(release: string, folder: string): string {
  const archive = execFileSync('git', ['archive', release], { cwd: ROOT, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  return path.join(folder, 'src/main.ts')
}

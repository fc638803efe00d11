/**
 * The tests that a change asks for first: those beside what changed, and those that import it directly or name it. All
 * others are left to the gate.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { isQuickFile } from './test-kinds.ts'

export type ChangedTests = {
  /** Paths from the root: what changed since the last commit, or with it where nothing did. */
  changed: string[]
  /** Quick tests that it asks for. */
  files: string[]
  /** Tests of later stages that it asks for, too. */
  left: string[]
}

/** Returns what has changed in the checkout at `root`, and which of `tests`, paths from there, that asks for. */
export function findChangedTests(root: string, tests: readonly string[]): ChangedTests {
  const git = (...words: string[]): string[] =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const open = [
    ...git('diff', '--name-only', '--no-renames', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  const changed =
    open.length > 0 ? open : git('diff', '--name-only', '--no-renames', 'HEAD~1', 'HEAD')
  const asked = tests.filter((test) => isAskedFor(root, test, changed))
  return {
    changed,
    files: asked.filter(isQuickFile),
    left: asked.filter((file) => !isQuickFile(file)),
  }
}

function isAskedFor(root: string, test: string, changed: readonly string[]): boolean {
  const text = fs.readFileSync(path.join(root, test), 'utf8')
  const imported = new Set(
    Array.from(text.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g), ([, name = '']) =>
      path.posix.join(path.posix.dirname(test), name),
    ),
  )
  const beside = test.replace(/(\.(full|nightly))?\.test\.ts$/, '')
  return changed.some(
    (file) =>
      file === test ||
      file.replace(/\.\w+$/, '') === beside ||
      imported.has(file) ||
      text.includes(file),
  )
}

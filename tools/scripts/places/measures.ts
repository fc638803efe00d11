/** Sums over the whole tree that are to stay small: sizes, names with several meanings, exports that nobody imports. */
import { trackedFiles } from '../../../test/support/tracked-files.ts'
import type { Places } from './facts.ts'
import { type CodeFile, readTracked } from './sources.ts'

const FUNCTION = /^\s*(?:export )?(?:default )?(?:async )?function\*? (\w+)/gm
const EXPORTED =
  /^export (?:declare )?(?:async )?(?:function\*?|class|const|let|type|interface|enum) (\w+)/gm

const isIn = (tree: string) => (file: { file: string }) => file.file.startsWith(tree)

/** Names of functions that most files of `src` declare, each with those files. */
export function functionNames(files: readonly CodeFile[]): Places[] {
  const declaredIn = new Map<string, string[]>()
  for (const { file, code } of files.filter(isIn('src/')))
    for (const name of new Set([...code.matchAll(FUNCTION)].map(([, found = '']) => found)))
      declaredIn.set(name, [...(declaredIn.get(name) ?? []), file])
  return [...declaredIn]
    .map(([name, places]) => ({ name, files: places }))
    .toSorted((a, b) => b.files.length - a.files.length)
}

/** Returns how often a pattern stands in `src`. */
export function matchesIn(pattern: RegExp, files: readonly CodeFile[]): number {
  return files
    .filter(isIn('src/'))
    .reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0)
}

/** Names that `src` exports and no other file of the project has a word of. */
export function exportsOfOneFile(files: readonly CodeFile[]): string[] {
  const words = new Map<string, Set<string>>()
  const all = trackedFiles().filter((file) => /\.(?:tsx?|mjs)$/.test(file))
  for (const file of all)
    for (const word of readTracked(file).match(/\b\w+\b/g) ?? [])
      words.set(word, (words.get(word) ?? new Set()).add(file))
  return files
    .filter(isIn('src/'))
    .flatMap(({ code }) => [...code.matchAll(EXPORTED)].map(([, name = '']) => name))
    .filter((name) => words.get(name)?.size === 1)
}

/** Returns the number of lines below a folder, tests apart. */
export function linesOf(tree: string): number {
  return trackedFiles()
    .filter((file) => file.startsWith(tree) && /(?<!\.test)\.tsx?$/.test(file))
    .reduce((sum, file) => sum + readTracked(file).split('\n').length - 1, 0)
}

/** Blocks that are written from the code. */
const PRINTED = /<!-- (printed: )?\w+ -->[^]*?<!-- \/\w+ -->/g

/** Returns the number of words below `docs`, printed ones apart. */
export function wordsOfDocuments(): number {
  return trackedFiles()
    .filter((file) => /^docs\/.*\.md$/.test(file))
    .reduce(
      (sum, file) => sum + (readTracked(file).replace(PRINTED, '').match(/\S+/g)?.length ?? 0),
      0,
    )
}

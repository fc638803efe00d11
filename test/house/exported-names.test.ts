/** One word per thing: no tree exports two declarations of one name. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { trackedFiles } from '../support/tracked-files.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TREES = [
  'src',
  'emulator',
  'web/src',
  'clients/typescript/src',
  'clients/cli/src',
  'tools/bench',
  'tools/conformance',
  'test',
]
const DECLARATION =
  /^export (?:declare )?(?:async )?(?:function\*?|class|const|let|type|interface|enum) (\w+)/gm
const RENAMED = /^export \{[^}]*\bas (\w+)[^}]*\}/gm
/** Names that one tree may declare in many files, and why. */
const SHARED: Record<string, string[]> = {
  'tools/bench': ['run'], // every benchmark exports `run` for tools/bench/main.ts
}

for (const tree of TREES) {
  test(`${tree} declares every exported name once`, () => {
    const declaredIn = new Map<string, string[]>()
    for (const file of filesOf(tree)) {
      const text = fs.readFileSync(path.join(ROOT, file), 'utf8')
      for (const name of new Set(exportedNames(text))) {
        declaredIn.set(name, [...(declaredIn.get(name) ?? []), file])
      }
    }
    assert.ok(declaredIn.size > 0)
    assert.deepEqual(
      [...declaredIn].filter(([name, files]) => files.length > 1 && !SHARED[tree]?.includes(name)),
      [],
    )
  })
}

test('a declaration is found whatever its kind', () => {
  const names = ['A', 'b', 'c', 'D', 'E', 'f']
  const text = [
    'export type A = 1',
    'export function b() {}',
    'export async function c() {}',
    'export class D {}',
    'export const E = 1',
    'export { x as f }',
    'type NotExported = 1',
    "export { g } from './elsewhere.ts'",
  ]
  assert.deepEqual(exportedNames(text.join('\n')), names)
})

function exportedNames(text: string): string[] {
  return [DECLARATION, RENAMED].flatMap((form) =>
    [...text.matchAll(form)].map(([, name]) => name ?? ''),
  )
}

function filesOf(tree: string): string[] {
  return trackedFiles().filter(
    (file) => file.startsWith(`${tree}/`) && /\.tsx?$/.test(file) && !file.endsWith('.d.ts'),
  )
}

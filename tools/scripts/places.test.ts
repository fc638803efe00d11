/** Places of facts: lists that two files tell, and files that name a fact, are found in code of any form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placesOf } from './places/facts.ts'
import { functionNames } from './places/measures.ts'
import type { CodeFile } from './places/sources.ts'
import { findToldTwice } from './places/told-twice.ts'

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six']
const quoted = NAMES.map((name) => `'${name}'`)

const ARRAY = `const all = [${quoted.join(', ')}]`
const FORMS: Record<string, string> = {
  'an array': ARRAY,
  'a union': `type All = ${quoted.join(' | ')}`,
  'a pattern': `const all = /^(?:${NAMES.join('|')})$/`,
  'keys of an object': `const all = { ${quoted.map((name) => `${name}: 1`).join(', ')} }`,
  'two lists near each other': `const all = [${quoted.slice(0, 3).join(', ')}]\ntype Others = ${quoted.slice(3).join(' | ')}`,
}

function file(name: string, code: string): CodeFile {
  return { file: name, text: code, code }
}

for (const [form, code] of Object.entries(FORMS))
  test(`a list that another file tells as ${form} is found`, () => {
    const [found] = findToldTwice([file('src/a.ts', ARRAY), file('web/b.ts', `\n${code}`)])
    assert.deepEqual(found?.files, ['src/a.ts', 'web/b.ts'])
    assert.deepEqual([found?.lines, found?.names], [[1, 2], NAMES])
  })

test('a list of Python is found, and one of the emulator is its own', () => {
  const python = `ALL = (\n    "${NAMES.join('",\n    "')}",\n)`
  assert.equal(findToldTwice([file('src/a.ts', ARRAY), file('clients/b.py', python)]).length, 1)
  assert.deepEqual(findToldTwice([file('src/a.ts', ARRAY), file('emulator/b.ts', ARRAY)]), [])
})

test('five names are no list, nor are six in lists that are far from each other', () => {
  const five = `const some = [${quoted.slice(1).join(', ')}]`
  const far = `const some = [${quoted.slice(0, 3).join(', ')}]${'\n'.repeat(40)}const more = [${quoted.slice(3).join(', ')}]`
  for (const code of [five, far])
    assert.deepEqual(findToldTwice([file('src/a.ts', ARRAY), file('src/b.ts', code)]), [])
})

test('files that name a fact and files that declare a name are counted', () => {
  const files = [
    file('src/a.ts', `const format = 'ris'\nfunction lineOf() {}`),
    file('src/b.ts', `const iris = 1\nexport async function lineOf() {}`),
  ]
  const places = placesOf([{ name: 'ris', place: /(?<!\w)ris(?!\w)/ }], files)
  assert.deepEqual(places, [{ name: 'ris', files: ['src/a.ts'] }])
  assert.deepEqual(functionNames(files), [{ name: 'lineOf', files: ['src/a.ts', 'src/b.ts'] }])
})

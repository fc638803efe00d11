/** One word per thing: the code uses every word that docs/glossary.md defines. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { trackedFiles } from '../support/tracked-files.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The product, the emulator, whose words are in the glossary too, and the list of the storeys. */
const CODE = /^(?:src\/|emulator\/|tools\/scripts\/storeys\.ts$)/

test('every word of the glossary is in the code, as an identifier, a file name or text', () => {
  const defined = definedWords(fs.readFileSync(path.join(ROOT, 'docs/glossary.md'), 'utf8'))
  const code = wordsOfCode()
  assert.ok(defined.length > 80)
  assert.deepEqual(
    defined.filter((word) => !isUsed(word, code)),
    [],
    'drop these from docs/glossary.md, or define the word that the code uses',
  )
})

test('every word of the glossary is defined once', () => {
  const defined = definedWords(fs.readFileSync(path.join(ROOT, 'docs/glossary.md'), 'utf8'))
  assert.deepEqual(
    defined.filter((word, at) => defined.indexOf(word) !== at),
    [],
  )
})

test('a word counts in any spelling of an identifier, but not in a comment or inside another word', () => {
  const code = wordsIn(
    withoutComments(
      "/** A gizmo. */\nconst urlSets = handBack('caption-tracks') // a widget\nkey_histories",
    ),
  )
  for (const word of ['URL set', 'hand back', 'caption track', 'history']) {
    assert.ok(isUsed(word, code), word)
  }
  for (const word of ['gizmo', 'widget', 'rack', 'set hand', 'made-up word']) {
    assert.ok(!isUsed(word, code), word)
  }
})

function definedWords(glossary: string): string[] {
  return [...glossary.matchAll(/^\| (?!word \|)([^|-][^|]*?) \| /gm)].map(([, word = '']) => word)
}

/** Returns whether the words are side by side in the code; the last may be inflected. */
function isUsed(word: string, code: string): boolean {
  const form = wordsIn(word).trim()
  const forms = [form, `${form}s`, `${form}d`, `${form}ed`, form.replace(/y$/, 'ies')]
  return forms.some((each) => code.includes(` ${each} `))
}

function wordsOfCode(): string {
  return trackedFiles()
    .filter((file) => CODE.test(file) && file.endsWith('.ts'))
    .map((file) =>
      wordsIn(`${file} ${withoutComments(fs.readFileSync(path.join(ROOT, file), 'utf8'))}`),
    )
    .join('')
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/(^|\s)\/\/.*$/gm, ' ')
}

/** Returns lower-case words between single blanks; `urlSet`, `url_set` and `url-set` are two words each. */
function wordsIn(text: string): string {
  const words = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[^A-Za-z]+/g, ' ')
  return ` ${words.toLowerCase()} `.replace(/ +/g, ' ')
}

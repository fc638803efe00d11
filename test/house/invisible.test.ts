/**
 * What nobody sees is one list, in kit/text/invisible.ts: whoever spells a class of such characters, or asks by white
 * space whether a text says anything, soon misses one that the list has.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { hasVisible } from '../../src/kit/text/invisible.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TREES = '{src,web/src,clients/typescript/src,clients/cli/src}/**/*.{ts,tsx}'

/** Files that spell such characters themselves, each with why. */
const SPELLING: Record<string, string> = {
  'clients/cli/src/printable.ts': 'output for terminals: what they obey or are turned around by',
  'src/config/service-variables.ts': 'letters that the font of invoices has',
  'src/features/money/invoices.ts': 'letters that the font of invoices has',
  'src/features/search/count-mentions.ts': 'a code point above those of all tokens',
  'src/kit/text/cells.ts': 'what takes no cell of a terminal or of a title, and what takes two',
  'src/kit/text/controls.ts': 'output for terminals and JSON: what is escaped there, not left out',
  'src/kit/text/csv.ts': 'a byte order mark',
  'src/kit/text/invisible.ts': 'the list',
  'src/model/files/srt.ts': 'writes a zero-width space, the same in every release',
  'src/model/search/half-spaces.ts': 'the half-space of Persian, which is typed or left out',
  'src/model/search/letters.ts': 'stands for an apostrophe inside a word of the index',
  'src/model/search/tokens.ts':
    'which of them are inside a word of the index, whose files have a version',
}

/** Files that ask by white space, each with why that is enough. */
const ASKING: Record<string, string> = {
  'clients/cli/src/commands/mcp.ts': 'lines of JSON, which a program wrote',
  'clients/cli/src/settings.ts': 'variables of the environment',
  'src/features/files/all-text.ts': 'heads of texts, the same in every release',
  'src/model/files/srt.ts': 'what players read as a tag, the same in every release',
  'src/model/transcripts/compare-words.ts': 'parts words of texts that are clean',
  'src/model/transcripts/transcript.ts': 'counts words of texts that are clean',
  'src/platform/egress/route.ts': 'a number of a setting',
  'web/src/reading.ts': 'counts words of texts that are clean',
}

const ESCAPED = /\\u\{?([\da-f]{4,6})\}?(?:-\\u\{?([\da-f]{4,6})\}?)?/gi
const PROPERTY =
  /\\[pP]\{(?:C|Cf|Cn|Other|Format|Z\w*|DI|Default_Ignorable\w*|Bidi_C\w*|Join_C\w*|VS|NChar)\}/
/** A range longer than this is one of scripts, with a filler somewhere in it. */
const RANGE_MAX = 0x200
const BLANKS =
  /\.trim(?:Start|End)?\(\) *(?:[=!]==? *['"`]{2}|\|\|)|(?<!\\)['"`/]\^?\\{1,2}S[+*]?\$?['"`/]/

function spellsUnseen(code: string): boolean {
  if (PROPERTY.test(code)) return true
  if ([...code].some(isUnseen)) return true
  return Array.from(code.matchAll(ESCAPED)).some(([, first = '', last = first]) => {
    const [from, to] = [first, last].map((hex) => Number.parseInt(hex, 16)) as [number, number]
    const length = to - from < RANGE_MAX ? to - from + 1 : 0
    const inside = Array.from({ length }, (_, at) => from + at)
    return [from, to, ...inside].some((code) => isUnseen(String.fromCodePoint(code)))
  })
}

/** White space and controls are for whoever parts lines. */
function isUnseen(character: string): boolean {
  return !hasVisible(character) && !/[\p{White_Space}\p{Cc}]/u.test(character)
}

function filesThat(holds: (code: string) => boolean): string[] {
  return globSync(TREES, { cwd: ROOT })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .filter((file) => holds(readFileSync(path.join(ROOT, file), 'utf8')))
    .sort()
}

test('who spells characters that nobody sees is on the list', () => {
  assert.deepEqual(filesThat(spellsUnseen), Object.keys(SPELLING))
})

test('who asks by white space whether a text says anything is on the list', () => {
  assert.deepEqual(
    filesThat((code) => BLANKS.test(code)),
    Object.keys(ASKING),
  )
})

test('each way of spelling is found, and words of any script are none', () => {
  for (const code of [
    String.raw`/[\u200B-\u200F]/`,
    String.raw`'\ufeff'`,
    String.raw`/[\u{e0000}-\u{e007f}]/u`,
    String.raw`/[\u2000-\u206f]/`,
    String.raw`/\p{Cf}/gu`,
    String.raw`/[\p{C}\p{Z}]+/u`,
    String.raw`/\p{Default_Ignorable_Code_Point}/u`,
    "'\u2800'",
  ])
    assert.equal(spellsUnseen(code), true, code)
  for (const code of [String.raw`/[\u4e00-\u9fff\p{L}\p{Cc}\u2028]/u`, "'می خواهم, é 漢字'"])
    assert.equal(spellsUnseen(code), false, code)
  for (const code of [
    "name.trim() === ''",
    'text.trim() || null',
    String.raw`pattern: '\\S'`,
    String.raw`/\S/u`,
  ])
    assert.match(code, BLANKS)
})

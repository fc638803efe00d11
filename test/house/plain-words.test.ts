/** Sentences for people use words that people say: the worst that newcomers stumbled over do not come back. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SHOWN =
  '{web/src,src/api/landing,src/model/follow,src/model/webhooks,src/features/accounts}/**/*.{ts,tsx}'

/** Each with what to write instead. */
const WORST: Record<string, string> = {
  'looked at': 'checked',
  'is looked': 'is checked',
  seldom: 'rarely',
  ' anew': 'again',
  'our matter': 'we handle it',
  'before your eyes': 'live',
  'of before': 'earlier',
  'minute of sound': 'minute of audio',
  'every so many': 'every (hours)',
  'what came of': 'result',
  'following goes on': 'following resumed',
}

/** Returns the worst words in lines that are no comments. */
function worstIn(code: string): string[] {
  const lines = code
    .split('\n')
    .filter((line) => !/^\s*(?:\/\*|\*|\/\/|\{\/\*)/.test(line))
    .map((line) => line.split(' // ', 1)[0]?.toLowerCase() ?? '')
  return Object.keys(WORST).filter((words) => lines.some((line) => line.includes(words)))
}

test('the check knows sentences from comments', () => {
  assert.deepEqual(worstIn("const a = 'looked at Nov 25' // anew"), ['looked at'])
  assert.deepEqual(worstIn('  /** Seldom looked at. */\n// our matter'), [])
})

test('no page, mail or notice has words that newcomers stumbled over', () => {
  const files = globSync(SHOWN, { cwd: ROOT }).filter((file) => !file.includes('.test.'))
  assert.ok(files.length > 100)
  const found = files.flatMap((file) =>
    worstIn(readFileSync(path.join(ROOT, file), 'utf8')).map(
      (words) => `${file}: "${words}"; write "${WORST[words]}"`,
    ),
  )
  assert.deepEqual(found, [])
})

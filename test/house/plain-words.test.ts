/** Sentences for people use words that people say: the worst that newcomers stumbled over do not come back. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Whatever is written for people: pages, mails, notices, messages of the API, tools and commands, and documents. */
const SHOWN = [
  '{web/src,src,clients/cli/src}/**/*.{ts,tsx}',
  '{README.md,docs/**/*.md,clients/*/README.md}',
]
/** Reasons, and the words of those who work on the house. */
const INSIDE = /\.test\.|^docs\/(?:decisions\/|glossary\.md|changing\.md)/

/** Each with what to write instead. */
const WORST: [worst: RegExp, better: string][] = [
  [/looked at/, 'checked'],
  [/is looked/, 'is checked'],
  [/seldom/, 'rarely'],
  [/\banew\b/, 'again'],
  [/our matter/, 'we handle it'],
  [/before your eyes/, 'live'],
  [/of before(?!\))\b/, 'earlier'],
  [/minute of sound/, 'minute of audio'],
  [/every so many/, 'every (hours)'],
  [/what came of/, 'result'],
  [/following goes on/, 'following resumed'],
  [/\btak(?:e|es|en) up (?!to )/, 'new, fetched or ordered'],
  [/\bgo(?:es|ing)? on (?:with|at|behind)\b/, 'continues'],
  [/\bsomebody, probably you\b|\beverybody (?:is )?(?:out|signed)/, 'someone, everyone'],
  [/\bby some ways\b/, 'some payment methods'],
  [/\bso (?:much|often)['’]|['’]so many\b|\bat most so much\b/, 'this much, how often, number of'],
  [/\bexclude each other\b/, 'use either … or …'],
  [
    /\b(?<!there )(?:is|are) no (?:json|robot|command|operator|address of|list of|receipt\b)/,
    'is not a',
  ],
  [/\bknows (?:no |get |listen )/, 'takes, does not offer'],
  [/\bdoes not (?:hold|fit): /, 'is not valid, does not match'],
  [/\bjob that runs\b|\bbatches that run\b/, 'running job'],
  [/\b(?:was|were) asked for again\b|\bnever asked for\b/, 'requested, tried again'],
  [/\bby themselves\b/, 'automatically'],
  [/\bin the language wished\b/, 'in the requested language'],
  [/\bwhat becomes of\b|\bwhat is (?:noted|it called)\b/, 'what to do with'],
  [/\d usd\b|\} usd (?:a|c|were)/, '$0.008'],
  [/monthly cap\b|month['’]s cap\b|cap of the month/, 'monthly limit'],
]

/** Returns the worst words in a document, or in the lines of a program that are no comments. */
function worstIn(text: string, isProgram: boolean): [worst: string, better: string][] {
  const lines = text
    .split('\n')
    .filter((line) => !isProgram || !/^\s*(?:\/\*|\*(?:[ /]|$)|\/\/|\{\/\*)/.test(line))
    .map((line) => (isProgram ? (line.split(' // ', 1)[0] ?? '') : line).toLowerCase())
  return WORST.flatMap(([words, better]) =>
    lines.flatMap((line) => {
      const [found] = words.exec(line) ?? []
      return found === undefined ? [] : [[found, better] satisfies [string, string]]
    }),
  )
}

test('the check knows sentences from comments', () => {
  assert.deepEqual(worstIn("const a = 'looked at Nov 25' // anew", true), [
    ['looked at', 'checked'],
  ])
  assert.deepEqual(worstIn('  /** Seldom looked at. */\n// our matter', true), [])
  assert.deepEqual(worstIn('A job takes up to 500 videos.', false), [])
  assert.equal(worstIn('24 to take up new', false).length, 1)
  assert.equal(worstIn('**Previews.** What a job would take up and cost', true).length, 1)
})

test('no page, mail, message or document has words that newcomers stumbled over', () => {
  const files = SHOWN.flatMap((shown) => globSync(shown, { cwd: ROOT })).filter(
    (file) => !INSIDE.test(file),
  )
  assert.ok(files.length > 500)
  const found = files.flatMap((file) =>
    worstIn(readFileSync(path.join(ROOT, file), 'utf8'), !file.endsWith('.md')).map(
      ([worst, better]) => `${file}: "${worst}"; write "${better}"`,
    ),
  )
  assert.deepEqual(found, [])
})

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
  [/\bmake the project\b/, 'Create project'],
  [/\bways in\b|\bthings made\b/, 'sign-in'],
  [/\bin your library, free\b/, 'Owned'],
  [/\bas many videos as you ordered\b/, 'limit of 700 videos reached'],
  [/\bwhat is there so far\b/, 'Download what’s ready'],
  [/\byou follow nothing\b|\b(?:add|fill in) .{3,40} below\.<\/empty>/, 'the form itself, first'],
  [/\bhave a result\b/, 'done'],
  [/\blanguage as spoken\b/, 'the original'],
  [/\baccounts? (?:is|are) made\b|, made \{/, 'created'],
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

/** Where one may be shown: `counted` knows that it is "1 session". */
const COUNTED_BY_HAND = [
  /=== 1 \? '' : 's'/,
  /=== 1 \? (['"`])(?:1|one) (\w+)\1 : `\$\{[^}]*\} \2s/i,
  /\$\{[^{}()]*\} (?:sessions|passkeys|jobs|accounts|calls|transcripts|mentions|texts)\b/,
  /\{count\([^{}]*\)\}[`]? (?:sessions|passkeys|jobs|accounts|calls|transcripts|mentions|texts)\b/,
]
/** The functions themselves, and figures that are more than one: bounds, and the whole of which a part was found. */
const MORE_THAN_ONE = /\$\{(?:noun|one)\}|most|max|running|owned|Retry|\b(?:MAX|LIMITS)\b/i

test('numbers of things are told by one function in each program, so that nobody has "1 sessions"', () => {
  const files = globSync('{web/src,src,clients/cli/src}/**/*.{ts,tsx}', { cwd: ROOT })
  const byHand = files.flatMap((file) =>
    INSIDE.test(file)
      ? []
      : readFileSync(path.join(ROOT, file), 'utf8')
          .split('\n')
          .filter((line) => COUNTED_BY_HAND.some((one) => one.test(line)))
          .filter((line) => !MORE_THAN_ONE.test(line))
          .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(byHand, [])
})

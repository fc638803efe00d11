/** Verdicts: what the answers of several clients mean together. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { NO_DETAILS } from '../../model/library/video-details.ts'
import { obstacle, type ObstacleName, ruleOf } from './obstacle.ts'
import { isOpen, verdictOf, type WordlessAnswer } from './verdict.ts'

const FACTS = { title: null, channelName: null, canonicalId: null, details: NO_DETAILS }
const ANSWERS = {
  silent: { kind: 'no_tracks', facts: FACTS, air: 'no' },
  live: { kind: 'no_tracks', facts: FACTS, air: 'live_now' },
  private: { kind: 'cause', facts: FACTS, cause: 'private', text: null },
  missing: { kind: 'not_available', facts: FACTS, text: 'Video unavailable' },
  bot: met('bot_check'),
  retired: met('retired'),
  server: met('server_error'),
  reload: met('reload'),
  withheld: met('withheld'),
  unknown: met('unknown'),
} satisfies Record<string, WordlessAnswer>

function met(name: ObstacleName): WordlessAnswer {
  return { kind: 'obstructed', facts: FACTS, obstacle: obstacle(name) }
}

type Name = keyof typeof ANSWERS

const VERDICTS: [Name[], string, 'open' | 'closed'][] = [
  // Each line has the clients' answers in turn, the verdict after all of them, and whether asking goes on before
  // that.
  [['private'], 'refused private', 'closed'],
  [['bot', 'private'], 'refused private', 'closed'],
  [['silent', 'private'], 'refused private', 'closed'],
  [['silent', 'silent'], 'refused no_captions', 'closed'],
  [['silent', 'bot', 'silent'], 'refused no_captions', 'closed'],
  [['live', 'silent'], 'refused live_now', 'closed'],
  [['missing', 'silent', 'silent'], 'refused no_captions', 'closed'],
  [['missing', 'missing'], 'refused not_found', 'closed'],
  [['retired', 'missing', 'missing'], 'refused not_found', 'closed'],
  [['missing'], 'failed unknown', 'open'],
  [['silent'], 'failed unknown', 'open'],
  [['silent', 'bot', 'bot'], 'blocked bot_check', 'open'],
  [['silent', 'retired', 'server'], 'blocked unconfirmed', 'open'],
  [['silent', 'missing', 'missing'], 'failed unknown', 'open'],
  [['withheld', 'silent', 'silent'], 'blocked withheld', 'open'],
  [['withheld', 'missing', 'missing'], 'blocked withheld', 'open'],
  [['withheld', 'withheld', 'withheld'], 'blocked withheld', 'open'],
  [['reload', 'reload', 'reload'], 'blocked reload', 'open'],
  [['retired', 'bot', 'server'], 'blocked bot_check', 'open'],
  [['retired', 'retired', 'retired'], 'blocked retired', 'open'],
  [['unknown', 'unknown', 'unknown'], 'failed unknown', 'open'],
  [['missing', 'bot', 'bot'], 'blocked bot_check', 'open'],
]

test('several clients’ answers make one verdict, by precedence', () => {
  for (const [names, expected, openness] of VERDICTS) {
    const answers = names.map((name) => ({ client: name, answer: ANSWERS[name] as WordlessAnswer }))
    assert.equal(verdict(names), expected, names.join(', '))
    assert.equal(isOpen(answers), openness === 'open', `asking on after ${names.join(', ')}`)
  }
})

test('a video is never refused as long as only obstacles and at most one witness were met', () => {
  const obstacles = fc.array(
    fc.constantFrom<Name>('bot', 'retired', 'server', 'reload', 'withheld', 'unknown'),
    { minLength: 1, maxLength: 3 },
  )
  const witness = fc.constantFrom<Name[]>([], ['silent'], ['missing'], ['live'])
  fc.assert(
    fc.property(obstacles, witness, (met, seen) => {
      assert.doesNotMatch(verdict([...seen, ...met]), /refused/)
      assert.doesNotMatch(verdict([...met, ...seen]), /refused/)
    }),
  )
})

function verdict(names: Name[]): string {
  const found = verdictOf(
    names.map((name) => ({ client: name, answer: ANSWERS[name] as WordlessAnswer })),
  )
  return found.kind === 'refused'
    ? `refused ${found.refusal.reason}`
    : `${ruleOf(found.obstacle).kind} ${found.obstacle.name}`
}

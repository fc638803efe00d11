/** Verdicts: what the answers of several clients mean together. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { NO_DETAILS } from '../../model/library/video-details.ts'
import { obstacle, type ObstacleName, ruleOf } from './obstacle.ts'
import { type ClientAnswer, isOpen, verdictOf, type WordlessAnswer } from './verdict.ts'
import type { Testimony } from './witness.ts'

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

const SHOWN = 'shown'
const UNKNOWN = 'unknown'
const DENIED = obstacle('denies_all')

const VERDICTS: [Name[], Testimony, string][] = [
  // Each line has the clients' answers in turn, what a witness says then, and the verdict.
  [['private'], DENIED, 'refused private'],
  [['bot', 'private'], UNKNOWN, 'refused private'],
  [['silent', 'private'], UNKNOWN, 'refused private'],
  [['silent', 'silent', 'silent'], SHOWN, 'refused no_captions'],
  [['silent', 'silent', 'silent'], UNKNOWN, 'refused no_captions'],
  [['silent', 'silent', 'silent'], DENIED, 'blocked denies_all'],
  [['silent', 'silent', 'silent'], obstacle('rate_limited'), 'blocked rate_limited'],
  [['silent', 'bot', 'silent'], SHOWN, 'refused no_captions'],
  [['silent', 'bot', 'silent'], UNKNOWN, 'blocked bot_check'],
  [['silent', 'retired', 'silent'], UNKNOWN, 'refused no_captions'],
  [['live', 'silent'], SHOWN, 'refused live_now'],
  [['missing', 'silent', 'silent'], SHOWN, 'refused no_captions'],
  [['missing', 'missing', 'missing'], SHOWN, 'refused not_found'],
  [['missing', 'missing', 'missing'], UNKNOWN, 'refused not_found'],
  [['missing', 'missing', 'missing'], DENIED, 'blocked denies_all'],
  [['retired', 'missing', 'missing'], UNKNOWN, 'refused not_found'],
  [['missing', 'missing', 'unknown'], SHOWN, 'refused not_found'],
  [['missing', 'missing', 'unknown'], UNKNOWN, 'failed unknown'],
  [['missing', 'missing', 'server'], DENIED, 'blocked denies_all'],
  [['missing'], SHOWN, 'failed unknown'],
  [['silent'], SHOWN, 'failed unknown'],
  [['silent', 'bot', 'bot'], SHOWN, 'blocked bot_check'],
  [['silent', 'retired', 'server'], SHOWN, 'blocked unconfirmed'],
  [['silent', 'missing', 'missing'], SHOWN, 'failed unknown'],
  [['withheld', 'silent', 'silent'], SHOWN, 'blocked withheld'],
  [['withheld', 'missing', 'missing'], SHOWN, 'blocked withheld'],
  [['withheld', 'withheld', 'withheld'], SHOWN, 'blocked withheld'],
  [['reload', 'reload', 'reload'], SHOWN, 'blocked reload'],
  [['retired', 'bot', 'server'], SHOWN, 'blocked bot_check'],
  [['retired', 'retired', 'retired'], SHOWN, 'blocked retired'],
  [['unknown', 'unknown', 'unknown'], SHOWN, 'failed unknown'],
  [['missing', 'bot', 'bot'], SHOWN, 'blocked bot_check'],
]

test('several clients’ answers make one verdict, by precedence', () => {
  for (const [names, testimony, expected] of VERDICTS) {
    assert.equal(verdict(names, testimony), expected, names.join(', '))
    const isCaused = names.includes('private')
    assert.equal(isOpen(answersOf(names)), !isCaused, `asking on after ${names.join(', ')}`)
  }
})

test('a video is never refused as long as only obstacles and at most one client’s no were met', () => {
  const obstacles = fc.array(
    fc.constantFrom<Name>('bot', 'retired', 'server', 'reload', 'withheld', 'unknown'),
    { minLength: 1, maxLength: 3 },
  )
  const denial = fc.constantFrom<Name[]>([], ['silent'], ['missing'], ['live'])
  const testimony = fc.constantFrom<Testimony>(SHOWN, UNKNOWN, DENIED)
  fc.assert(
    fc.property(obstacles, denial, testimony, (met, seen, told) => {
      assert.doesNotMatch(verdict([...seen, ...met], told), /refused/)
      assert.doesNotMatch(verdict([...met, ...seen], told), /refused/)
    }),
  )
})

function answersOf(names: Name[]): ClientAnswer[] {
  return names.map((name) => ({ client: name, answer: ANSWERS[name] as WordlessAnswer }))
}

function verdict(names: Name[], testimony: Testimony): string {
  const found = verdictOf(answersOf(names), testimony)
  return found.kind === 'refused'
    ? `refused ${found.refusal.reason}`
    : `${ruleOf(found.obstacle).kind} ${found.obstacle.name}`
}

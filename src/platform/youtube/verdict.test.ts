/** Verdicts: what the answers of several clients mean together. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { NO_DETAILS } from '../../model/library/video-details.ts'
import { obstacle, type ObstacleName, ruleOf } from './obstacle.ts'
import { NO_NAMES } from './player.ts'
import {
  type ClientAnswer,
  isAbsence,
  isOpen,
  isRouteEnd,
  verdictOf,
  type WordlessAnswer,
} from './verdict.ts'
import type { Testimony } from './witness.ts'

const FACTS = NO_NAMES
const LISTED = { ...FACTS, details: { ...NO_DETAILS, tracks: [] } }
const ANSWERS = {
  silent: { kind: 'no_tracks', facts: FACTS, air: 'no' },
  live: { kind: 'no_tracks', facts: FACTS, air: 'live_now' },
  private: { kind: 'cause', facts: FACTS, cause: 'private', text: null },
  region: { kind: 'cause', facts: FACTS, cause: 'region_blocked', text: null },
  missing: { kind: 'not_available', facts: FACTS, text: 'Video unavailable' },
  bot: met('bot_check'),
  retired: met('retired'),
  server: met('server_error'),
  reload: met('reload'),
  withheld: met('withheld', LISTED),
  // The captions that a client listed were refused.
  kept: met('forbidden', LISTED),
  refused: met('forbidden'),
  limited: met('rate_limited'),
  late: met('timed_out'),
  noRoute: met('no_route'),
  unknown: met('unknown'),
} satisfies Record<string, WordlessAnswer>

function met(name: ObstacleName, facts: WordlessAnswer['facts'] = FACTS): WordlessAnswer {
  return { kind: 'obstructed', facts, obstacle: obstacle(name) }
}

type Name = keyof typeof ANSWERS

const SHOWN = 'shown'
const UNKNOWN = 'unknown'
const DENIED = obstacle('denies_all')

const VERDICTS: [Name[], Testimony, string][] = [
  // Each line has the clients' answers in turn, what a witness says then, and the verdict.
  [['private', 'private'], UNKNOWN, 'refused private'],
  [['private', 'missing'], UNKNOWN, 'refused private'],
  [['missing', 'private'], UNKNOWN, 'refused private'],
  [['bot', 'private', 'private'], UNKNOWN, 'refused private'],
  [['silent', 'private', 'private'], UNKNOWN, 'refused private'],
  [['private', 'silent', 'private'], UNKNOWN, 'refused private'],
  [['region', 'private', 'private'], UNKNOWN, 'refused private'],
  [['private'], UNKNOWN, 'refused private, doubted'],
  [['bot', 'private'], UNKNOWN, 'refused private, doubted, may differ'],
  [['private', 'refused', 'refused'], UNKNOWN, 'refused private, doubted, may differ'],
  [['private', 'noRoute'], UNKNOWN, 'refused private, doubted, may differ'],
  [['private', 'retired', 'server'], UNKNOWN, 'refused private, doubted'],
  [['silent', 'private'], UNKNOWN, 'refused private, doubted'],
  [['private', 'silent', 'missing'], UNKNOWN, 'refused private, doubted'],
  [['region', 'private', 'missing'], UNKNOWN, 'refused region_blocked, doubted'],
  [['private', 'silent', 'silent'], SHOWN, 'refused no_captions'],
  [['private', 'silent', 'silent'], DENIED, 'refused private, doubted'],
  [['private', 'withheld', 'missing'], UNKNOWN, 'blocked withheld'],
  [['kept', 'private', 'bot'], UNKNOWN, 'blocked forbidden'],
  [['kept', 'silent', 'silent'], SHOWN, 'blocked forbidden'],
  [['refused', 'silent', 'silent'], SHOWN, 'refused no_captions'],
  [['bot', 'limited', 'bot'], UNKNOWN, 'blocked rate_limited'],
  [['silent', 'silent', 'silent'], SHOWN, 'refused no_captions'],
  [['silent', 'silent', 'silent'], UNKNOWN, 'refused no_captions, may differ'],
  [['silent', 'silent', 'silent'], DENIED, 'blocked denies_all'],
  [['silent', 'silent', 'silent'], obstacle('rate_limited'), 'blocked rate_limited'],
  [['silent', 'bot', 'silent'], SHOWN, 'refused no_captions'],
  [['silent', 'bot', 'silent'], UNKNOWN, 'blocked bot_check'],
  [['silent', 'retired', 'silent'], UNKNOWN, 'refused no_captions, may differ'],
  [['live', 'silent'], SHOWN, 'refused live_now'],
  [['missing', 'silent', 'silent'], SHOWN, 'refused no_captions'],
  [['missing', 'missing', 'missing'], SHOWN, 'refused not_found'],
  [['missing', 'missing', 'missing'], UNKNOWN, 'refused not_found, may differ'],
  [['missing', 'missing', 'missing'], DENIED, 'blocked denies_all'],
  [['retired', 'missing', 'missing'], UNKNOWN, 'refused not_found, may differ'],
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
    const isSettled = names.filter((name) => name === 'private').length > 1
    assert.equal(isOpen(answersOf(names)), !isSettled, `asking on after ${names.join(', ')}`)
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

test('a cause is believed by the word of two clients, however often one of them names it', () => {
  const twice = answersOf(['private', 'private']).map((each) => ({ ...each, client: 'A' }))
  assert.ok(isOpen(twice))
  const versions = answersOf(['private', 'private']).map((each) => ({ ...each, app: 'A' }))
  assert.ok(isOpen(versions), 'two versions of one app')
  assert.ok(!isOpen(answersOf(['region', 'private', 'private'])), 'the third one seconds')
  assert.ok(isOpen(answersOf(['region', 'private'])), 'they contradict each other')
  assert.ok(isAbsence(answersOf(['private', 'silent', 'silent'])), 'two could play it')
})

test('a route is at fault once two clients were refused on it, or at once where no client matters', () => {
  const ends: [Name[], boolean][] = [
    [['refused'], false],
    [['late', 'silent'], false],
    [['refused', 'bot'], false],
    [['refused', 'private', 'limited'], true],
    [['late', 'kept'], true],
    [['noRoute'], true],
  ]
  for (const [names, isEnd] of ends)
    assert.equal(isRouteEnd(answersOf(names)), isEnd, names.join(', '))
})

function answersOf(names: Name[]): ClientAnswer[] {
  return names.map((name, at) => ({ client: `${at}`, answer: ANSWERS[name] as WordlessAnswer }))
}

function verdict(names: Name[], testimony: Testimony): string {
  const found = verdictOf(answersOf(names), testimony)
  if (found.kind === 'obstructed') return `${ruleOf(found.obstacle).kind} ${found.obstacle.name}`
  const { refusal, mayDiffer } = found
  const doubt = refusal.isDoubted === true ? ', doubted' : ''
  return `refused ${refusal.reason}${doubt}${mayDiffer === true ? ', may differ' : ''}`
}

/** Client profiles: those of this release, and what a file that replaces them must hold. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { CLIENT_PROFILES, readClientProfiles } from './clients.ts'

test('the profiles of this release are a valid file', () => {
  assert.deepEqual(readClientProfiles(JSON.stringify(CLIENT_PROFILES)), CLIENT_PROFILES)
})

test('captions are asked for as VISIONOS, ANDROID and IOS, in that order, and never as the web', () => {
  const names = CLIENT_PROFILES.filter(({ use }) => use === 'captions').map(({ name }) => name)
  assert.deepEqual(names, ['VISIONOS', 'ANDROID', 'IOS'])
})

type Change = (profile: Record<string, unknown>) => Record<string, unknown>

const WRONG: [string, Change, RegExp][] = [
  ['no name', (profile) => ({ ...profile, name: '' }), /entry 1: "name" is missing/],
  ['an unknown use', (profile) => ({ ...profile, use: 'all' }), /entry 1 \(VISIONOS\): "use"/],
  ['a header id in words', (profile) => ({ ...profile, headerId: '101' }), /"headerId"/],
  [
    'a user agent of two lines',
    (profile) => ({ ...profile, userAgent: 'a\r\nx-evil: 1' }),
    /"userAgent"/,
  ],
  [
    'a context without a version',
    (profile) => ({ ...profile, context: { clientName: 'X' } }),
    /"context"/,
  ],
  [
    'a nested context',
    (profile) => ({ ...profile, context: { clientName: 'X', clientVersion: '1', more: {} } }),
    /"context"/,
  ],
  ['a context that is a list', (profile) => ({ ...profile, context: ['X'] }), /"context"/],
  ['no address to embed in', (profile) => ({ ...profile, embedUrl: 'nowhere' }), /"embedUrl"/],
]

test('a wrong file is refused by entry and field', () => {
  for (const [what, change, sentence] of WRONG) {
    const [first, ...rest] = CLIENT_PROFILES
    assert.throws(
      () => readClientProfiles(JSON.stringify([change({ ...first }), ...rest])),
      sentence,
      what,
    )
  }
  assert.throws(() => readClientProfiles('{'), /no JSON/)
  assert.throws(() => readClientProfiles('{}'), /no JSON array/)
  assert.throws(
    () => readClientProfiles(JSON.stringify([CLIENT_PROFILES[0], CLIENT_PROFILES[0]])),
    /occurs twice/,
  )
  assert.throws(
    () => readClientProfiles(JSON.stringify(CLIENT_PROFILES.slice(0, 3))),
    /"date_and_lists"/,
  )
})
